import {
  blockingLog,
  type Count,
  type Counter,
  fixedWindow,
  leakyBucket,
  type Quota,
  refilledBucket,
  requestRate,
  slidingLog,
  weightedWindows,
  wholeTokenBucket,
} from './counters.js';
import {
  DRAFTS,
  type HeaderForm,
  noHeaders,
  onRejection,
  RETRY,
  withRetryAfter,
  xHeaders,
} from './header-forms.js';
import type { LimiterHeaders, LimiterKind } from './limiter.js';

const TEXT = 'text/plain; charset=utf-8';
const HTML = 'text/html; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Limiters that services really use, as observed on 28 November 2026 with Node.js 20.20.2 on Debian 12. With
 * `PETSTORE_TEST_PACKAGES=1`, test/limiters/real-limiters.test.ts compares them with the packages of these versions, and
 * test/limiters/real-servers.test.ts with the servers of Debian.
 * `documented` stands for a form that was not run, but read in the documentation of the software.
 */
export const ZOO: readonly LimiterKind[] = [
  kind('express-rate-limit', '8.7.5', fixedWindow, withRetryAfter(xHeaders('epochSeconds'), 'up')),
  kind('express-rate-limit, draft 6', '8.7.5', fixedWindow, withRetryAfter(DRAFTS[6], 'up')),
  kind('express-rate-limit, draft 7', '8.7.5', fixedWindow, withRetryAfter(DRAFTS[7], 'up')),
  kind('express-rate-limit, draft 8', '8.7.5', fixedWindow, withRetryAfter(DRAFTS[8], 'up')),
  twoLimits('express-rate-limit, minute then day', (quota) => [quota, dayQuota(quota)]),
  twoLimits('express-rate-limit, day then minute', (quota) => [dayQuota(quota), quota]),
  twoLimits('express-rate-limit, draft 8, minute then day', (quota) => [quota, dayQuota(quota)], DRAFTS[8]),

  fastify('@fastify/rate-limit'),
  fastify('@fastify/rate-limit, continueExceeding', (quota) => fixedWindow(quota, { onRejected: 'restart' })),
  fastify('@fastify/rate-limit, exponentialBackoff', (quota) => fixedWindow(quota, { onRejected: 'double' })),

  {
    ...kind(
      'koa-ratelimit, memory',
      '6.0.0',
      (quota) => fixedWindow(quota, { includesEnd: true }),
      withRetryAfter(xHeaders('epochFraction'), 'down'),
    ),
    rejection: tooMany(TEXT, 'Rate limit exceeded, retry in 4 seconds.'),
  },
  {
    ...kind(
      'koa-ratelimit, redis',
      '6.0.0',
      slidingLog,
      withRetryAfter(xHeaders('epochSecondsDown'), 'downFromSeconds'),
    ),
    isCompared: false,
    rejection: tooMany(TEXT, 'Rate limit exceeded, retry in 4 seconds.'),
  },
  {
    ...kind('koa2-ratelimit', '1.1.3', fixedWindow, withRetryAfter(xHeaders('epochSeconds'), 'constant')),
    rejection: tooMany(JSON_TYPE, '{"message":"Too many requests, please try again later."}'),
  },

  {
    ...kind('hono-rate-limiter', '0.5.4', fixedWindow, withRetryAfter(DRAFTS[6], 'up')),
    rejection: tooMany(TEXT),
  },
  {
    ...kind('elysia-rate-limit', '4.6.3', fixedWindow, withRetryAfter(withoutPolicy(DRAFTS[6]), 'up')),
    rejection: tooMany(TEXT, 'rate-limit reached'),
  },

  nest('@nestjs/throttler', (quota) => [{ quota, suffix: '' }]),
  nest('@nestjs/throttler, two throttlers', (quota) => [
    { quota, suffix: '-short' },
    { quota: dayQuota(quota), suffix: '-long' },
  ]),

  flexible('rate-limiter-flexible', 'epochSeconds'),
  flexible('rate-limiter-flexible, reset as a date', 'dateText'),
  flexible('rate-limiter-flexible, blockDuration', 'epochSeconds', (quota) =>
    fixedWindow(quota, { blockMs: 2 * quota.windowMs }),
  ),

  upstash('@upstash/ratelimit, fixedWindow', (quota) => fixedWindow(quota, { isAligned: true })),
  upstash('@upstash/ratelimit, slidingWindow', weightedWindows),
  upstash('@upstash/ratelimit, tokenBucket', refilledBucket),

  {
    ...kind('hapi-rate-limit', '8.0.0', (quota) => fixedWindow(quota, { remainingBelow: -1 }), hapiHeaders),
    rejection: tooMany(
      JSON_TYPE,
      '{"statusCode":429,"error":"Too Many Requests","message":"Rate limit exceeded"}',
    ),
  },

  nginx('nginx limit_req', noHeaders),
  nginx('nginx limit_req, Retry-After', withRetryAfter(noHeaders, 'constant')),
  nginx('nginx limit_req, queue', noHeaders, (quota) => leakyBucket(quota, true)),
  haproxy('HAProxy deny', 'nothing', onRejection({ 'cache-control': 'no-cache' })),
  haproxy('HAProxy return', 'wait', withRetryAfter(noHeaders, 'constant')),
  {
    ...kind('Varnish vsthrottle', '7.1.1', wholeTokenBucket, onRejection({ 'retry-after': '5' })),
    isCompared: false,
    shows: 'wait',
    rejection: tooMany(HTML, '<!DOCTYPE html><html><body><h1>Error 429 Too Many Requests</h1></body></html>'),
  },

  {
    ...kind(
      'Envoy ratelimit',
      'documented',
      (quota) => fixedWindow(quota, { isAligned: true }),
      envoyHeaders,
    ),
    isCompared: false,
    rejection: tooMany(TEXT, ''),
  },
];

