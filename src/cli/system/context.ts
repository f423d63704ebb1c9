import type { Clock, Transport } from '../../client/index.js';
import { EXIT } from '../errors/exit-codes.js';
import type { Connection } from './connection.js';
import type { DnsServers } from './dns-servers.js';
import type { Keychain } from './keychain.js';

/** A stream that the program writes to. */
export interface OutputStream {
  readonly isTTY: boolean;
  /** Width of the terminal; `undefined` where it is none. */
  readonly columns: number | undefined;
  /** @param ifLost what to say on stderr where the text could not be written, though somebody was there to read it. */
  write(text: string, ifLost?: string): void;
}

/** The stream that the program reads from. */
export interface InputStream {
  readonly isTTY: boolean;
  /** Everything up to the end, as UTF-8. Rejects with the signal's reason when that comes first. */
  readAll(signal: AbortSignal): Promise<string>;
  /** Piece by piece up to the end, for what may be larger than the memory. Throws the signal's reason likewise. */
  read(signal: AbortSignal): AsyncIterable<Uint8Array>;
}

/** How the service is reached. */
export interface NetworkSettings {
  /** Absent for a direct connection. */
  proxyUrl?: string;
  /** Whom to trust besides the usual authorities: certificates in PEM. */
  authorities?: string;
  /** Called for each connection that a request uses. */
  onConnect?: (connection: Connection) => void;
}

/** Asks people. Every question rejects with an `Interruption` on ^C. */
export interface Prompter {
  /** Shows nothing of what is typed. */
  secret(question: string, check: (answer: string) => string | true): Promise<string>;
  text(question: string, check: (answer: string) => string | true): Promise<string>;
  /** Resolves with the value of the choice. */
  choose(question: string, choices: readonly { name: string; value: string }[]): Promise<string>;
}

/** Takes keys out of what is told to people. */
export interface KeyMask {
  /** From now on this one too. */
  add(key: string): void;
  apply(text: string): string;
}

/** Everything that the program takes from the process around it. A test hands in its own. */
export interface Context {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute; `undefined` where it has been deleted. */
  readonly currentDirectory: string | undefined;
  readonly homeDirectory: string;
  readonly platform: string;
  readonly nodeVersion: string;
  readonly processId: number;
  /** Of the user whose rights count; `undefined` on Windows, which has no such number. */
  readonly userId: number | undefined;
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Redacts keys: see `redactStderr`. */
  readonly keyMask?: KeyMask;
  readonly clock: Pick<Clock, 'now' | 'setTimeout'>;
  /** What the client counts its waits on. Default: the machine's own clock. */
  readonly clientClock?: Clock;
  /** Aborted, with an `Interruption` as its reason, when the process is asked to stop. */
  readonly signal: AbortSignal;
  /** What sends requests. Loaded only when one is sent. */
  network(way?: NetworkSettings): Promise<Transport>;
  /** The system's. Loaded only when a key is stored or looked for there. */
  keychain(): Promise<Keychain>;
  /** Loaded only by `petstore doctor`. */
  dnsServers(): Promise<DnsServers>;
  /** Loaded only when there is something to ask. */
  prompter(look: { color: boolean }): Promise<Prompter>;
}

/** `ok` for a reader that has gone, `failed` for a disk that is full, `hungUp` for a terminal. */
export type InterruptionCode = (typeof EXIT)['ok' | 'failed' | 'hungUp' | 'interrupted' | 'terminated'];

/** Why the process is to stop. */
export class Interruption extends Error {
  override readonly name = 'Interruption';
  /** What the process exits with. */
  readonly exitCode: InterruptionCode;

  constructor(exitCode: InterruptionCode) {
    super(exitCode === EXIT.ok ? 'the reader has gone' : 'interrupted');
    this.exitCode = exitCode;
  }
}

/** The value of an environment variable; empty counts as not set. */
export function variable(context: Pick<Context, 'env'>, name: string): string | undefined {
  const value = context.env[name];
  return value === '' ? undefined : value;
}
