import type { Command } from 'commander';

/** What a command tells of itself besides what the parser knows: for man pages, completion and the tree for tools. */
export interface CommandPage {
  /** Whole lines to type. */
  examples?: readonly string[];
  /** What its page says before its examples, in lines as they stand there. */
  notes?: string;
  /** What it prints; absent where it prints no data, or only the answer tells what it has. */
  fields?: OutputFields;
}

/** The fields of what a command prints: what --fields, --json and --sort may name. */
export interface OutputFields {
  /** Of a row of table, tsv and csv. */
  rows: readonly string[];
  /** Of the document, or the entries of its list: json, yaml and ndjson. */
  document: readonly string[];
  /** Of a line of ndjson, where that is something else. */
  lines?: readonly string[];
}

const PAGE = Symbol('page');

/** The page of a command, to read and to write. It hangs on the command and lives as long. */
export function pageOf(command: Command): CommandPage {
  // The parser's own class has no room for it.
  const bearer = command as Command & { [PAGE]?: CommandPage };
  return (bearer[PAGE] ??= {});
}
