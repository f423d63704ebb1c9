import { type ChildProcess, spawn } from 'node:child_process';

/** A process that lists pets in a loop, with its budget in Redis. */
export interface Worker {
  /** Resolves when the process is ready to start. */
  readonly ready: Promise<void>;
  /** Starts the loop. */
  begin(): void;
  readonly done: number;
  readonly failures: readonly string[];
  readonly warnings: readonly string[];
  /** Kills the process. */
  kill(): void;
  /** Ends the loop. Resolves when the process has ended. */
  stop(): Promise<void>;
}

export interface WorkerSettings {
  /** URL of the library's entry point. */
  entry: string;
  gate: string;
  baseUrl: string;
  apiKey: string;
  /** The processes share it while Redis fails. */
  stateDirectory: string;
}

/** The program. Prints lines of an event name and a text. */
const PROGRAM = `
const { entry, gate: url, baseUrl, apiKey } = JSON.parse(process.argv[1]);
const { createPetStore, redisGate } = await import(entry);
const gate = redisGate({ url });
// Loading everything takes long if eight processes start at once.
await gate.open('not-a-budget').read();
const print = (...words) => console.log(words.join(' '));
const ending = new AbortController();
process.on('SIGTERM', () => ending.abort());
// A client looks for Redis again after at most 12 s. Here the waits take a quarter of their time.
const clock = {
  now: Date.now,
  monotonic: () => 4 * performance.now(),
  setTimeout: (callback, ms) => {
    const timer = setTimeout(callback, Math.min(ms / 4, 2 ** 30));
    return () => clearTimeout(timer);
  },
};
const store = createPetStore({
  clock,
  apiKey,
  baseUrl,
  gate,
  onWarning: ({ code, message }) => print('warning', code, message),
});
print('ready');
await new Promise((resolve) => process.stdin.once('data', resolve));
process.stdin.destroy();
while (!ending.signal.aborted) {
  await store.pets.list({ limit: 1 }, { signal: ending.signal }).then(
    () => print('done'),
    (error) => ending.signal.aborted || print('failed', error.type, error.message),
  );
  await new Promise((resolve) => setTimeout(resolve, 100));
}
await store.close();
`;

export function startWorker(settings: WorkerSettings): Worker {
  const args = ['--input-type=module', '--eval', PROGRAM, JSON.stringify(settings)];
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, PETSTORE_STATE_DIR: settings.stateDirectory },
    stdio: 'pipe',
  });
  const ended = endOf(child);
  const failures: string[] = [];
  const warnings: string[] = [];
  let done = 0;
  let partial = '';
  let onReady = (): void => undefined;
  const ready = new Promise<void>((resolve) => (onReady = resolve));
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (partial + chunk).split('\n');
    partial = lines.pop() ?? '';
    for (const line of lines) {
      const [, word, text = ''] = /^(\w+) ?(.*)$/.exec(line) ?? [];
      if (word === 'ready') onReady();
      else if (word === 'done') done += 1;
      else if (word === 'warning') warnings.push(text);
      else failures.push(text);
    }
  });
  // Output of a crash.
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => failures.push(chunk));
  // The process may have ended already.
  child.stdin.on('error', () => undefined);
  return {
    ready,
    begin: () => void child.stdin.write('\n'),
    get done() {
      return done;
    },
    failures,
    warnings,
    kill: () => void child.kill('SIGKILL'),
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function endOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => child.once('close', () => resolve()));
}
