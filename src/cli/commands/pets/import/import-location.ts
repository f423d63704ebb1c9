import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import type { CheckReport, CloseOptions, ImportCounts, OnUnknown } from '../../../../bulk/internal.js';
import { makePrivateFolder } from '../../../../security/private-folder.js';
import type { Session } from '../../../session/session.js';
import { followUp, SERVICE_FLAGS } from '../../../session/follow-up.js';
import type { Context } from '../../../system/context.js';
import { refuseForeignLink } from '../../../system/files/ownership.js';
import { resolveOutputPath } from '../../../system/files/output-file.js';
import { describeFileError } from '../../../system/files/safe-file.js';
import { resolvePath } from '../../../system/files/resolve-path.js';
import { UsageError } from '../../../errors/usage-error.js';
import { type PathContext, stateDirectory } from '../../../system/files/paths.js';
import type { ImportOptions } from './import-options.js';

/** The options and the paths of an import, and the commands to continue it. */
export type ImportLocation = ReturnType<typeof locateImport>;

/** The absolute path of the input file. */
export function inputPathOf(file: string, context: Context): string {
  return resolvePath(file, context);
}

/**
 * Chooses the path of the journal on first use: next to the file, or `--journal`. The journals of stdin and of the embedded
 * mock are in the state directory while they are needed.
 */
export function locateImport(options: ImportOptions, session: Session) {
  const { context, global } = session;
  const { file } = options;
  let chosen: { name: string; path: string; isHidden: boolean } | undefined;
  const journal = (): NonNullable<typeof chosen> => {
    if (chosen !== undefined) return chosen;
    const nextToFile = file === '-' || global.mock ? undefined : `${file}.journal`;
    const name = options.journal ?? nextToFile ?? hiddenJournal(context);
    const path = resolveOutputPath(name, context);
    refuseForeignLink(path, name, context);
    const isHidden = dirname(path) === resolvePath(hiddenJournalDirectory(context), context);
    return (chosen = { name, path, isHidden });
  };
  const spool = (): string => `${journal().path}.input`;
  const isResumedSpool = (): boolean => inputPathOf(file, context) === spool();
  const importAgain = (words: readonly string[], onUnknown: OnUnknown): string => {
    const others = session.given.filter(({ name }) => name !== ON_UNKNOWN);
    const action = onUnknown === 'stop' ? [] : [{ name: ON_UNKNOWN, text: onUnknown }];
    return followUp(['pets', 'import', ...words], [...others, ...action], REPEATED_FLAGS);
  };
  return {
    options,
    /** Absolute. */
    get journal() {
      return journal().path;
    },
    /** The path as messages show it. */
    get journalName() {
      return journal().name;
    },
    /** Whether the same rows, read again, would get another journal. */
    hasOwnJournal: file === '-' && options.journal === undefined && !global.mock,
    /** The path for rejected rows. `undefined`: next to the input. */
    rejectedPath({ format, delimiter }: Pick<CheckReport, 'format' | 'delimiter'>): string | undefined {
      if (file !== '-') return undefined;
      return resolvePath(
        `stdin.rejected.${format === 'csv' && delimiter === '\t' ? 'tsv' : format}`,
        context,
      );
    },
    /**
     * The command that resumes the import.
     *
     * @param onUnknown replaces the action of this import.
     * @param hasJournal whether there is a journal to resume; otherwise the command starts the import again.
     */
    resumeCommand(onUnknown?: OnUnknown, hasJournal = true): string | undefined {
      if (global.mock) return undefined;
      const input = file === '-' ? `${journal().name}.input` : operand(file);
      const ownJournal = file === '-' || options.journal !== undefined ? journal().name : undefined;
      const resume = hasJournal ? ['--resume'] : [];
      const words = [input, ...resume, ...(ownJournal === undefined ? [] : ['--journal', ownJournal])];
      return importAgain(words, onUnknown ?? options.onUnknown);
    },
    /** The command that resumes another import of stdin. Its rows are in a copy, which may have been removed. */
    otherResumeCommand: (path: string): string => {
      const hasCopy = existsSync(`${path}.input`);
      const words = [hasCopy ? `${path}.input` : '-', '--resume', '--journal', path];
      return `${hasCopy ? '' : 'COMMAND | '}${importAgain(words, options.onUnknown)}`;
    },
    /** The command that imports the same rows with a journal elsewhere. */
    journalCommand: (path: string): string =>
      importAgain([file === '-' ? file : operand(file), '--journal', path], options.onUnknown),
    /** The command that imports another file into the same service with the same flags. */
    importCommand: (path: string): string =>
      importAgain([operand(shownPath(path, context))], options.onUnknown),
    /** The command that lists all pets of the same service. */
    listCommand: (): string => followUp(['pets', 'list', '--all'], session.given),
    /** Shortens a path inside the current directory to a relative one. */
    shown: (path: string): string => shownPath(path, context),
    /** Whether the journal is kept after the command. */
    isKept({ rows, left, unknown, inFlight, unsaved }: ImportCounts, hasRun: boolean): boolean {
      // After a run without a sent row, --resume finds the journal, and the copy of a stream.
      if (left === rows && rows > 0) return isResumedSpool() || (hasRun && !global.mock);
      const isFinished = left + unknown + inFlight + unsaved === 0;
      return !journal().isHidden || !(isFinished || global.mock);
    },
    /** Which files to keep when the import is closed. */
    closeOptions(counts: ImportCounts, hasRun: boolean): CloseOptions {
      const own = file === '-' || (isResumedSpool() && journal().isHidden) ? [spool()] : [];
      return { isKept: this.isKept(counts, hasRun), own };
    },
  };
}

/** The folder for journals of stdin and of the mock, which have no file to be next to. */
function hiddenJournalDirectory(context: PathContext): string {
  return join(stateDirectory(context), 'imports');
}

function hiddenJournal(context: Context): string {
  const directory = hiddenJournalDirectory(context);
  try {
    makePrivateFolder(directory, context.userId);
  } catch (error) {
    throw new UsageError(
      `Can't write ${directory} (${describeFileError(error)})`,
      'Pass another path with --journal.',
      error,
    );
  }
  const time = new Date(context.clock.now()).toISOString().replace(/\.\d+|[-:]/g, '');
  return join(directory, `${time}-${randomUUID().slice(0, 8)}.journal`);
}

function shownPath(path: string, { currentDirectory }: Context): string {
  if (currentDirectory === undefined) return path;
  const relativePath = relative(currentDirectory, path);
  return relativePath.startsWith('..') || isAbsolute(relativePath) ? path : relativePath;
}

/** Returns a path that is not parsed as a flag. */
export function operand(path: string): string {
  return path.startsWith('-') ? `./${path}` : path;
}

const ON_UNKNOWN = '--on-unknown';

/** The flags of this import that other rows need too, without those of its journal. */
export const REPEATED_FLAGS: readonly string[] = [
  '--format',
  '--ignore-columns',
  '--concurrency',
  ON_UNKNOWN,
  ...SERVICE_FLAGS,
  '--csv-raw',
  '--reserve',
  '--max-wait',
  '--timeout',
  '--no-retry',
  '--yes',
];
