import { isAbsolute, join } from 'node:path';
import { nodeHttpTransport } from '../../client/internal.js';
import { systemClock } from '../../time/clock.js';
import type { Context, InputStream, OutputStream } from './context.js';
import { currentDirectory, homeDirectory } from './process-directories.js';
import { createTrustingAgent, trustFirst, withNodeAuthorities } from './trust.js';

/** In the directory of the program (see tsup.config.ts). */
const KEYCHAIN_PROCESS = join(import.meta.dirname, 'keychain-main.cjs');

/** Creates the context from the real process. */
export function createProcessContext(host: NodeJS.Process, signal: AbortSignal): Context {
  const clock: Context['clock'] = { now: () => Date.now(), setTimeout: systemClock.setTimeout };
  return {
    env: host.env,
    currentDirectory: currentDirectory(host),
    homeDirectory: homeDirectory(),
    platform: host.platform,
    nodeVersion: host.version,
    runtime: runtimeOf(host.versions),
    processId: host.pid,
    // A single executable has its name there as it was typed.
    programPath: isAbsolute(host.argv[1] ?? '') ? String(host.argv[1]) : host.execPath,
    userId: host.geteuid?.(),
    stdin: inputStream(host),
    stdout: outputStream(host.stdout, host.stderr),
    stderr: outputStream(host.stderr, host.stderr),
    clock,
    signal,
    async network({ proxyUrl, authorities, isBulk = false } = {}) {
      if (proxyUrl === undefined && isBulk) {
        const ca = authorities === undefined ? undefined : withNodeAuthorities(authorities);
        return (await import('./bulk-transport.js')).undiciTransport(undefined, ca);
      }
      const trust = authorities === undefined ? undefined : trustFirst(authorities);
      if (proxyUrl !== undefined) {
        const { createTunnelAgent } = await import('./tunnel-agent.js');
        const proxy = new URL(proxyUrl);
        return nodeHttpTransport(undefined, (module, options) =>
          createTunnelAgent(module, proxy, trust, options),
        );
      }
      return nodeHttpTransport(undefined, (module, options) => createTrustingAgent(module, trust, options));
    },
    flushStdout: () =>
      new Promise((resolve) => {
        // The stream emits its error after this callback.
        host.stdout.write('', () => void setImmediate(resolve));
      }),
    watchReader() {
      const start = (): void => {
        // The watch is an extra: without it, the next write reports the closed pipe.
        startReaderWatch(host).catch(() => undefined);
      };
      setTimeout(start, READER_WATCH_DELAY_MS).unref();
    },
    optimizeForBulk() {
      // The client captures its caller for each call, which takes 5 % of an import's time.
      if (host.env.PETSTORE_DEBUG !== '1') Error.stackTraceLimit = 0;
      // V8 reads both flags at each collection; those with sizes only at the start. Without them, the young generation
      // grows to 32 MB in Node 20 and 128 MB in Node 24. The old one grows to four times of what is in use.
      const { setFlagsFromString, getHeapSpaceStatistics } = process.getBuiltinModule('node:v8');
      setFlagsFromString('--heap-growing-percent=40');
      // With their defaults, the compile cache stores this command, too.
      host.prependOnceListener('exit', () => {
        setFlagsFromString('--heap-growing-percent=0');
        setFlagsFromString('--semi-space-growth-factor=2');
      });
      const timer = setInterval(() => {
        const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
        if (young !== undefined && young.space_size < YOUNG_MIN_BYTES) return;
        setFlagsFromString('--semi-space-growth-factor=1');
        clearInterval(timer);
      }, YOUNG_POLL_MS).unref();
    },
    async keychain(responseMs) {
      const { createKeychain } = await import('./keychain.js');
      const { spawn } = process.getBuiltinModule('node:child_process');
      return createKeychain(
        () =>
          spawn(host.execPath, [KEYCHAIN_PROCESS], {
            env: withoutOwnVariables(host.env),
            stdio: ['pipe', 'pipe', 'ignore'],
          }),
        { clock, signal },
        responseMs,
      );
    },
    async prompter({ color }) {
      if (host.env.TERM === 'dumb') {
        const { createPlainPrompter } = await import('./plain-prompts.js');
        return createPlainPrompter(host.stdin, host.stderr, signal);
      }
      const { createPrompter } = await import('./prompts.js');
      return createPrompter(host.stderr, signal, color);
    },
  };
}

/** Whether a write failed because the reader has closed the pipe, as with `| head -1`. */
export function isClosedPipe({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EPIPE' || code === 'EOF';
}

/** Removes the variables of petstore: the keychain process must not receive the key. */
function withoutOwnVariables(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('PETSTORE_')));
}

/** Bun and Deno also have the version of a Node, which is not there. */
function runtimeOf({ node, bun, deno }: NodeJS.ProcessVersions): string {
  if (bun !== undefined) return `Bun ${bun}`;
  return deno === undefined ? `Node v${node}` : `Deno ${deno}`;
}

function outputStream(stream: NodeJS.WriteStream, stderr: NodeJS.WriteStream): OutputStream {
  return {
    isTTY: isTerminal(stream),
    get columns() {
      // A terminal that does not know its width reports 0.
      return isTerminal(stream) ? stream.columns || undefined : undefined;
    },
    write(text, hintIfLost) {
      if (hintIfLost === undefined) {
        try {
          stream.write(text);
        } catch (error) {
          // Deno throws what Node emits, such as that the disk is full.
          stream.emit('error', error);
        }
        return;
      }
      stream.write(text, (error?: NodeJS.ErrnoException | null) => {
        if (error === undefined || error === null || isClosedPipe(error)) return;
        // After the error message of the failed write.
        setImmediate(() => stderr.write(`hint: ${hintIfLost}\n`));
      });
    },
  };
}

/** Node opens stdin on first access, which takes time. Few commands read it. */
function inputStream(host: Pick<NodeJS.Process, 'stdin'>): InputStream {
  return {
    get isTTY() {
      return isTerminal(host.stdin);
    },
    read: (signal) => read(host.stdin, signal),
  };
}

/** `isTTY` is undefined if a stream is not a terminal, contrary to Node's types. */
function isTerminal({ isTTY = false }: { isTTY?: boolean }): boolean {
  return isTTY;
}

async function* read(stream: NodeJS.ReadStream, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const stop = (): void => {
    stream.destroy(signal.reason as Error);
  };
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    for await (const chunk of stream) yield chunk as Buffer;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Starting a process takes milliseconds, in which the mock could not respond to its first request. */
const READER_WATCH_DELAY_MS = 100;

/** With a smaller young generation, collections take 5 % more of an import's time. */
const YOUNG_MIN_BYTES = 8 * 2 ** 20;
const YOUNG_POLL_MS = 50;

async function startReaderWatch(host: NodeJS.Process): Promise<void> {
  const { watchReader } = await import('./reader-watch.js');
  const { spawn } = process.getBuiltinModule('node:child_process');
  const { fstatSync } = process.getBuiltinModule('node:fs');
  watchReader(
    {
      pid: host.pid,
      platform: host.platform,
      isPipe: () => fstatSync(1).isFIFO(),
      spawn: (command, args, options) =>
        spawn(command, args, { ...options, env: withoutOwnVariables(host.env) }),
      onExit: (callback) => void host.once('exit', callback),
    },
    () => host.stdout.emit('error', Object.assign(new Error('The reader is closed'), { code: 'EPIPE' })),
  );
}
