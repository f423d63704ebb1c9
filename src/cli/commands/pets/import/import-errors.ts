import { dirname } from 'node:path';
import { type BulkError, type CheckReport, KEEP_JOURNAL, type RowError } from '../../../../bulk/internal.js';
import type { Session } from '../../../session/session.js';
import { followUp } from '../../../session/follow-up.js';
import { toTerminalLine } from '../../../output/index.js';
import { shellWord } from '../../../errors/shell-word.js';
import { suggest } from '../../../../options/suggest.js';
import { CommandFailure, type FilePlace, type HintLines } from '../../../errors/command-failure.js';
import { EXIT } from '../../../errors/exit-codes.js';
import { MultilineError, UsageError } from '../../../errors/usage-error.js';
import { type ImportLocation, inputPathOf, operand } from './import-location.js';
import { journalHint, journalOfService } from './journal-elsewhere.js';

type ErrorList = Pick<CheckReport, 'format' | 'errors' | 'errorCount'>;

/** Maximum number of errors on stderr. */
const ERRORS_SHOWN = 20;
/** Maximum number of errors in the data of --dry-run, so that a file of wrong rows does not fill the memory. */
export const ERRORS_MAX = 100_000;
/** The flags of this import that decide what is an error. */
const READING_FLAGS = ['--format', '--ignore-columns', '--csv-raw'];

/** Explains why an import can't start. Nothing was sent. */
export function explainBulkError(
  error: BulkError,
  location: ImportLocation,
  session: Session,
): CommandFailure {
  const { file } = location.options;
  const hint = hintFor(error, location, session);
  if (error.reason === 'rows' && error.check !== undefined) {
    const { check } = error;
    const oneObject = oneObjectHint(check, file, session);
    const allErrors = check.errorCount > ERRORS_SHOWN ? [allErrorsHint(check, file, session)] : [];
    const hints = [String(hint), ...oneObject, ...allErrors];
    return new MultilineError(listErrors(check, file), hints, error, placesOf(check, file));
  }
  const { reason } = error;
  const message = error.message.replaceAll(inputPathOf(file, session.context), file);
  const isJournal = reason !== 'unreadable' && reason !== 'too-large';
  const named = isJournal ? message.replaceAll(location.journal, location.journalName) : message;
  if (reason !== 'disk-full' && reason !== 'lock-lost')
    return new UsageError(toTerminalLine(named), hint, error);
  return new CommandFailure(`${toTerminalLine(named)}; nothing was sent`, {
    type: reason,
    exitCode: EXIT.failed,
    hint,
    cause: error,
  });
}

/** The remedy of the error, with a command line where there is one. */
function hintFor(
  { reason, remedy, isNoJournal = false, check, journals = [] }: BulkError,
  location: ImportLocation,
  session: Session,
): HintLines {
  const { file, resume } = location.options;
  if (isNoJournal && !resume && reason !== 'journal-folder-exposed')
    return journalHint(location, session, true) ?? 'Pass another path with --journal.';
  switch (reason) {
    case 'unreadable':
      return `${remedy} Use - to read stdin.`;
    case 'rows':
      return `${fixHint(check, file)}${columnHint(check)}Nothing was sent.`;
    case 'lock-lost': {
      // Without --resume: the other import may have ended before it had a journal. If it has one, the command says so.
      const again = location.resumeCommand(undefined, false);
      return again === undefined ? remedy : `${remedy} Then run: ${again}`;
    }
    case 'journal-unfinished': {
      const command = location.resumeCommand();
      return command === undefined ? 'Pass --resume to continue it.' : `To resume, run: ${command}`;
    }
    case 'journal-empty':
      return resume ? `${remedy} After removing it, run the command without --resume.` : remedy;
    case 'rows-done': {
      const command = location.resumeCommand();
      return file === '-' || command === undefined
        ? `To send only the other rows, pass --resume. ${KEEP_JOURNAL}`
        : [`To send only the other rows, run: ${command}`, KEEP_JOURNAL];
    }
    case 'rows-elsewhere':
      return [
        ...journals.map((path) => `To resume that import, run: ${location.otherResumeCommand(path)}`),
        KEEP_JOURNAL,
      ];
    case 'journal-of-other-service':
      return [
        // No command: the journal may come from somewhere else, and its address would receive the key.
        'To resume at the service of the journal, pass its address with --base-url.',
        `If yours is another service, this journal has sent it no rows. To send all rows, run: ${location.journalCommand(
          journalOfService(location, session.baseUrl),
        )}`,
      ];
    case 'journal-exposed':
      return exposedHint(`chmod 600 ${shellWord(location.journalName)}`);
    case 'journal-folder-exposed':
      return (
        journalHint(location, session, false) ??
        exposedHint(`chmod o-w ${shellWord(dirname(location.journal))}`)
      );
    case 'journal-unwritable':
      return journalHint(location, session, false) ?? remedy;
    default:
      return remedy;
  }
}

