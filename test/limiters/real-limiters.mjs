// Sends requests to real limiters at virtual times, and prints their responses as JSON. Runs in a folder with the packages.
import { createRequire } from 'node:module';
import { createServer, request } from 'node:http';

const { limit, windowMs, startAt, times, redisUrl } = JSON.parse(process.argv[2]);
const require = createRequire(import.meta.url);
const redis = redisUrl === undefined ? undefined : new (require('ioredis').Redis)(redisUrl);

let now = startAt;
let sentCount = 0;
/** Pending virtual timers. */
const timers = new Set();
replaceClock();

/** Each creates a server with a limiter. Names are those of the stand-ins. */
const LIMITERS = {
  'express-rate-limit': () => express([{}]),
  'express-rate-limit, draft 6': () => express([{ legacyHeaders: false, standardHeaders: 'draft-6' }]),
  'express-rate-limit, draft 7': () => express([{ legacyHeaders: false, standardHeaders: 'draft-7' }]),
  'express-rate-limit, draft 8': () => express([{ legacyHeaders: false, standardHeaders: 'draft-8' }]),
  'express-rate-limit, minute then day': () => express([{}, DAY]),
  'express-rate-limit, day then minute': () => express([DAY, {}]),
  'express-rate-limit, draft 8, minute then day': () =>
    express([{}, DAY].map((options) => ({ legacyHeaders: false, standardHeaders: 'draft-8', ...options }))),
  '@fastify/rate-limit': () => fastify({}),
  '@fastify/rate-limit, continueExceeding': () => fastify({ continueExceeding: true }),
  '@fastify/rate-limit, exponentialBackoff': () => fastify({ exponentialBackoff: true }),
  'koa-ratelimit, memory': () =>
    koa(require('koa-ratelimit')({ driver: 'memory', db: new Map(), max: limit, duration: windowMs })),
  'koa2-ratelimit': () =>
    koa(require('koa2-ratelimit').RateLimit.middleware({ interval: windowMs, max: limit })),
  'hono-rate-limiter': hono,
  'elysia-rate-limit': elysia,
  '@nestjs/throttler': () => nest([{ limit, ttl: windowMs }]),
  '@nestjs/throttler, two throttlers': () =>
    nest([
      { name: 'short', limit, ttl: windowMs },
      { name: 'long', limit: DAY.limit, ttl: DAY.windowMs },
    ]),
  'rate-limiter-flexible': () => flexible({}, (reset) => Math.ceil(reset / 1000)),
  'rate-limiter-flexible, reset as a date': () => flexible({}, (reset) => new Date(reset)),
  'rate-limiter-flexible, blockDuration': () =>
    flexible({ blockDuration: (2 * windowMs) / 1000 }, (reset) => Math.ceil(reset / 1000)),
  'hapi-rate-limit': hapi,
  ...(redis && {
    'koa-ratelimit, redis': () =>
      koa(require('koa-ratelimit')({ driver: 'redis', db: redis, max: limit, duration: windowMs })),
    '@upstash/ratelimit, fixedWindow': () => upstash('fixedWindow', limit, `${windowMs} ms`),
    '@upstash/ratelimit, slidingWindow': () => upstash('slidingWindow', limit, `${windowMs} ms`),
    '@upstash/ratelimit, tokenBucket': () => upstash('tokenBucket', limit, `${windowMs} ms`, limit),
  }),
};
const DAY = { limit: Math.floor((limit * 50) / 3), windowMs: 1440 * windowMs };

const results = {};
for (const [name, create] of Object.entries(LIMITERS)) {
  now = startAt;
  sentCount = 0;
  const send = await create();
  results[name] = [];
  for (const at of times) {
    advance(startAt + at);
    results[name].push(await send());
    sentCount += 1;
  }
}
process.stdout.write(JSON.stringify(results), () => process.exit());

async function express(limiters) {
  const { default: createApp } = await import('express');
  const { rateLimit } = await import('express-rate-limit');
  const app = createApp();
  for (const options of limiters) app.use(rateLimit({ limit, windowMs, ...options }));
  app.get('/', (_request, response) => response.json([]));
  return listen(app);
}

async function fastify(options) {
  const app = require('fastify')();
  await app.register(require('@fastify/rate-limit'), { max: limit, timeWindow: windowMs, ...options });
  app.get('/', () => []);
  await app.ready();
  return async () => plain(await app.inject('/'));
}

function koa(limiter) {
  const Koa = require('koa');
  const app = new Koa();
  app.use(limiter);
  app.use((context) => (context.body = []));
  return listen(app.callback());
}

async function hono() {
  const { Hono } = await import('hono');
  const { rateLimiter } = await import('hono-rate-limiter');
  const app = new Hono();
  app.use(rateLimiter({ limit, windowMs, keyGenerator: () => 'key' }));
  app.get('/', (context) => context.json([]));
  return async () => plainWeb(await app.request('/'));
}

async function elysia() {
  const { Elysia } = await import('elysia');
  const { rateLimit } = await import('elysia-rate-limit');
  const app = new Elysia({ aot: false });
  app.use(rateLimit({ max: limit, duration: windowMs, generator: () => 'key' })).get('/', () => []);
  return async () => plainWeb(await app.handle(new Request('http://localhost/')));
}

