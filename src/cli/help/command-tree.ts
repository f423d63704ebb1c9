import type { OutputFields } from './command-page.js';

/**
 * What a value may be: one of these words, or something that is looked up when it is asked for. `fields` are several of
 * the command's with commas between them; `field` is one, which a dash turns round. An object has the words by the
 * argument before.
 */
export type ValueKind =
  | readonly string[]
  | { readonly after: Readonly<Record<string, readonly string[]>> }
  | 'fields'
  | 'field'
  | 'file'
  | 'profile'
  | 'pet-id'
  | 'domain';

/** The whole command line as data: for completion, man pages and tools. Plain JSON. */
export interface CommandTree {
  name: 'petstore';
  version: string;
  /** Groups and commands, each after the one that it is in. */
  commands: CommandNode[];
  /** Flags that every command takes. */
  globalFlags: FlagNode[];
  environment: { name: string; summary: string }[];
  exitCodes: { code: number; name: string; summary: string }[];
  /** Topics of `petstore help`. */
  topics: { name: string; summary: string }[];
}

/** A group or a command. */
export interface CommandNode {
  /** What is typed after the program's name, such as `['pets', 'list']`. */
  words: string[];
  summary: string;
  description: string;
  /** What follows the words, as the help shows it. */
  usage: string;
  /** Whether it only holds others. */
  isGroup: boolean;
  arguments: ArgumentNode[];
  flags: FlagNode[];
  /** What it prints; absent where that is no data, or only the answer tells what it has. */
  fields?: OutputFields;
  /** What else there is to say of it: plain text of 80 columns. */
  notes?: string;
  /** Whole lines to type. */
  examples: string[];
}

export interface ArgumentNode {
  name: string;
  summary: string;
  required: boolean;
  variadic: boolean;
  /** What it may be, where that is known. */
  values?: ValueKind;
}

export interface FlagNode {
  /** With its dashes. */
  long: string;
  short?: string;
  summary: string;
  /** What its value is called; absent where it takes none. */
  placeholder?: string;
  /** Whether the value may be left out. */
  optional?: true;
  /** What the value may be, where that is known. */
  values?: ValueKind;
}
