import { expect, test } from 'vitest';
import { below, fuzz, type Random } from '../support/random-runs.js';
import { createSimulatedService } from '../support/simulated-service.js';
import { openStore } from '../support/stores.js';
import { createVirtualClock, NOON, type VirtualClock } from '../support/virtual-clock.js';

const MINUTE_MS = 60_000;
const MINUTES = 3;

/** A service, and a client that waits for it. */
function serve(clock: VirtualClock, perMinute: number, latencyMs: () => number, random: Random) {
  const service = createSimulatedService(clock, { perMinute, latencyMs });
  const options = { clock, transport: service, random, retry: { waitMaxMs: 3_600_000 } };
  return { service, store: openStore('https://api.test/v1', options).store };
}

test('a client alone on its key uses the quota of any service without a 429', async () => {
  await fuzz(4, async (random) => {
    const clock = createVirtualClock(NOON + below(random, MINUTE_MS));
    const perMinute = 1 + below(random, 400);
    const [least, spread] = [1 + below(random, 100), below(random, 2_000)];
    const latencyMs = (): number => Math.round(least + spread * random());
    const { service, store } = serve(clock, perMinute, latencyMs, random);
    const end = clock.monotonic() + MINUTES * MINUTE_MS;
    const work = async (): Promise<void> => {
      while (clock.monotonic() < end) await store.pets.list();
    };
    // Enough of them to use the quota at the latency of the service.
    const workers = Array.from(
      { length: 4 + Math.ceil((perMinute * 2 * (2 * least + spread)) / MINUTE_MS) },
      work,
    );
    const ended = Promise.all(workers);
    await clock.advance(MINUTES * MINUTE_MS);
    const scene = `${String(perMinute)} per minute, ${String(least)} to ${String(least + spread)} ms`;
    expect({ limited: service.limited, early: service.early }, scene).toEqual({ limited: 0, early: 0 });
    // The first window is shorter than a minute.
    expect(service.served, scene).toBeGreaterThanOrEqual(Math.floor(0.98 * perMinute * (MINUTES - 1)));
    await clock.advance(10 * MINUTE_MS);
    await ended;
  });
}, 600_000);

test('nothing is sent early when others use the key', async () => {
  await fuzz(4, async (random) => {
    const clock = createVirtualClock(NOON + below(random, MINUTE_MS));
    const perMinute = 10 + below(random, 200);
    const latencyMs = (): number => 10 + below(random, 300);
    const { service, store } = serve(clock, perMinute, latencyMs, random);
    const end = clock.monotonic() + MINUTES * MINUTE_MS;
    const sendForeign = (): void => {
      service.consumeRequest();
      if (clock.monotonic() < end) clock.setTimeout(sendForeign, 200 + below(random, 3_000));
    };
    sendForeign();
    const work = async (): Promise<void> => {
      while (clock.monotonic() < end) await store.pets.list();
    };
    const ended = Promise.all(Array.from({ length: 1 + below(random, 16) }, work));
    await clock.advance((MINUTES + 10) * MINUTE_MS);
    expect(service.early).toBe(0);
    await ended;
  });
}, 600_000);