async function nest(throttlers) {
  require('reflect-metadata');
  const { Controller, Get, Module } = require('@nestjs/common');
  const { APP_GUARD, NestFactory } = require('@nestjs/core');
  const { ThrottlerGuard, ThrottlerModule } = require('@nestjs/throttler');
  class Pets {
    list() {
      return [];
    }
  }
  Get()(Pets.prototype, 'list', Object.getOwnPropertyDescriptor(Pets.prototype, 'list'));
  Controller()(Pets);
  class App {}
  Module({
    imports: [ThrottlerModule.forRoot(throttlers)],
    controllers: [Pets],
    providers: [{ provide: APP_GUARD, useClass: ThrottlerGuard }],
  })(App);
  const app = await NestFactory.create(App, { logger: false });
  await app.init();
  return listen(app.getHttpAdapter().getInstance());
}

/** The header object of the documentation, and a 429 if the promise is rejected. */
function flexible(options, resetOf) {
  const { RateLimiterMemory } = require('rate-limiter-flexible');
  const limiter = new RateLimiterMemory({ points: limit, duration: windowMs / 1000, ...options });
  return async () => {
    const [status, result] = await limiter.consume('key').then(
      (consumed) => [200, consumed],
      (rejected) => [429, rejected],
    );
    const headers = {
      'Retry-After': result.msBeforeNext / 1000,
      'X-RateLimit-Limit': limit,
      'X-RateLimit-Remaining': result.remainingPoints,
      'X-RateLimit-Reset': resetOf(Date.now() + result.msBeforeNext),
    };
    const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
    return { status, headers: Object.fromEntries(entries) };
  };
}

async function hapi() {
  const server = require('@hapi/hapi').server();
  const options = { userLimit: limit, userCache: { expiresIn: windowMs }, pathLimit: false };
  await server.register({ plugin: require('hapi-rate-limit'), options });
  server.route({ method: 'GET', path: '/', handler: () => [] });
  await server.initialize();
  return async () => plain(await server.inject('/'));
}

/** The numbers of the package as headers, as its documentation has them. Redis 7.0 rejects the flag of its scripts. */
function upstash(algorithm, ...settings) {
  const { Ratelimit } = require('@upstash/ratelimit');
  const database = {
    evalsha: () => Promise.reject(new Error('NOSCRIPT')),
    eval: (script, keys, args) => redis.eval(script.replace(/^#!.*/, ''), keys.length, ...keys, ...args),
  };
  const limiter = new Ratelimit({
    redis: database,
    limiter: Ratelimit[algorithm](...settings),
    prefix: algorithm,
  });
  return async () => {
    const result = await limiter.limit('key');
    const headers = {
      'x-ratelimit-limit': result.limit,
      'x-ratelimit-remaining': result.remaining,
      'x-ratelimit-reset': result.reset,
    };
    const entries = Object.entries(headers).map(([name, value]) => [name, String(value)]);
    return { status: result.success ? 200 : 429, headers: Object.fromEntries(entries) };
  };
}

/** Serves requests over loopback. Sends each on a connection of its own. */
async function listen(handler) {
  const server = createServer(handler);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  return () =>
    new Promise((resolve, reject) => {
      request({ port, host: '127.0.0.1', agent: false }, (response) => {
        response.resume().on('end', () => resolve(plain(response)));
      })
        .on('error', reject)
        .end();
    });
}

function plain({ statusCode, headers }) {
  const entries = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return { status: statusCode, headers: Object.fromEntries(entries) };
}

function plainWeb({ status, headers }) {
  return { status, headers: Object.fromEntries(headers) };
}

/** Replaces `Date`, `process.hrtime` and long timers. Short timers belong to the frameworks and stay real. */
function replaceClock() {
  const RealDate = Date;
  globalThis.Date = class extends RealDate {
    constructor(...args) {
      super(...(args.length === 0 ? [now] : args));
    }
    static now() {
      return now;
    }
  };
  const hrtime = (since) => {
    const seconds = Math.floor(now / 1000);
    const nanoseconds = Math.round((now % 1000) * 1e6);
    if (since === undefined) return [seconds, nanoseconds];
    const passed = (seconds - since[0]) * 1e9 + nanoseconds - since[1];
    return [Math.floor(passed / 1e9), passed % 1e9];
  };
  // A microsecond later for each request: koa-ratelimit's redis stores the times of requests in a set.
  const bigint = () => BigInt(Math.round(now * 1e6) + 1000 * sentCount);
  process.hrtime = Object.assign(hrtime, { bigint });
  const { setTimeout: startReal, clearTimeout: clearReal } = globalThis;
  globalThis.setTimeout = (callback, delayMs = 0, ...args) =>
    delayMs < 1000 ? startReal(callback, delayMs, ...args) : addTimer(() => callback(...args), delayMs);
  globalThis.setInterval = (callback, delayMs, ...args) =>
    addTimer(() => callback(...args), delayMs, delayMs);
  globalThis.clearTimeout = (timer) => (timers.has(timer) ? timers.delete(timer) : clearReal(timer));
  globalThis.clearInterval = globalThis.clearTimeout;
}

function addTimer(callback, delayMs, everyMs) {
  const timer = { at: now + delayMs, callback, everyMs, unref: () => timer, ref: () => timer };
  timers.add(timer);
  return timer;
}

/** Moves the clock, and fires the timers that are due. */
function advance(until) {
  for (;;) {
    const [due] = [...timers].filter(({ at }) => at <= until).sort((one, other) => one.at - other.at);
    if (due === undefined) break;
    now = Math.max(now, due.at);
    if (due.everyMs === undefined) timers.delete(due);
    else due.at += due.everyMs;
    due.callback();
  }
  now = until;
}
