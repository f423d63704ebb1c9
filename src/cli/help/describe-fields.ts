import type { Command } from 'commander';
import { pageOf } from './command-page.js';

/** A field by its name, or a column of it. */
type Named = string | { field: string };

/** Notes what a command prints, for what is made of the commands: completion, and the tree for tools. */
export function describeFields(
  command: Command,
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
