import { type ChildProcess, spawn } from 'node:child_process';

/** A process that lists pets over and over, its budget in a Redis, and what it said. */
export interface Worker {
  /** Resolves once all is loaded. */
  readonly ready: Promise<void>;
  /** Lets it begin. */
  begin(): void;
  readonly done: number;
  readonly failures: readonly string[];
  readonly warnings: readonly string[];
  /** Ends it without a chance to tidy up. */
  kill(): void;
  /** Lets it finish and resolves when it has ended. */
  stop(): Promise<void>;
}

/** What a worker works with. */
export interface WorkerSettings {
  /** The library's door. */
  door: string;
  gate: string;
  baseUrl: string;
  apiKey: string;
  /** Between two calls. */
  pauseMs: number;
}

/** The program. What it prints is a word and a text on each line. */
const PROGRAM = `
const { door, gate: url, baseUrl, apiKey, pauseMs } = JSON.parse(process.argv[1]);
const { createPetStore, redisGate } = await import(door);
const gate = redisGate({ url });
// Eight processes that load all that they need at once take their time.
await gate.open('not-a-budget').read();
const say = (...words) => console.log(words.join(' '));
const ending = new AbortController();
process.on('SIGTERM', () => ending.abort());
const store = createPetStore({
  apiKey,
  baseUrl,
  gate,
  retry: { waitMaxMs: 120_000 },
  onWarning: ({ code, message }) => say('warning', code, message),
});
say('ready');
await new Promise((resolve) => process.stdin.once('data', resolve));
process.stdin.destroy();
while (!ending.signal.aborted) {
  await store.pets.list({ limit: 1 }, { signal: ending.signal }).then(
    () => say('done'),
    (error) => ending.signal.aborted || say('failed', error.type, error.message),
  );
  await new Promise((resolve) => setTimeout(resolve, pauseMs));
}
await store.close();
`;

export function startWorker(settings: WorkerSettings): Worker {
  const args = ['--input-type=module', '--eval', PROGRAM, JSON.stringify(settings)];
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH },
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
  // What a process prints as it dies.
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => failures.push(chunk));
  // It may have been ended before.
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
