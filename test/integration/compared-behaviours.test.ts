import { expect, test } from 'vitest';
import { petStoreCalls, PROBES, runProbe, type Time } from '../../bench/clients/probes.mjs';
import { type ClientEvent, createPetStore } from '../../src/index.js';
import { createVirtualClock, settle, type VirtualClock } from '../support/virtual-clock.js';

// docs/comparison.md compares these behaviours with other clients; `npm run bench clients` measures all of them.
test.each(PROBES)('$title', async (probe) => {
  const clock = createVirtualClock();
  const traffic = createTraffic();
  const cell = await runProbe(
    probe,
    {},
    (settings) =>
      petStoreCalls(
        createPetStore({ ...settings, clock, onEvent: traffic.onEvent, onWarning: () => undefined }),
      ),
    virtualTime(clock, traffic),
  );
  expect(cell).toEqual({ text: expect.any(String) as string, good: true });
});

interface Traffic {
  onEvent(event: ClientEvent): void;
  /** Number of requests without a complete response. */
  readonly inFlight: number;
}

function createTraffic(): Traffic {
  let inFlight = 0;
  return {
    onEvent({ type }) {
      if (type === 'request') inFlight += 1;
      if (type === 'response' || type === 'failure') inFlight -= 1;
    },
    get inFlight() {
      return inFlight;
    },
  };
}

/** Advances the clock only while the client waits for time: for no response, or only for those that never come. */
function virtualTime(clock: VirtualClock, traffic: Traffic): Time {
  const servers: { readonly stalled: number }[] = [];
  const needsTime = (): boolean => {
    const stalled = servers.reduce((sum, server) => sum + server.stalled, 0);
    return traffic.inFlight === stalled && clock.pending > 0;
  };
  const advanceUntil = async (isOver: () => boolean, limitMs: number): Promise<void> => {
    const end = clock.monotonic() + limitMs;
    while (!isOver() && clock.monotonic() < end) {
      await settle();
      if (isOver() || !needsTime()) continue;
      const [next = 0] = clock.pendingDelays;
      await clock.advance(Math.min(next, end - clock.monotonic()));
    }
  };
  return {
    now: () => clock.now(),
    elapsedMs: () => clock.monotonic(),
    attach: (server) => {
      servers.push(server);
    },
    pass: (ms) => advanceUntil(() => false, ms),
    async outcomeOf(promise, limitMs) {
      let isOver = false;
      const ended = promise
        .then(
          (value) => ({ value }),
          (error: unknown) => ({ error }),
        )
        .finally(() => {
          isOver = true;
        });
      await advanceUntil(() => isOver, limitMs);
      return isOver ? ended : { isPending: true };
    },
  };
}
