import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import type { CheckReport, ImportCounts } from '../../../../bulk/index.js';
import type { Session } from '../../../session/action.js';
import type { Context } from '../../../system/context.js';
import { refuseForeignLink } from '../../../files/ownership.js';
import { shellWord } from '../../../text/shell-word.js';
import { resolvePath } from '../../../files/resolve-path.js';
import { UsageError } from '../../../errors/usage-error.js';
import { systemErrorCode } from '../../../errors/why-failed.js';
import { hiddenFolder, hiddenJournalName } from './hidden-journals.js';
import type { ImportOptions } from './import-options.js';

/** Where an import keeps its files, and how it is gone on with. */
export interface ImportLocation {
  /** Absolute. */
  readonly journal: string;
  /** As it is told to people. */
  readonly journalName: string;
  /** Where refused rows go; `undefined` for beside the input. */
  refusedPath(check: Pick<CheckReport, 'format' | 'delimiter'>): string | undefined;
  /**
   * The line that goes on with the import, to paste.
   *
   * @param more flags that it gets besides, such as `--on-unknown skip`.
   */
  resumeCommand(more?: string): string | undefined;
  /** The line that imports another file to the same service in the same way. */
  importCommand(path: string): string;
  /** The line that lists what can be listed of the same service. */
  listCommand(): string;
  /** A path as people would type it here. */
  shown(path: string): string;
  /** Whether the journal stays, with the rows as they stand now, after a run that was or was not begun. */
  isKept(counts: ImportCounts, hasRun: boolean): boolean;
  /** Removes a journal that does not stay. To be called while it is still locked. */
  tidy(counts: ImportCounts, hasRun: boolean): void;
}

/** The input file, as the system finds it. */
export function inputPathOf(file: string, context: Context): string {
  return resolvePath(file, context);
}

/**
 * Decides where the journal is: beside the file, or where it was said. That of stdin, which has no place, and that of
 * the embedded mock, whose animals are gone with it, are in the state directory, as long as they are needed.
 */
export function locateImport(options: ImportOptions, session: Session): ImportLocation {
  const { context, global } = session;
  const { file } = options;
  const besideFile = file === '-' || global.mock ? undefined : `${file}.journal`;
  const journalName = options.journal ?? besideFile ?? hiddenJournal(context);
  const journal = resolvePath(journalName, context);
  refuseForeignLink(journal, journalName, context);
  const isHidden = dirname(journal) === resolvePath(hiddenFolder(context), context);
  const spool = `${journal}.input`;
  const isResumedSpool = inputPathOf(file, context) === spool;
  return {
    journal,
    journalName,
    refusedPath({ format, delimiter }) {
      if (file !== '-') return undefined;
      return resolvePath(`stdin.refused.${format === 'csv' && delimiter === '\t' ? 'tsv' : format}`, context);
    },
    resumeCommand(more) {
      if (global.mock) return undefined;
      const input = file === '-' ? `${journalName}.input` : operand(file);
      const ownJournal = file === '-' || options.journal !== undefined ? journalName : undefined;
      return commandLine('import', [
        ...[shellWord(input), '--resume'],
        ...flag('--journal', ownJournal),
        ...flagsOf(options, more, session),
      ]);
    },
    importCommand: (path) =>
      commandLine('import', [
        shellWord(operand(shownPath(path, context))),
        ...flagsOf(options, undefined, session),
      ]),
    listCommand: () => commandLine('list', ['--all', ...serviceFlags(session)]),
    shown: (path) => shownPath(path, context),
    isKept({ rows, left, unknown, inFlight, unsaved }, hasRun) {
      // One of which nothing was sent is worth nothing, and would only ask for --resume. But the rows of a stream may be
      // nowhere else, once they were about to be sent.
      if (left === rows && rows > 0) return isResumedSpool || (file === '-' && hasRun && !global.mock);
      const isFinished = left + unknown + inFlight + unsaved === 0;
      return !isHidden || !(isFinished || global.mock);
    },
    tidy(counts, hasRun) {
      if (this.isKept(counts, hasRun)) return;
      const own = file === '-' || (isResumedSpool && isHidden) ? [spool] : [];
      for (const path of [journal, `${journal}.lock`, ...own]) rmSync(path, { force: true });
    },
  };
}

function hiddenJournal(context: Context): string {
  const directory = hiddenFolder(context);
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new UsageError(
      `${directory} can't be written (${systemErrorCode(error)})`,
      'name a place with --journal',
      error,
    );
  }
  return join(directory, hiddenJournalName(context.clock.now(), randomUUID()));
}

function shownPath(path: string, { currentDirectory }: Context): string {
  if (currentDirectory === undefined) return path;
  const nearby = relative(currentDirectory, path);
  return nearby.startsWith('..') || isAbsolute(nearby) ? path : nearby;
}

/** A name that is not taken for a flag. */
function operand(path: string): string {
  return path.startsWith('-') ? `./${path}` : path;
}

function commandLine(verb: string, words: readonly string[]): string {
  return ['petstore', 'pets', verb, ...words].join(' ');
}

/** The flags that an import was given, without those of its journal. */
function flagsOf(
  { format, concurrency, onUnknown }: ImportOptions,
  more: string | undefined,
  session: Session,
): string[] {
  const { global } = session;
  return [
    ...flag('--format', format),
    ...flag('--concurrency', concurrency === undefined ? undefined : String(concurrency)),
    ...(more === undefined ? flag('--on-unknown', onUnknown === 'stop' ? undefined : onUnknown) : [more]),
    ...serviceFlags(session),
    ...(global.csvRaw ? ['--csv-raw'] : []),
    ...flag('--reserve', global.reservePercent === undefined ? undefined : String(global.reservePercent)),
    ...flag('--max-wait', secondsOf(global.waitMaxMs)),
    ...flag('--timeout', secondsOf(global.timeoutMs)),
    ...(global.retry ? [] : ['--no-retry']),
    ...(global.yes ? ['--yes'] : []),
  ];
}

/** Which service, and with which key: without these a line that is pasted would go elsewhere. */
function serviceFlags({ global }: Session): string[] {
  return [
    ...(global.mock ? ['--mock'] : []),
    ...flag('--profile', global.profile),
    ...flag('--base-url', global.baseUrl),
    ...(global.staging ? ['--staging'] : []),
  ];
}

function flag(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [name, shellWord(value)];
}

function secondsOf(durationMs: number | undefined): string | undefined {
  return durationMs === undefined ? undefined : `${String(durationMs / 1_000)}s`;
}
