import { accessSync, constants, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Session } from '../../../session/session.js';
import { shellWord } from '../../../errors/shell-word.js';
import { followUp } from '../../../session/follow-up.js';
import { UsageError } from '../../../errors/usage-error.js';
import { REPEATED_FLAGS, type ImportLocation, inputPathOf, operand } from './import-location.js';

/** The permission of all users to write, which lets them replace a journal. */
const OTHERS_WRITE = 0o002;

/**
 * The hint of a first import that can't use its journal: a command with a journal next to the file, if the user named
 * another one, or in the home directory.
 *
 * @param isNoJournal whether the file at the path is no journal with a sent row.
 * @returns `undefined` with --resume or if a journal exists, because another one sends all rows again, or if no journal
 * can be there.
 */
export function journalHint(
  location: ImportLocation,
  { context }: Session,
  isNoJournal: boolean,
): string | undefined {
  const { file, journal: named, resume } = location.options;
  if (resume || (!isNoJournal && sizeOf(location.journal) > 0)) return undefined;
  const input = inputPathOf(file, context);
  // It may have the journal of an earlier import, which then counts.
  if (
    named !== undefined &&
    file !== '-' &&
    location.journal !== `${input}.journal` &&
    isPrivate(dirname(input))
  )
    return `To keep the journal next to the file, run: ${location.importCommand(input)}`;
  const journal = join(context.homeDirectory, `${file === '-' ? 'stdin' : basename(file)}.journal`);
  if (journal === location.journal || !isPrivate(dirname(journal))) return undefined;
  return `To keep the journal in your home directory, run: ${location.journalCommand(journal)}`;
}

/** The path of a journal for another service. It is the same each time, so that the command can be repeated. */
export function journalOfService({ journalName }: ImportLocation, service: string): string {
  const host = new URL(service).host.replaceAll(/[^\w.-]+/g, '-');
  return `${journalName.replace(/\.journal$/, '')}.${host}.journal`;
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}

function isPrivate(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return (statSync(folder).mode & OTHERS_WRITE) === 0;
  } catch {
    return false;
  }
}

/** A pipe of the shell, such as that of `<(command)`. Another command can't open it. */
const SHELL_PIPE = /^\/(?:dev|proc)\//;

/** @throws UsageError for a pipe: an import reads its rows twice, and needs a place for its journal. */
export function refusePipe(file: string, { context, given }: Session): void {
  if (!isPipe(inputPathOf(file, context))) return;
  const command = followUp(['pets', 'import', '-'], given, [...REPEATED_FLAGS, '--dry-run']);
  const hint = SHELL_PIPE.test(file)
    ? `Pipe the rows into stdin: COMMAND | ${command}`
    : `To read it as stdin, run: ${command} < ${shellWord(operand(file))}`;
  throw new UsageError(`${file} is a pipe, and an import reads its rows twice`, hint);
}

function isPipe(path: string): boolean {
  try {
    return statSync(path).isFIFO();
  } catch {
    // Opening the file reports why.
    return false;
  }
}
