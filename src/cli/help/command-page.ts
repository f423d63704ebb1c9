/** Texts and fields of a command that commander does not store. Used by help, man pages, completion and the command tree. */
export interface CommandPage {
  /** Whole lines to type. */
  examples?: readonly string[];
  /** Text before the examples, as `wrapText` reads it. */
  notes?: string;
  /** Absent if the command prints no data, or if the fields depend on the response. */
  fields?: OutputFields;
}

/** The fields of a command's output, for --fields, --json and --sort. */
export interface OutputFields {
  /** Fields of a row in table, tsv and csv. */
  rows: readonly string[];
  /** Fields of the document, or of its list entries, in json, yaml and ndjson. */
  document: readonly string[];
  /** Fields of an ndjson line, if they differ. */
  lines?: readonly string[];
}

const PAGE = Symbol('page');

/** Returns the page of a command, to read or to change. */
export function pageOf(command: object): CommandPage {
  const commandWithPage = command as { [PAGE]?: CommandPage };
  return (commandWithPage[PAGE] ??= {});
}
