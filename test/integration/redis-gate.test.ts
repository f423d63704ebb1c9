import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createMock, type JournalEntry, type Mock } from '../../src/mock/index.js';
import { type CompiledClient, compileClient } from '../support/compiled-client.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { createDaemons, type Daemons } from './daemons.js';
import { whyNoRedis } from './programs.js';
import { type RedisServer, startRedis } from './redis-server.js';
import { startWorker, type Worker } from './redis-workers.js';

const MINUTE_MS = 60_000;
/** Minute limit of the Free plan. */
const LIMIT = 60;
const WORKERS = 8;

describe.skipIf(whyNoRedis() !== undefined)('eight processes on one key with a Redis gate', () => {
  let daemons: Daemons;
  let compiled: CompiledClient;
  beforeAll(async () => {
    daemons = createDaemons();
    compiled = await compileClient();
  });
  // Undefined if the server could not be started.
  afterAll(async () => {
    await (daemons as Daemons | undefined)?.close();
    await compiled.remove();
  });

  /** Starts a service with so much time left in its minute, and eight processes that list its pets. */
  const setUp = async (
    redis: RedisServer,
    { minuteLeftMs, pauseMs }: { minuteLeftMs: number; pauseMs: number },
  ): Promise<{ mock: Mock; workers: Worker[] }> => {
    let aheadMs = 0;
    const mock = createMock({ plan: 'free', clock: { now: () => Date.now() + aheadMs } });
    const { baseUrl, close } = await mock.listen({ port: 0 });
    const settings = {
      entry: compiled.url,
      gate: redis.url,
      baseUrl,
      apiKey: mock.keys[0]!,
      pauseMs,
      stateDirectory: temporaryFolder(),
    };
    const workers = Array.from({ length: WORKERS }, () => startWorker(settings));
    onTestFinished(async () => {
      for (const worker of workers) worker.kill();
      await Promise.all(workers.map((worker) => worker.stop()));
      await close();
    });
    await Promise.all(workers.map(({ ready }) => ready));
    aheadMs = 2 * MINUTE_MS - minuteLeftMs - (Date.now() % MINUTE_MS);
    for (const worker of workers) worker.begin();
    return { mock, workers };
  };

  test('get no 429 and use up the minute limit, even if some are killed', { timeout: 90_000 }, async () => {
    const redis = await startRedis(daemons);
    const { mock, workers } = await setUp(redis, { minuteLeftMs: 15_000, pauseMs: 0 });
    const killed = workers.slice(0, 2);
    const left = workers.slice(2);
    await eventually(() => sum(workers) >= LIMIT / 3);
    for (const worker of killed) worker.kill();
    // The requests of a killed process count as in flight until their leases expire, in the next minute too. At most
    // half of the remaining requests may be in flight.
    const usable = LIMIT - 2 * killed.length;
    await eventually(() => windowsOf(mock).length === 2 && windowsOf(mock)[1]!.length >= usable);
    await Promise.all(left.map((worker) => worker.stop()));

    expect(statuses(mock)).toEqual({ 200: mock.journal.length });
    const [first, second] = windowsOf(mock) as [JournalEntry[], JournalEntry[]];
    expect(first.length).toBeGreaterThanOrEqual(usable);
    expect(second.length).toBeGreaterThanOrEqual(usable);
    expect(left.flatMap(({ failures, warnings }) => [...failures, ...warnings])).toEqual([]);
    for (const worker of left) expect(worker.done).toBeGreaterThan(0);
  });

  test(
    'share files while Redis hangs or is down, get no 429, and share Redis again afterwards',
    { timeout: 120_000 },
    async () => {
      const redis = await startRedis(daemons);
      const { mock, workers } = await setUp(redis, { minuteLeftMs: 30_000, pauseMs: 1_500 });
      const requests = (): number => mock.journal.length;
      await eventually(() => requests() >= 12);
      redis.hang();
      const whileHung = requests();
      await eventually(() => requests() >= whileHung + WORKERS);
      redis.wake();
      await eventually(() => requests() >= whileHung + 2 * WORKERS);
      await redis.stop();
      const down = requests();
      await eventually(() => requests() >= Math.max(LIMIT, down + 2 * WORKERS));
      await redis.start();
      // Redis restarted without data, and stores the budget again.
      await eventually(async () => (await redis.command('DBSIZE')) === ':1');
      await Promise.all(workers.map((worker) => worker.stop()));

      expect(workers.flatMap(({ failures }) => failures)).toEqual([]);
      for (const { warnings } of workers) {
        const outage = [
          expect.stringMatching(/^gate-degraded The shared rate limit failed \(redis:\/\/127\.0\.0\.1:\d+: /),
          'gate-restored The shared rate limit works again.',
        ];
        // The last outage may still last for a worker that made no call since.
        expect([...outage, ...outage].slice(0, warnings.length)).toEqual(warnings);
        expect(warnings.length).toBeGreaterThan(0);
      }
      expect(statuses(mock)).toEqual({ 200: mock.journal.length });
    },
  );
});

function sum(workers: readonly Worker[]): number {
  return workers.reduce((total, { done }) => total + done, 0);
}

/** Groups the requests by minute. */
function windowsOf(mock: Mock): JournalEntry[][] {
  const windows = new Map<number, JournalEntry[]>();
  for (const entry of mock.journal) {
    const minute = Math.floor(entry.at.getTime() / MINUTE_MS);
    windows.set(minute, [...(windows.get(minute) ?? []), entry]);
  }
  return [...windows.values()];
}

/** Counts the responses by status. */
function statuses(mock: Mock): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status = 0 } of mock.journal) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Waits for a condition, until the test times out. */
async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
}
