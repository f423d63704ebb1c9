import type { CommandDeclaration } from '../command-line/plain-line.js';
import { pageOf } from './command-page.js';

/** A field name or a column. */
type Named = string | { field: string };

/** Sets the output fields of a command, for completion and the command tree. */
export function describeFields(
  command: CommandDeclaration,
  rows: readonly Named[],
  document: readonly Named[] = rows,
  lines: readonly Named[] = document,
): void {
  pageOf(command).fields = {
    rows: rows.map(nameOf),
    document: document.map(nameOf),
    ...(lines === document ? {} : { lines: lines.map(nameOf) }),
  };
}

function nameOf(named: Named): string {
  return typeof named === 'string' ? named : named.field;
}
