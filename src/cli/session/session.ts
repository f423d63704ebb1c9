import type { PetStore } from '../../client/internal.js';
import type { CommandTree } from '../command-line/command-tree.js';
import type { Settings } from '../settings/config/settings.js';
import type { Context, Prompter } from '../system/context.js';
import type { StatusLine } from '../status/status-line.js';
import type { GivenFlag } from '../command-line/flag.js';
import type { GlobalOptions } from '../command-line/global-options.js';
import type { Column, OutputFormat, View } from '../output/index.js';
import type { Recorder } from './recorder.js';
import type { Terminal } from '../output/rows/view.js';

/** The context of a command's action. Functions that the action calls accept only the parts that they need. */
export interface Session extends Output, Service, Prompts {
  readonly context: Context;
  readonly global: GlobalOptions;
  /** All flags of the line. */
  readonly given: readonly GivenFlag[];
  /** Reads the configuration files on first use. */
  readonly settings: Settings;
  /** Reads the configuration files again. @returns whether the selected profile has changed. */
  readSettingsAgain(): boolean;
  /** The whole command line as data. Loads the code of all commands. */
  commandTree(): Promise<CommandTree>;
  /** Annotates a negative result, such as a failed check, if annotations are requested. Replaces the exit code's own. */
  annotateFailure(title: string, reasons: readonly string[]): void;
  readonly hasAnnotatedFailure: boolean;
  /** Clears the terminal line and closes connections. */
  close(): Promise<void>;
}

/** Writes data to stdout, notes and warnings to stderr. */
export interface Output extends Notes {
  readonly terminal: Terminal;
  /** The format of the data. */
  readonly format: OutputFormat;
  /**
   * Formats data as text.
   *
   * @param format default: the format of the command.
   */
  render(view: View, format?: OutputFormat): Promise<string>;
  /**
   * Prints data on stdout.
   *
   * @param hintIfLost printed on stderr if the data can't be written.
   */
  print(view: View, hintIfLost?: string): Promise<void>;
  /** Shows on stderr what the command waits for. Requests, the keychain and stdin are shown without the command. */
  readonly status: StatusLine;
}

export interface Notes {
  /** Prints a line on stderr, except with --quiet. */
  note(text: string): void;
  /**
   * Says what was done, in one sentence: with a check mark on a terminal.
   *
   * @param isOnlyResult whether it is printed in a pipe too, because the command prints nothing else. Default: no.
   */
  confirm(sentence: string, isOnlyResult?: boolean): void;
  /**
   * Prints a note with the label "warning:", each text once.
   *
   * @param options.annotate whether the text is also a GitHub annotation; default true.
   * @param options.print whether the note is printed; default true. Without it, stdout has the text already.
   */
  warn(text: string, options?: { annotate?: boolean; print?: boolean }): void;
}

/** Access to the service. */
export interface Service {
  /**
   * The address of the service.
   *
   * @throws UsageError if none is configured.
   */
  readonly baseUrl: string;
  /** Records the requests with --dry-run or --curl. */
  readonly recorder: Recorder | undefined;
  /** The method of the last request with a successful response. */
  readonly respondedMethod: string | undefined;
  /**
   * Opens the client on first use.
   *
   * @throws UsageError if the output flags are invalid: checked before the first request.
   */
  client(adjust?: ClientAdjustments): Promise<PetStore>;
  /**
   * Accepts a profile that does not exist yet, and checks the output flags.
   *
   * @param fields the fields that the command prints.
   */
  allowNewProfile(fields: readonly string[]): Promise<void>;
}

export interface Prompts {
  /** Whether a person can answer a prompt. */
  readonly canPrompt: boolean;
  /** Loaded on first use. */
  prompter(): Promise<Prompter>;
}

/** Client options of one command. */
export interface ClientAdjustments {
  /** A single attempt, and no waiting except for requests of other commands. */
  once?: boolean;
  /** The fields or columns that the command prints, if they are known before the response. */
  fields?: readonly (string | Column)[];
  /** Whether to prompt before the key is sent to an address from a project file; otherwise that fails. @default true */
  mayPrompt?: boolean;
  /** The command sends nothing, so the address is not checked. */
  offline?: boolean;
  /** A key and an address that are not stored yet. They get a new client. */
  credentials?: { apiKey: string; baseUrl: string };
  /** The command sends many requests. */
  isBulk?: boolean;
}
