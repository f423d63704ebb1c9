import type { BulkError, CheckReport, RowFault } from '../../../../bulk/index.js';
import type { Session } from '../../../session/action.js';
import { toTerminalLine } from '../../../output/index.js';
import { suggest } from '../../../text/suggest.js';
import { MultilineError, UsageError } from '../../../errors/usage-error.js';
import type { ImportOptions } from './import-options.js';
import { type ImportLocation, inputPathOf } from './import-location.js';

/** Says why an import can't begin, and what helps. Nothing was sent. */
export function explainBulkError(
  error: BulkError,
  options: ImportOptions,
  place: ImportLocation | undefined,
  session: Session,
): UsageError {
  const { file } = options;
  const message = error.message.replaceAll(inputPathOf(file, session.context), file);
  const named = place === undefined ? message : message.replaceAll(place.journal, place.journalName);
  const hint = hintFor(error, options, place);
  if (error.reason === 'rows' && error.check !== undefined)
    return new MultilineError(faultLines(error.check, file), hint, error);
  return new UsageError(toTerminalLine(named), hint, error);
}

function hintFor(
  { reason: fault, line }: BulkError,
  { file }: ImportOptions,
  place: ImportLocation | undefined,
): string {
  const anew = 'name a journal of its own with --journal';
  switch (fault) {
    case 'unreadable':
      return 'check the path; - reads stdin';
    case 'rows':
      return 'correct them, and run it again: nothing was sent';
    case 'journal-in-use':
      return `wait until that one has ended, or ${anew}`;
    case 'journal-unfinished':
      return `go on with it: ${place?.resumeCommand() ?? '--resume'}`;
    case 'journal-damaged':
      return `${line === undefined ? '' : `look at line ${String(line)}; `}name another file with --journal`;
    case 'journal-of-other-service':
      return `to send the rows there as well, ${anew}`;
    case 'journal-unwritable':
      return 'name a place that can be written with --journal';
    case 'input-changed':
      return `put new rows into a file of their own; to send all of ${file} anew, ${anew}`;
  }
}

/** Every fault that was kept, one a line, as compilers and editors write places. */
function faultLines({ format, errors: faults, errorCount: faultCount }: CheckReport, file: string): string {
  const name = file === '-' ? 'stdin' : file;
  // Many rows of a list may stand in one line.
  const shown = faults.map((fault) => `  ${describeFault(fault, name, format === 'json')}`);
  const more = faultCount - faults.length;
  const rest = more > 0 ? [`  and ${String(more)} more`] : [];
  const count = faultCount === 1 ? 'one fault' : `${String(faultCount)} faults`;
  return [`${toTerminalLine(name)} has ${count}:`, ...shown, ...rest].join('\n');
}

function describeFault(
  { line, column, row, message, known, given }: RowFault,
  name: string,
  withRow: boolean,
): string {
  const place = column === undefined ? String(line) : `${String(line)}:${String(column)}`;
  const meant = known === undefined || given === undefined ? undefined : suggest(given, known);
  const question = meant === undefined ? '' : `; did you mean ${meant}?`;
  const subject = withRow && row !== undefined ? `row ${String(row)}: ` : '';
  return toTerminalLine(`${name}:${place}: ${subject}${message}${question}`);
}
