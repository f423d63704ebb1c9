// What the benchmarks share. Absolute times depend on the machine and on its mood; ratios taken in one run do not, so
// everything is measured against a baseline: in pairs, in turn, and by the median.
import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * Measures all candidates in turn, round by round, and prints a row for each.
 *
 * @param {string} title what is measured, and in which unit.
 * @param {{ name: string, measure: () => number | Promise<number>, bar?: number }[]} candidates the first is the baseline.
 * @param {{ rounds: number, better: 'less' | 'more' }} options `better` tells whether a bar is a ceiling or a floor.
 */
export async function compare(title, candidates, { rounds, better }) {
  const samples = candidates.map(() => []);
  for (const { measure } of candidates) await measure(); // warms caches, of files and of code
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, { measure }] of candidates.entries()) samples[index].push(await measure());
  }
  console.log(`\n${title}`);
  for (const [index, { name, bar }] of candidates.entries()) {
    const value = median(samples[index]);
    const ratio = median(samples[index].map((sample, round) => sample / samples[0][round]));
    const met = better === 'less' ? ratio <= bar : ratio >= bar;
    if (bar !== undefined && !met) process.exitCode = 1;
    const verdict =
      bar === undefined ? '' : `  ${better === 'less' ? '<=' : '>='} ${bar} ${met ? 'ok' : 'MISSED'}`;
    console.log(
      `  ${name.padEnd(44)} ${value.toFixed(1).padStart(9)} ${ratio.toFixed(2).padStart(7)}${verdict}`,
    );
  }
}

/** Runs this Node with these arguments and returns how long the whole process took, in milliseconds. */
export function processMs(args, env = {}) {
  const startedAt = process.hrtime.bigint();
  const { status, stderr } = spawnSync(process.execPath, args, {
    cwd: ROOT,
    env: cleanEnv(env),
    encoding: 'utf8',
  });
  const elapsedMs = Number(process.hrtime.bigint() - startedAt) / 1e6;
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  return elapsedMs;
}

/**
 * Starts a server as a process of its own, so that it takes no time from what is measured.
 *
 * @param {string[]} args a script below bench/, and its arguments; it sends `{ port }`, then its CPU time when asked.
 */
export async function startServer(...args) {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL(args[0], import.meta.url)), ...args.slice(1)],
    {
      env: cleanEnv(),
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    },
  );
  const gone = new Promise((_, reject) => {
    child.once('exit', (code) => reject(new Error(`${args.join(' ')} ended with ${code}`)));
  });
  gone.catch(() => {}); // told to whoever waits for an answer, and to nobody else
  const answer = () => Promise.race([new Promise((resolve) => child.once('message', resolve)), gone]);
  const { port } = await answer();
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    async cpuMs() {
      child.send('cpu');
      return (await answer()).cpuMs;
    },
    stop() {
      child.kill();
    },
  };
}

/** Runs `task` `count` times, `width` at a time, and returns the rate per second. */
export async function throughput(task, { count, width }) {
  let left = count;
  const worker = async () => {
    while (left-- > 0) await task();
  };
  const startedAt = process.hrtime.bigint();
  await Promise.all(Array.from({ length: width }, worker));
  return (count * 1e9) / Number(process.hrtime.bigint() - startedAt);
}

/**
 * The environment without what would skew a start: a set NODE_EXTRA_CA_CERTS alone nearly triples that of Node 20, and
 * makes every ratio to it look better than it is.
 */
export function cleanEnv(extra = {}) {
  const kept = Object.entries(process.env).filter(([name]) => !/^(NODE_|PETSTORE_|VITEST)/.test(name));
  return { ...Object.fromEntries(kept), ...extra };
}

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The 20 animals that every benchmark lists. */
export const PETS = Array.from({ length: 20 }, (_, index) => ({
  id: index + 1,
  name: `Animal ${index + 1}`,
  categoryId: 1 + (index % 5),
  status: ['available', 'pending', 'sold'][index % 3],
}));