function allErrorsHint({ errorCount }: CheckReport, file: string, { given }: Session): string {
  const count = errorCount > ERRORS_MAX ? `the first ${String(ERRORS_MAX)}` : 'all';
  const input = file === '-' ? file : operand(file);
  const words = ['pets', 'import', input, '--dry-run', '--query', 'errors', '-o', 'csv'];
  return `To list ${count} errors, run: ${followUp(words, given, READING_FLAGS)}`;
}

/** For annotations. Text of stdin is in no file. */
export function placesOf({ errors, format }: ErrorList, file: string): FilePlace[] {
  if (file === '-') return [];
  return errors.slice(0, ERRORS_SHOWN).map((error) => {
    const { line, column } = error;
    return { file, line, column, message: describeRowError(error, file, format === 'json') };
  });
}

/** Empty if ids are the only problem: without them, the rows would become new pets. */
function fixHint(check: CheckReport | undefined, file: string): string {
  const errors = check?.errors.slice(0, ERRORS_SHOWN) ?? [];
  if (
    errors.length > 0 &&
    errors.every(({ isUnknownField, field }) => isUnknownField === true && field === 'id')
  )
    return '';
  const known = [...new Set(errors.map(({ hint }) => hint))].filter((hint) => hint !== undefined);
  const areRows = errors.every(({ row }) => row !== undefined);
  const isExplained = errors.length > 0 && errors.every(({ hint }) => hint !== undefined);
  const fix = `Fix ${areRows ? 'these rows' : file === '-' ? 'the input' : 'the file'}, then run the command again.`;
  return `${[...known, ...(isExplained ? [] : [fix])].join(' ')} `;
}

function oneObjectHint({ errors }: CheckReport, file: string, { given }: Session): readonly string[] {
  if (!errors.some(({ isOneObject }) => isOneObject === true)) return [];
  const words = ['pets', 'create', '-f', file === '-' ? file : operand(file)];
  return [`If it is one pet, run: ${followUp(words, given)}`];
}

/** Not for a row that lacks a field: without the unknown one, it is still no pet. */
function columnHint(check: CheckReport | undefined): string {
  const errors = check?.errors ?? [];
  const incomplete = new Set(
    errors
      .filter(
        (error) => error.isUnknownField !== true && error.row !== undefined && error.column === undefined,
      )
      .map(({ row }) => row),
  );
  const unknown = errors.filter(
    ({ isUnknownField, row }) => isUnknownField === true && (row === undefined || !incomplete.has(row)),
  );
  if (unknown.some(({ field }) => field === 'id'))
    return 'To create a new pet for each row, pass --ignore-columns. ';
  // Without either one, --ignore-columns would send the other.
  if (unknown.some(({ field }) => field === 'category')) return 'Remove one of the two. ';
  return unknown.length > 0 ? 'To ignore unknown columns, pass --ignore-columns. ' : '';
}

/** On some file systems, such as those of Windows under WSL, `chmod` has no effect. */
function exposedHint(command: string): HintLines {
  return [
    `If only you have changed it, run: ${command}`,
    'Otherwise move it to a folder that only you can write, and pass it with --journal.',
  ];
}

/** Lists the first errors, one per line, with positions in the format of compilers. */
export function listErrors({ format, errors, errorCount }: ErrorList, file: string): string {
  const name = file === '-' ? 'stdin' : file;
  // One line of JSON can have many rows.
  const shown = errors
    .slice(0, ERRORS_SHOWN)
    .map((error) => `  ${describeRowError(error, name, format === 'json')}`);
  const more = errorCount - shown.length;
  const rest = more > 0 ? [`  and ${String(more)} more`] : [];
  const count = errorCount === 1 ? '1 error' : `${String(errorCount)} errors`;
  return [`${toTerminalLine(name)} has ${count}:`, ...shown, ...rest].join('\n');
}

function describeRowError(
  { line, column, row, message, known, given, isUnknownField }: RowError,
  name: string,
  showsRow: boolean,
): string {
  const position = column === undefined ? String(line) : `${String(line)}:${String(column)}`;
  const meant = known === undefined || given === undefined ? undefined : suggest(given, known);
  const list = isUnknownField === true && known !== undefined ? `; known: ${known.join(', ')}` : '';
  const question = meant === undefined ? list : `; did you mean "${meant}"?`;
  const subject = showsRow && row !== undefined ? `row ${String(row)}: ` : '';
  return toTerminalLine(`${name}:${position}: ${subject}${message}${question}`);
}
