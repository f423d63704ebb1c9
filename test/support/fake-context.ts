import type { Clock } from '../../src/time/clock.js';
import {
  TransportFailure,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from '../../src/client/internal.js';
import { type Context, Interruption, type Prompter } from '../../src/cli/system/context.js';
import { type Keychain, KeychainAbsentError } from '../../src/cli/system/keychain.js';
import { runLine } from '../../src/cli/program/run-line.js';

/** A scripted response; an Error breaks the connection after the request was sent; `never` is no response. */
export type Scripted = { status?: number; headers?: Record<string, string>; body?: string } | Error | 'never';

/** What a test sets in the command's environment. */
export interface World {
  env?: Record<string, string>;
  /** Responses in order; the last one repeats. Or the response to the n-th request. Default: an empty list. */
  responses?: readonly Scripted[] | ((request: TransportRequest, count: number) => Scripted);
  stdin?: string;
  /** Which streams are terminals. Default: none. */
  terminals?: readonly ('stdin' | 'stdout' | 'stderr')[];
  columns?: number;
  currentDirectory?: string;
  platform?: string;
  nodeVersion?: string;
  runtime?: string;
  programPath?: string;
  prompter?: Prompter;
  /** Default: a keychain that is not available. */
  keychain?: Keychain;
  /** Called with the longest wait for each use of the keychain. */
  onKeychain?: (responseMs: number | undefined) => void;
  homeDirectory?: string;
  /** Default: the user who runs the tests. */
  userId?: number;
  signal?: AbortSignal;
  /** The user presses ^C when the n-th request, counted from 1, was sent. */
  interruptAt?: number;
  now?: number;
  /** Replaces the clock whose timers fire at once: they fire as often as the disk is slow. */
  clock?: Clock;
  /** Timers of at least this delay never fire; shorter ones fire at once. Default: 30,000. */
  endlessFromMs?: number;
  /** Timers of exactly this delay fire at once all the same. */
  endingMs?: number;
  /** Called when the n-th request, counted from 1, is sent. */
  onSend?: (count: number) => void;
  /** Called when a timer starts. */
  onTimer?: (delayMs: number) => void;
  /** Called with each text written to stderr. */
  onNote?: (text: string) => void;
}

/** The result of a command. */
export interface Outcome {
  exitCode: number;
  stdout: string;
  stderr: string;
  requests: TransportRequest[];
}

/** The key and address that scripted commands use. */
export const ENV = { PETSTORE_API_KEY: 'sk-secret', PETSTORE_BASE_URL: 'https://pets.test/v1' };

/** Runs a command line in this process against a scripted service. */
export async function runFake(line: string | readonly string[], world: World = {}): Promise<Outcome> {
  const fake = fakeContext(world);
  const argv = typeof line === 'string' ? line.split(' ').filter((word) => word !== '') : line;
  const exitCode = await runLine(argv, fake.context);
  return { exitCode, stdout: fake.stdout(), stderr: fake.stderr(), requests: fake.requests };
}

/** Creates a context with recorded streams and a scripted network. The client's waits take no time. */
export function fakeContext(world: World = {}): {
  context: Context;
  stdout: () => string;
  stderr: () => string;
  requests: TransportRequest[];
} {
  const written = { stdout: '', stderr: '' };
  const requests: TransportRequest[] = [];
  const terminals = world.terminals ?? [];
  const stopping = new AbortController();
  const onSend = (count: number): void => {
    world.onSend?.(count);
    if (count === world.interruptAt) setImmediate(() => stopping.abort(new Interruption(130)));
  };
  let now = world.now ?? Date.UTC(2026, 0, 2, 3, 4, 5);
  const stream = (name: 'stdout' | 'stderr') => ({
    isTTY: terminals.includes(name),
    columns: terminals.includes(name) ? (world.columns ?? 80) : undefined,
    write: (text: string) => {
      written[name] += text;
      if (name === 'stderr') world.onNote?.(text);
    },
  });
  const clock = world.clock ?? {
    now: () => now,
    monotonic: () => now,
    setTimeout(callback: () => void, delayMs: number) {
      world.onTimer?.(delayMs);
      // A wait ends at once and advances the time. The time limit of an attempt never fires.
      if (delayMs >= (world.endlessFromMs ?? 30_000) && delayMs !== world.endingMs) return () => undefined;
      const handle = setImmediate(() => {
        now += delayMs;
        callback();
      });
      return () => {
        clearImmediate(handle);
      };
    },
  };
  const context: Context = {
    // No test writes a budget to the disk unless it names a directory.
    // A path that no user can write to.
    env: { PETSTORE_GATE: 'memory', PETSTORE_STATE_DIR: '/dev/null/state', ...(world.env ?? ENV) },
    currentDirectory: world.currentDirectory ?? '/nowhere',
    homeDirectory: world.homeDirectory ?? '/dev/null/home',
    platform: world.platform ?? 'linux',
    nodeVersion: world.nodeVersion ?? 'v22.13.0',
    runtime: world.runtime ?? `Node ${world.nodeVersion ?? 'v22.13.0'}`,
    ...(world.programPath === undefined ? {} : { programPath: world.programPath }),
    processId: 4242,
    userId: world.userId ?? process.geteuid?.(),
    stdin: {
      isTTY: terminals.includes('stdin'),
      async *read() {
        yield Promise.resolve(new TextEncoder().encode(world.stdin ?? ''));
      },
    },
    stdout: stream('stdout'),
    stderr: stream('stderr'),
    clock,
    clientClock: clock,
    signal: world.signal ?? stopping.signal,
    network: () => Promise.resolve(scriptedTransport({ ...world, onSend }, requests)),
    keychain: (responseMs) => {
      world.onKeychain?.(responseMs);
      return Promise.resolve(world.keychain ?? absentKeychain);
    },
    prompter: () =>
      world.prompter === undefined
        ? Promise.reject(new Error('no user to prompt'))
        : Promise.resolve(world.prompter),
  };
  return { context, stdout: () => written.stdout, stderr: () => written.stderr, requests };
}

const absent = (): Promise<never> => Promise.reject(new KeychainAbsentError('not available here'));
const absentKeychain: Keychain = { check: absent, find: absent, save: absent, remove: absent };

function scriptedTransport(world: World, requests: TransportRequest[]): Transport {
  const responses = world.responses ?? [{ body: '[]' }];
  return {
    send(request) {
      const scripted =
        typeof responses === 'function'
          ? responses(request, requests.length + 1)
          : responses[Math.min(requests.length, responses.length - 1)]!;
      requests.push(request);
      world.onSend?.(requests.length);
      const answer = respond(scripted);
      return { response: answer, sent: true, abort: () => undefined };
    },
    close: () => Promise.resolve(),
  };
}

function respond(scripted: Scripted): Promise<TransportResponse> {
  if (scripted === 'never') return new Promise(() => undefined);
  if (scripted instanceof Error) return Promise.reject(new TransportFailure(scripted));
  return Promise.resolve(responseOf(scripted));
}

function responseOf({
  status = 200,
  headers = {},
  body = '',
}: Exclude<Scripted, Error | 'never'>): TransportResponse {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: new TextEncoder().encode(body),
    end: 'complete',
  };
}
