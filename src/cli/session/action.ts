import type { Command } from 'commander';
import type { PetStore } from '../../client/index.js';
import type { CommandTree } from '../help/command-tree.js';
import type { Settings } from '../config/settings.js';
import type { Context, Prompter } from '../system/context.js';
import type { LiveLine } from '../progress/countdown.js';
import type { GlobalOptions } from '../command-line/global-options.js';
import type { OutputFormat, View } from '../output/index.js';
import type { Recorder } from './recorder.js';
import type { Terminal } from '../output/terminal.js';

/** What a command's action works with: the settings in force and the ways in and out. */
export interface Session {
  readonly context: Context;
  readonly global: GlobalOptions;
  /** Reads the configuration files when first asked for. */
  readonly settings: Settings;
  /**
   * Reads them for a profile that need not be there yet, and looks at all that is known to be wrong with the output.
   *
   * @param fields those that will be printed.
   */
  allowNewProfile(fields: readonly string[]): Promise<void>;
  readonly terminal: Terminal;
  /** The format that data is printed in. */
  readonly format: OutputFormat;
  /** Whether a person can be asked. */
  readonly canPrompt: boolean;
  /** What asks. Loaded when first asked for. */
  prompter(): Promise<Prompter>;
  /** The requests held back by --dry-run or --curl. */
  readonly recorder: Recorder | undefined;
  /** The method of the last request that the service carried out. */
  readonly respondedMethod: string | undefined;
  /**
   * Opens the client when first asked for.
   *
   * @throws UsageError for everything that is known to be wrong with the output: once something is sent it is too late.
   */
  client(adjust?: ClientAdjustments): Promise<PetStore>;
  /** Opens a client with another key than the one in force, at another address: to try the two before they are stored. */
  clientFor(credentials: { apiKey: string; baseUrl: string }): Promise<PetStore>;
  /** The address of the service in use. @throws UsageError where nothing names one. */
  readonly baseUrl: string;
  /** The whole command line as data. Loads the code of all commands. */
  commandTree(): Promise<CommandTree>;
  /** Data as text, in the format in force or another one. */
  render(view: View, format?: OutputFormat): Promise<string>;
  /**
   * Prints data on stdout.
   *
   * @param ifLost what to say where it can't be written.
   */
  print(view: View, ifLost?: string): Promise<void>;
  /** Tells people something on stderr; not with --quiet. */
  note(text: string): void;
  /** The same, marked as a warning. Each text once. */
  warn(text: string): void;
  /** Shows a line of the command's own in place of the count-down. */
  showLiveLine(line: LiveLine): void;
  /** Takes down what is on the terminal and lets connections go. */
  close(): Promise<void>;
}

/** What one command wants otherwise than the flags say. */
export interface ClientAdjustments {
  /** A single attempt and no waiting. */
  once?: boolean;
  /** The fields that it prints, where those are known before the answer is. */
  fields?: readonly string[];
  /** Whether a person may be asked if the key may go where a project file says; else that fails. Default true. */
  mayPrompt?: boolean;
  /** Nothing will be sent, so that it does not matter where to. */
  offline?: boolean;
  /** The longest wait for the rate limit where --max-wait does not say. */
  waitMaxMs?: number;
}

/** An action: typed options in, output through the session. A number is the exit code; nothing means 0. */
export type Action<Options> = (options: Options, session: Session) => Promise<number | undefined>;

/** Ties typed options to the action that takes them: what a registration is handed. */
export type Bind = <Options>(action: Action<Options>, options: Options) => Promise<void>;

/** What a command module exports: it tells the parser its flags and what to do. */
export type Register = (program: Command, bind: Bind) => void;
