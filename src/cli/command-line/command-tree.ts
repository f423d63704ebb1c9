/**
 * The values that completion offers: fixed words, or a kind of value.
 *
 * - `fields`: fields of the command, separated by commas; `field`: one field, with a dash for descending
 */
export type ValueKind =
  | readonly string[]
  | 'fields'
  | 'field'
  | 'file'
  | 'profile'
  | 'pet-id'
  | 'domain'
  /** The host of a redirect entry. */
  | 'redirect'
  /** The value of the setting before it. */
  | 'setting-value';

/** All commands, flags and topics as plain JSON, for completion, man pages and tools. */
export interface CommandTree {
  name: 'petstore';
  version: string;
  /** Groups and commands. A command follows its group. */
  commands: CommandNode[];
  /** Flags of every command. */
  globalFlags: FlagNode[];
  environment: { name: string; summary: string }[];
  exitCodes: { code: number; name: string; summary: string }[];
  /** Names for domain commands with --mock. */
  mockDomains: { value: string; summary: string; isRedirect: boolean }[];
  /** Topics of `petstore help`. */
  topics: { name: string; summary: string }[];
}

/** A group or a command. */
export interface CommandNode {
  /** The words after the program's name, such as `['pets', 'list']`. */
  words: string[];
  /** Other names of its last word. */
  aliases?: readonly string[];
  summary: string;
  description: string;
  /** What follows the words in the usage line. */
  usage: string;
  /** Whether this is a group of commands. */
  isGroup: boolean;
  arguments: ArgumentNode[];
  flags: FlagNode[];
  /** Absent if the command prints no data, or if the fields depend on the response. */
  fields?: OutputFields;
  /** All formats of `--output`, if this command's differ. */
  formats?: readonly string[];
  /** Plain text with headings and bullets. */
  notes?: string;
  /** Whole command lines. */
  examples: string[];
}

export interface ArgumentNode {
  name: string;
  summary: string;
  required: boolean;
  variadic: boolean;
  /** The values that completion offers. */
  values?: ValueKind;
}

export interface FlagNode {
  /** The long name, with dashes. */
  long: string;
  /** Other long names, with dashes. */
  aliases?: readonly string[];
  short?: string;
  summary: string;
  /** The name of its value; absent for a flag without a value. */
  placeholder?: string;
  /** Whether the value can be omitted. */
  optional?: true;
  /** Whether it can be given several times. */
  repeatable?: true;
  /** The values that completion offers. */
  values?: ValueKind;
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
