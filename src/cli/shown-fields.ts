import type { Command } from 'commander';

/** The fields of what a command prints: what --fields, --json and --sort may name. */
export interface ShownFields {
  /** Of a row of table, tsv and csv. */
  rows: readonly string[];
  /** Of the document, or the entries of its list: json, yaml and ndjson. */
  document: readonly string[];
  /** Of a line of ndjson, where that is something else. */
  lines?: readonly string[];
}

/** A field by its name, or a column of it. */
type Named = string | { field: string };

const shown = new WeakMap<Command, ShownFields>();

/** Notes what a command prints, for what is made of the commands: completion, and the tree for tools. */
export function tellFields(
  command: Command,
  rows: readonly Named[],
  document: readonly Named[] = rows,
  lines: readonly Named[] = document,
): void {
  shown.set(command, {
    rows: rows.map(nameOf),
    document: document.map(nameOf),
    ...(lines === document ? {} : { lines: lines.map(nameOf) }),
  });
}

/** What a command prints; nothing where it prints no data, or only the answer tells what it has. */
export function fieldsOf(command: Command): ShownFields | undefined {
  return shown.get(command);
}

function nameOf(named: Named): string {
  return typeof named === 'string' ? named : named.field;
}
