// Shared by the benchmarks. Absolute times depend on the machine and its load, ratios less so. Therefore each candidate
// is measured in turn with a baseline, and the median of the ratios counts.
import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The certificate of `server.mjs https`, with its key. */
export const AUTHORITY_FILE = fileURLToPath(new URL('../test/integration/loopback.pem', import.meta.url));

/**
 * Measures all candidates in turn, round by round, and prints a row for each.
 *
 * @param {string} title what is measured, with the unit.
 * @param {{ name: string, measure: () => number | Promise<number>, bar?: number }[]} candidates the first is the baseline.
 * @param {{ rounds: number, better: 'less' | 'more' }} options `better` says whether a bar is a maximum (`less`) or a minimum (`more`).
 */
export async function compare(title, candidates, { rounds, better }) {
  const samples = candidates.map(() => []);
  for (const { measure } of candidates) await measure(); // fills the caches
  for (let round = 0; round < rounds; round += 1) {
    // In turn forwards and backwards, because each leaves garbage to the next.
    const order = [...candidates.entries()];
    if (round % 2 === 1) order.reverse();
    for (const [index, { measure }] of order) samples[index].push(await measure());
  }
  console.log(`\n${title}`);
  for (const [index, { name, bar }] of candidates.entries()) {
    const value = median(samples[index]);
    const ratio = median(samples[index].map((sample, round) => sample / samples[0][round]));
    const met = better === 'less' ? ratio <= bar : ratio >= bar;
    const figures = { value: Number(value.toFixed(value < 1_000 ? 1 : 0)), ratio: Number(ratio.toFixed(2)) };
    const goal = bar === undefined ? {} : { bar: `${better === 'less' ? '≤' : '≥'} ${bar}`, met };
    report({ title, name, ...figures, ...goal });
    const cells = [name.padEnd(44), value.toFixed(1).padStart(9), ratio.toFixed(2).padStart(7)];
    console.log(`  ${cells.join(' ')}${verdict(goal)}`);
  }
}

/**
 * Reports a row to `run.mjs`, which collects the results.
 *
 * @param {{ title: string, name: string, value: number | string, ratio?: number, bar?: string, met?: boolean }} row
 */
export function report(row) {
  if (row.met === false) process.exitCode = 1;
  process.send?.({ row });
}

/** The text after a row with a bar. */
export function verdict({ bar, met }) {
  return bar === undefined ? '' : `  ${bar} ${met ? 'ok' : 'MISSED'}`;
}

/** Runs Node, or another program, with these arguments and returns the duration of the whole process in milliseconds. */
export function processMs(args, env = {}, program = process.execPath) {
  const startedAt = process.hrtime.bigint();
  const { status, stderr } = spawnSync(program, args, {
    cwd: ROOT,
    env: cleanEnv(env),
    encoding: 'utf8',
  });
  const elapsedMs = Number(process.hrtime.bigint() - startedAt) / 1e6;
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  return elapsedMs;
}

/**
 * Starts a server in its own process, so that its time is not measured.
 *
 * @param {string[]} args a script in bench/ and its arguments. It sends `{ port }`, and its CPU time on request.
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
  const exited = new Promise((_, reject) => {
    child.once('exit', (code) => reject(new Error(`${args.join(' ')} ended with ${code}`)));
  });
  exited.catch(() => {}); // the caller of message() handles it
  const message = () => Promise.race([new Promise((resolve) => child.once('message', resolve)), exited]);
  const { port } = await message();
  return {
    baseUrl: `${args.includes('https') ? 'https' : 'http'}://127.0.0.1:${port}/v1`,
    async cpuMs() {
      child.send('cpu');
      return (await message()).cpuMs;
    },
    stop() {
      child.kill();
    },
  };
}

/** Runs `task` `count` times, `width` at once, and returns the rate per second. */
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
 * The environment without the variables that change start-up times. NODE_EXTRA_CA_CERTS nearly triples that of Node 20,
 * which would make every ratio look better than it is. Proxies are of no use on loopback.
 */
export function cleanEnv(extra = {}) {
  const removed = /^(NODE_|PETSTORE_|VITEST)|_PROXY$/i;
  const kept = Object.entries(process.env).filter(([name]) => !removed.test(name));
  return { ...Object.fromEntries(kept), ...extra };
}

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The 20 pets that every benchmark lists. */
export const PETS = Array.from({ length: 20 }, (_, index) => ({
  id: index + 1,
  name: `Pet ${index + 1}`,
  categoryId: 1 + (index % 5),
  status: ['available', 'pending', 'sold'][index % 3],
}));
