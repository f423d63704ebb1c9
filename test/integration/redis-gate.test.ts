import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createPetStore } from '../../src/client/internal.js';
import type { RedisClient } from '../../src/client/gate/redis/redis-client.js';
import { createMock } from '../../src/mock/index.js';
import { type CompiledClient, compileClient } from '../support/compiled-client.js';
import { withRedis } from '../support/pacing/petstore.js';
import { deathScenario, steadyOverload } from '../support/pacing/scenarios.js';
import { simulate } from '../support/pacing/simulation.js';
import { IS_FULL } from '../support/random-runs.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { createVirtualClock, type VirtualClock } from '../support/virtual-clock.js';
import { redisPackage } from '../support/redis-package.js';
import { createDaemons, type Daemons } from './daemons.js';
import { whyNoRedis } from './programs.js';
import { startRedis } from './redis-server.js';
import { startWorker } from './redis-workers.js';

const WORKERS = 8;
const PRODUCT = { createPetStore, createMock };

describe.skipIf(whyNoRedis() !== undefined)('processes on one key with a Redis gate', () => {
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

  test.each([steadyOverload('free', WORKERS), deathScenario('free', WORKERS)])(
    'get no 429 and use up the minute limit: $name',
    async (scenario) => {
      const redis = await startRedis(daemons);
      const client = redisPackage.createClient({ url: redis.url });
      await client.connect();
      onTestFinished(() => void client.destroy());
      let running = 0;
      const clock = createVirtualClock(scenario.startAt, () => running > 0);
      const timed = onClock(client, clock, (by) => (running += by));
      const { rateLimited, bans, early, used } = await simulate(
        PRODUCT,
        scenario,
        withRedis(PRODUCT, timed),
        clock,
      );
      expect({ rateLimited, bans, early }).toEqual({
        rateLimited: { ours: 0, race: 0, uninformed: 0 },
        bans: 0,
        early: 0,
      });
      expect(used).toBeGreaterThanOrEqual(0.98);
    },
  );

  test(
    'share files while Redis hangs, or is down, and then Redis again (eight with PETSTORE_TEST_FULL=1)',
    { timeout: 120_000 },
    async () => {
      const redis = await startRedis(daemons);
      const mock = createMock({ plan: 'business' });
      const { baseUrl, close } = await mock.listen({ port: 0 });
      const settings = {
        entry: compiled.url,
        gate: redis.url,
        baseUrl,
        apiKey: mock.keys[0]!,
        stateDirectory: temporaryFolder(),
      };
      const workers = Array.from({ length: IS_FULL ? WORKERS : 3 }, () => startWorker(settings));
      onTestFinished(async () => {
        for (const worker of workers) worker.kill();
        await Promise.all(workers.map((worker) => worker.stop()));
        await close();
      });
      await Promise.all(workers.map(({ ready }) => ready));
      for (const worker of workers) worker.begin();
      /** Waits until each process has listed pets so many times more. */
      const eachLists = async (times: number): Promise<void> => {
        const wanted = workers.map(({ done }) => done + times);
        await eventually(() => workers.every(({ done }, index) => done >= wanted[index]!));
      };
      await eachLists(2);
      redis.hang();
      await eachLists(2);
      redis.wake();
      await eachLists(2);
      await redis.stop();
      await eachLists(2);
      await redis.start();
      // Redis restarted without data, and stores the budget again.
      await eventually(async () => (await redis.command('DBSIZE')) === ':1');
      await Promise.all(workers.map((worker) => worker.stop()));

      expect(workers.flatMap(({ failures }) => failures)).toEqual([]);
      const outage = [
        /^gate-degraded The shared rate limit failed \((?:redis:\/\/127\.0\.0\.1:\d+: |No response within)/,
        /^gate-restored The shared rate limit works again\.$/,
      ];
      for (const { warnings } of workers) {
        expect(warnings.length).toBeGreaterThan(0);
        for (const [index, warning] of warnings.entries()) expect(warning).toMatch(outage[index % 2]!);
      }
      expect(mock.journal.filter(({ status }) => status !== 200)).toEqual([]);
    },
  );
});

interface RunOptions {
  keys: string[];
  arguments: string[];
}

/** A client whose scripts return the time of a clock. Counts those that run. */
function onClock(
  client: Pick<ReturnType<typeof redisPackage.createClient>, 'eval' | 'evalSha'>,
  clock: VirtualClock,
  count: (by: 1 | -1) => void,
): RedisClient {
  const timed = async (script: Promise<unknown>): Promise<unknown> => {
    count(1);
    try {
      const reply = (await script) as unknown[];
      return reply.with(1, Math.floor(clock.now() / 1_000)).with(2, (clock.now() % 1_000) * 1_000);
    } finally {
      count(-1);
    }
  };
  return {
    evalSha: (digest: string, options: RunOptions) => timed(client.evalSha(digest, options)),
    eval: (script: string, options: RunOptions) => timed(client.eval(script, options)),
  };
}

/** Waits for a condition, until the test times out. */
async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
}
