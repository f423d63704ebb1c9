import { expect, test } from 'vitest';
import { readRateLimit, readRetryAfterMs, readWait } from '../../src/client/response/response-headers.js';
import { below, corpus, fuzz, mutate, oneOf, type Random } from '../support/random-runs.js';

const NOW = Date.UTC(2026, 2, 1, 12);
const DAY_MS = 86_400_000;
const VALUES = Object.values(corpus('retry-after'));
const GARBAGE = ['nonsense', '-5', '1e3', '0x10', '5s', ''];

/** A header value with its wait. Garbage has none. */
function item(random: Random): { text: string; waitMs: number | undefined } {
  const kind = random();
  if (kind < 0.2) return { text: oneOf(random, GARBAGE), waitMs: undefined };
  const seconds = below(random, 2 * DAY_MS) / 1_000;
  const whole = Math.floor(seconds);
  if (kind < 0.6) return { text: String(whole), waitMs: whole * 1_000 };
  const past = random() < 0.2;
  const time = NOW + (past ? -whole : whole) * 1_000;
  return { text: new Date(time).toUTCString(), waitMs: past ? 0 : whole * 1_000 };
}

test('the longest of several Retry-After values counts, whatever the clock of this machine', async () => {
  await fuzz(1_000, (random) => {
    const items = Array.from({ length: 1 + below(random, 4) }, () => item(random));
    const headers = {
      date: new Date(NOW).toUTCString(),
      'retry-after': items.map(({ text }) => text).join(', '),
    };
    const skewedNow = NOW + (random() - 0.5) * 10 * DAY_MS;
    const waits = items.flatMap(({ waitMs }) => (waitMs === undefined ? [] : [waitMs]));
    const longest = waits.length === 0 ? undefined : Math.max(...waits);
    expect(readRetryAfterMs(headers, skewedNow), headers['retry-after']).toBe(longest);
    const { waitMs = 0 } = readWait(headers, skewedNow, undefined);
    expect(waitMs).toBeGreaterThanOrEqual(Math.min(longest ?? 0, DAY_MS));
  });
});

test('any value of the headers gives a finite wait or none', async () => {
  const text = (random: Random): string =>
    mutate(random, Buffer.from(oneOf(random, VALUES))).toString('latin1');
  await fuzz(1_000, (random) => {
    const headers: Record<string, string> = {};
    const rates = ['limit', 'remaining', 'reset'].map((name) => `x-ratelimit-${name}`);
    for (const name of ['retry-after', 'date', ...rates]) if (random() < 0.8) headers[name] = text(random);
    const limit = readRateLimit(headers, NOW);
    for (const delayMs of [readRetryAfterMs(headers, NOW), readWait(headers, NOW, limit).waitMs]) {
      if (delayMs === undefined) continue;
      expect(Number.isFinite(delayMs) && delayMs >= 0, JSON.stringify(headers)).toBe(true);
    }
    if (limit === undefined) return;
    const { rateLimit, untilResetMs } = limit;
    const numbers = [rateLimit.limit, rateLimit.remaining, rateLimit.resetAt, untilResetMs];
    expect(
      numbers.every((number) => Number.isFinite(number)),
      JSON.stringify(headers),
    ).toBe(true);
  });
});
