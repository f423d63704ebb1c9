import type { Clock, Transport } from '../../client/internal.js';
import { EXIT } from '../errors/exit-codes.js';
import type { Keychain } from './keychain.js';

/** A stream that the program writes to. */
export interface OutputStream {
  readonly isTTY: boolean;
  /** Width of the terminal; `undefined` if it is not a terminal. */
  readonly columns: number | undefined;
  /** @param hintIfLost printed on stderr if the text can't be written, except for a closed pipe. */
  write(text: string, hintIfLost?: string): void;
}

/** Returns the stream with another `write`. */
export function withWrite(stream: OutputStream, write: OutputStream['write']): OutputStream {
  return {
    isTTY: stream.isTTY,
    // Read each time, because it changes.
    get columns() {
      return stream.columns;
    },
    write,
  };
}

/** The stream that the program reads from. */
export interface InputStream {
  readonly isTTY: boolean;
  /** Reads chunks to the end. Throws the reason of the signal. */
  read(signal: AbortSignal): AsyncIterable<Uint8Array>;
}

export interface NetworkSettings {
  /** Missing for a direct connection. */
  proxyUrl?: string;
  /** Additional certificate authorities, as PEM text. */
  authorities?: string;
  /** Whether many requests follow: they are faster then, and the first one is slower. Not with a proxy. */
  isBulk?: boolean | undefined;
}

/** Prompts the user. Every prompt rejects with an `Interruption` on ^C. */
export interface Prompter {
  /** Does not show the typed text. */
  secret(question: string, check: (answer: string) => string | true): Promise<string>;
  text(question: string, check: (answer: string) => string | true): Promise<string>;
  /** Resolves with the value of the choice. */
  choose(question: string, choices: readonly { name: string; value: string }[]): Promise<string>;
}

/** Redacts keys in text for people. */
export interface KeyMask {
  /** Adds a key to redact. */
  add(key: string): void;
  apply(text: string): string;
  /** Splits a text at each known key; at one of fewer than 8 characters where it is a whole value. */
  split(text: string): readonly string[];
}

/** The parts of the process that the program uses. Tests pass fakes. */
export interface Context {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute; `undefined` if it has been deleted. */
  readonly currentDirectory: string | undefined;
  readonly homeDirectory: string;
  readonly platform: string;
  readonly nodeVersion: string;
  /** The runtime with its version, such as `Node v22.13.0` or `Bun 1.4.4`. */
  readonly runtime: string;
  readonly processId: number;
  /** The file that was started. */
  readonly programPath?: string;
  /** The effective user id; `undefined` on Windows. */
  readonly userId: number | undefined;
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Redacts keys: see `redactStderr`. */
  readonly keyMask?: KeyMask;
  readonly clock: Pick<Clock, 'now' | 'setTimeout'>;
  /** The clock of the client's waits. @default the clock of the machine */
  readonly clientClock?: Clock;
  /** Aborted with an `Interruption` when the process is to stop. */
  readonly signal: AbortSignal;
  /** Creates the HTTP transport. Loaded on first use. */
  network(settings?: NetworkSettings): Promise<Transport>;
  /** Resolves when all text for stdout is written, or has failed and aborted the signal. */
  flushStdout?(): Promise<void>;
  /** Aborts the signal when the reader of stdout closes the pipe, without waiting for a write. Linux only. */
  watchReader?(): void;
  /** Keeps the memory small and calls fast from now on. For commands that make many calls and keep little. */
  optimizeForBulk?(): void;
  /**
   * The keychain of the system. Loaded on first use.
   *
   * @param responseMs the longest wait for a response. @default 3,000
   */
  keychain(responseMs?: number): Promise<Keychain>;
  /** Loaded for the first prompt. */
  prompter(look: { color: boolean }): Promise<Prompter>;
}

/** `ok` if the reader of stdout has closed it, `failed` for a full disk, `hungUp` for a closed terminal. */
export type InterruptionCode = (typeof EXIT)['ok' | 'failed' | 'hungUp' | 'interrupted' | 'terminated'];

/** The reason why the process stops. */
export class Interruption extends Error {
  override readonly name = 'Interruption';
  readonly exitCode: InterruptionCode;
  /** Called before a second signal ends the process at once. Must write synchronously. */
  onRepeated?: () => void;

  constructor(exitCode: InterruptionCode) {
    super(exitCode === EXIT.ok ? 'stdout was closed' : 'interrupted');
    this.exitCode = exitCode;
  }
}

/** The exit code of a command that stopped for this reason. */
export function exitCodeOf(reason: unknown): number {
  return reason instanceof Interruption ? reason.exitCode : EXIT.failed;
}

/** The value of an environment variable; empty counts as not set. */
export function variable(context: Pick<Context, 'env'>, name: string): string | undefined {
  const value = context.env[name];
  return value === '' ? undefined : value;
}

/** Whether a value is in quotes. Files of variables, such as those of `docker --env-file`, keep quotes as part of a value. */
export function isInQuotes(value: string): boolean {
  return /^(["']).*\1$/s.test(value) && value.length > 1;
}
