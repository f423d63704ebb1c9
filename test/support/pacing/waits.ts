import type { PetStoreOptions } from '../../../src/client/internal.js';
import { isPetStoreError, RateLimitError } from '../../../src/errors.js';
import { seededRandom } from '../random-runs.js';
import { createTestStorage } from '../test-storage.js';
import { createVirtualClock, NOON } from '../virtual-clock.js';
import { countEarly } from './figures.js';
import { createStore } from './petstore.js';
import { createService } from './service.js';
import type { Product, Scenario } from './simulation.js';

/** Calls that start at once or at random times, each with its own longest wait. */
export interface WaitScenario {
  plan: Scenario['plan'];
  processes: number;
  calls: number;
  /** The calls start within this time. 0: all at once. */
  withinMs: number;
  /** Start of the calls after a whole minute. */
  offsetMs: number;
  waitMaxMs: number;
  latencyMs: readonly [number, number];
  /** Requests of another user of the key at the start. */
  foreign?: number;
  seed: number;
}

/** How a call ended. */
export interface CallRecord {
  durationMs: number;
  /** Absent if the call succeeded. */
  error?: unknown;
}

/** The result of all calls. */
export interface WaitFigures {
  calls: CallRecord[];
  /** Responses of 429, and of a ban. */
  rateLimited: number;
  /** Requests that the service received. */
  requests: number;
  /** Requests sent before a received Retry-After or a reset without requests left had passed. */
  early: number;
}

/** Runs calls in virtual time until all have ended. The same scenario gives the same figures. */
export async function simulateWaits(product: Product, scenario: WaitScenario): Promise<WaitFigures> {
  const { plan, processes, latencyMs, seed, waitMaxMs } = scenario;
  const clock = createVirtualClock(NOON);
  const random = seededRandom(seed);
  const mock = product.createMock({ clock, pets: 1, plan, journalMax: 1 });
  const [key = ''] = mock.keys;
  const service = createService({ mock, clock, random, latencyMs, keyAt: () => key });
  const storage = createTestStorage(clock);
  const gateOf = (process: number): PetStoreOptions['gate'] =>
    processes === 1
      ? 'memory'
      : {
          id: `process ${String(process)}`,
          open: () => storage.open(`process-${String(process)}`),
          close: () => Promise.resolve(),
        };
  const stores = Array.from({ length: processes }, (_, process) =>
    createStore(
      product,
      { clock, fetch: service.fetchOf(process, Infinity), random },
      gateOf(process),
      waitMaxMs,
    ),
  );
  await clock.advance(scenario.offsetMs);
  for (let sent = 0; sent < (scenario.foreign ?? 0); sent += 1) service.foreignRequest();
  const calls: CallRecord[] = [];
  const perform = async (index: number): Promise<void> => {
    const startedAt = clock.monotonic();
    const error: unknown = await stores[index % processes]?.pets.list({ limit: 1 }).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    calls.push({
      durationMs: clock.monotonic() - startedAt,
      ...(error === undefined ? {} : { error }),
    });
  };
  for (let index = 0; index < scenario.calls; index += 1)
    clock.setTimeout(() => void perform(index), scenario.withinMs * random());
  for (let minutes = 0; calls.length < scenario.calls; minutes += 1) {
    if (minutes > 2_000) throw new Error('The calls do not end');
    await clock.advance(60_000);
  }
  const own = service.requests.filter(({ process }) => process >= 0);
  return {
    calls,
    requests: own.length,
    rateLimited: own.filter(({ status }) => status === 429).length,
    early: countEarly(own),
  };
}

/** Describes each call that broke a rule. Empty if all were right. */
export function brokenRules({ waitMaxMs, latencyMs }: WaitScenario, { calls }: WaitFigures): string[] {
  // Each attempt has a request and a response. Processes poll a little later than a wait ends.
  const requestMs = 4 * 2 * latencyMs[1] + 200;
  return calls.flatMap(({ durationMs, error }) => {
    const broken: string[] = [];
    const time = `after ${String(durationMs)} ms`;
    if (durationMs > waitMaxMs + requestMs) broken.push(`ended ${time}`);
    if (error === undefined) return broken;
    if (!(error instanceof RateLimitError)) {
      broken.push(`${isPetStoreError(error) ? error.type : String(error)} ${time}`);
      return broken;
    }
    const { retryAfterMs = 0, remaining, limit, window, outcome, retryable } = error;
    if (outcome !== 'not-sent' || !retryable) broken.push(`rejected as ${outcome} ${time}`);
    // Its waits have reached the limit. Before that, only what the service sent rejects a call.
    if (durationMs >= waitMaxMs && error.message.startsWith('Not sent:')) return broken;
    // The remaining time of the call would not have been enough.
    if (durationMs + retryAfterMs + requestMs <= waitMaxMs) broken.push(`rejected ${time}, could wait`);
    if (remaining !== 0 || limit === undefined || window === undefined)
      broken.push(`rejected ${time} with ${String(remaining)} of ${String(limit)} per ${String(window)}`);
    return broken;
  });
}