/** The longer of two limits, in the ratio of the Free plan: 60 per minute and 1,000 per day. */
function dayQuota({ limit, windowMs }: Quota): Quota {
  return { limit: Math.floor((limit * 50) / 3), windowMs: 1_440 * windowMs };
}

type MakeCounter = (quota: Quota) => Counter;

/** A limiter with one limit, by default with the message of express-rate-limit. */
function kind(name: string, version: string, counter: MakeCounter, headers: HeaderForm): LimiterKind {
  return {
    name,
    version,
    isCompared: true,
    shows: 'window',
    stages: (quota) => [{ quota, counter: counter(quota), headers }],
    rejection: tooMany(HTML),
  };
}

function tooMany(
  type: string,
  body = 'Too many requests, please try again later.',
): LimiterKind['rejection'] {
  return { status: 429, type, body };
}

/** express-rate-limit twice: a 200 shows the limiter that ran last, a 429 the one that rejected. Draft 8 shows both. */
function twoLimits(
  name: string,
  quotas: (quota: Quota) => readonly Quota[],
  form = xHeaders('epochSeconds'),
): LimiterKind {
  const headers = withRetryAfter(form, 'up');
  return {
    ...kind(name, '8.7.5', fixedWindow, headers),
    stages: (given) => quotas(given).map((quota) => ({ quota, counter: fixedWindow(quota), headers })),
  };
}

function fastify(name: string, counter: MakeCounter = fixedWindow): LimiterKind {
  const body =
    '{"statusCode":429,"error":"Too Many Requests","message":"Rate limit exceeded, retry in 5 seconds"}';
  return {
    ...kind(name, '11.2.0', counter, withRetryAfter(xHeaders('seconds'), 'up')),
    rejection: tooMany(JSON_TYPE, body),
  };
}

/** Nest: a 429 has no header but `Retry-After`, and each name of a throttler is a suffix, also there. */
function nest(
  name: string,
  throttlers: (quota: Quota) => readonly { quota: Quota; suffix: string }[],
): LimiterKind {
  const form =
    (suffix: string): HeaderForm =>
    (count, now, quota) =>
      count.isAllowed
        ? withSuffix(xHeaders('seconds')(count, now, quota), suffix)
        : { [`retry-after${suffix}`]: RETRY.up(count, now, quota) };
  return {
    ...kind(name, '6.7.1', blockingLog, noHeaders),
    stages: (given) =>
      throttlers(given).map(({ quota, suffix }) => ({
        quota,
        counter: blockingLog(quota),
        headers: form(suffix),
      })),
    rejection: tooMany(JSON_TYPE, '{"statusCode":429,"message":"ThrottlerException: Too Many Requests"}'),
  };
}

/** rate-limiter-flexible with the header object of its documentation, which has `Retry-After` on every response. */
function flexible(
  name: string,
  reset: 'epochSeconds' | 'dateText',
  counter: MakeCounter = fixedWindow,
): LimiterKind {
  const headers: HeaderForm = (count, now, quota) => ({
    'retry-after': RETRY.fraction(count, now, quota),
    ...xHeaders(reset)(count, now, quota),
  });
  return { ...kind(name, '11.4.0', counter, headers), rejection: tooMany(TEXT, 'Too Many Requests') };
}

/** @upstash/ratelimit returns numbers. An application copies them into headers as they are. */
function upstash(name: string, counter: MakeCounter): LimiterKind {
  return {
    ...kind(name, '2.2.0', counter, xHeaders('epochMs')),
    isCompared: false,
    rejection: tooMany(TEXT, 'Too Many Requests'),
  };
}

function nginx(name: string, headers: HeaderForm, counter: MakeCounter = leakyBucket): LimiterKind {
  const body = '<html><head><title>429 Too Many Requests</title></head></html>';
  return {
    ...kind(name, '1.22.1', counter, headers),
    isCompared: false,
    shows: headers === noHeaders ? 'nothing' : 'wait',
    rejection: tooMany('text/html', body),
  };
}

function haproxy(name: string, shows: LimiterKind['shows'], headers: HeaderForm): LimiterKind {
  const body = '<html><body><h1>429 Too Many Requests</h1></body></html>';
  return {
    ...kind(name, '2.6.12', requestRate, headers),
    isCompared: false,
    shows,
    rejection: tooMany('text/html', body),
    hasNoDate: true,
  };
}

function hapiHeaders({ remaining, resetAt }: Count, _now: number, { limit }: Quota): LimiterHeaders {
  return {
    'x-ratelimit-userlimit': String(limit),
    'x-ratelimit-userremaining': String(remaining),
    'x-ratelimit-userreset': String(resetAt),
  };
}

function envoyHeaders(count: Count, now: number, quota: Quota): LimiterHeaders {
  const list = `${quota.limit}, ${quota.limit};w=${Math.ceil(quota.windowMs / 1_000)}`;
  return { ...xHeaders('seconds')(count, now, quota), 'x-ratelimit-limit': list };
}

function withoutPolicy(form: HeaderForm): HeaderForm {
  return (count, now, quota) => {
    const { 'ratelimit-policy': _, ...headers } = form(count, now, quota);
    return headers;
  };
}

function withSuffix(headers: LimiterHeaders, suffix: string): LimiterHeaders {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [`${name}${suffix}`, value]));
}
