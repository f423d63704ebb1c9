import { execFile } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { createDaemons } from '../integration/daemons.js';
import { whyNoRedis } from '../integration/programs.js';
import { type RedisServer, startRedis } from '../integration/redis-server.js';
import { createLimiter, type LimiterHeaders } from '../support/limiters/limiter.js';
import { ZOO } from '../support/limiters/zoo.js';
import { seededRandom } from '../support/random-runs.js';
import { ROOT } from '../support/source-tree.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const run = promisify(execFile);

/** The limiters at the versions of the stand-ins, and the frameworks that they run in. */
const PACKAGES = {
  'express-rate-limit': '8.7.5',
  '@fastify/rate-limit': '11.2.0',
  'koa-ratelimit': '6.0.0',
  'koa2-ratelimit': '1.1.3',
  'hono-rate-limiter': '0.5.4',
  'elysia-rate-limit': '4.6.3',
  '@nestjs/throttler': '6.7.1',
  'rate-limiter-flexible': '11.4.0',
  'hapi-rate-limit': '8.0.0',
  express: '5.3.0',
  fastify: '5.12.8',
  koa: '3.3.0',
  hono: '4.13.19',
  elysia: '1.4.30',
  '@nestjs/core': '12.5.1',
  '@nestjs/common': '12.5.1',
  '@nestjs/platform-express': '12.5.1',
  'reflect-metadata': '^0.2',
  rxjs: '^7',
  '@hapi/hapi': '21.4.10',
  '@upstash/ratelimit': '2.2.0',
  '@upstash/redis': '1.39.0',
  ioredis: '^5',
};

const QUOTA = { limit: 5, windowMs: 5_000 };
/** Not a whole second, so that rounding shows. */
const START_AT = 1_795_883_879_634;
/** Bursts around the ends of windows, a pause, and requests at random times. In milliseconds from the start. */
const TIMES = [
  ...[0, 0, 1, 1, 700, 700, 700, 3_100, 4_300, 4_998, 5_002, 5_003, 6_500, 9_000, 9_400, 9_800, 9_801],
  ...[10_300, 10_301, 10_302, 10_303, 10_304, 10_305, 10_306, 13_000, 15_200, 16_000, 24_000],
  ...randomTimes(60, 30_000),
];

/** Adds up pauses of up to two seconds, most of them short. */
function randomTimes(count: number, startMs: number): number[] {
  const random = seededRandom(7);
  let at = startMs;
  return Array.from({ length: count }, () => (at += Math.round(2_000 * random() ** 2)));
}

/** Compared if there is a redis-server. */
const WITH_REDIS = /^(?:koa-ratelimit, redis|@upstash)/;

interface Response {
  status: number;
  headers: LimiterHeaders;
}

// Installs packages from npm, so only `.ci/run` asks for it.
test.skipIf(!process.env.PETSTORE_TEST_PACKAGES)(
  'the stand-ins of limiters send what the packages send, at the same times (PETSTORE_TEST_PACKAGES is set)',
  { timeout: 300_000 },
  async () => {
    const manifest = { private: true, type: 'module', dependencies: PACKAGES };
    const cwd = temporaryFolder({ 'package.json': manifest });
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
    await run('npm', ['install', ...flags], { cwd });
    copyFileSync(join(ROOT, 'test/limiters/real-limiters.mjs'), join(cwd, 'real-limiters.mjs'));
    const redisUrl = whyNoRedis() === undefined ? (await startRedisOfTest()).url : undefined;
    const input = JSON.stringify({ ...QUOTA, startAt: START_AT, times: TIMES, redisUrl });
    const options = { cwd, maxBuffer: 64 * 1024 * 1024 };
    const { stdout } = await run(process.execPath, ['real-limiters.mjs', input], options);
    const real = JSON.parse(stdout) as Record<string, Response[]>;

    const compared = ZOO.filter(({ name, isCompared }) => isCompared || (redisUrl && WITH_REDIS.test(name)));
    expect(Object.keys(real).sort()).toEqual(compared.map(({ name }) => name).sort());
    for (const kind of compared) {
      const limiter = createLimiter(kind, QUOTA);
      const simulated = TIMES.map((at) => limiter.handle(START_AT + at));
      expect.soft(simulated.map(shown), kind.name).toEqual(real[kind.name]?.map(shown));
    }
  },
);

/** Starts a server that ends with the test. */
async function startRedisOfTest(): Promise<RedisServer> {
  const daemons = createDaemons();
  onTestFinished(() => daemons.close());
  return startRedis(daemons);
}

/** The status, and the headers of the limit. */
function shown({ status, headers }: Response, index: number): unknown {
  const limits = Object.entries(headers)
    .filter(([name]) => /ratelimit|retry-after/.test(name))
    .sort();
  return { at: TIMES[index], status, headers: Object.fromEntries(limits) };
}
