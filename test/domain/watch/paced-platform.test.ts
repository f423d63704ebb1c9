import { expect, test } from 'vitest';
import type { ProbeSubject } from '../../../src/domain/report/options.js';
import { pacePlatformProbes } from '../../../src/domain/watch/watch.js';
import type { Probes } from '../../../src/domain/run/probes.js';
import { createVirtualClock } from '../../support/virtual-clock.js';

const MINUTE_MS = 60_000;

function subject(...addresses: string[]): ProbeSubject {
  const domain = 'shop.example.test';
  const addressesOf = () => Promise.resolve({ outcome: 'found' as const, addresses });
  const now = new Date(0);
  const { signal } = new AbortController();
  return {
    domain,
    target: 'cname.platform.test',
    addresses,
    addressesOf,
    probe: {},
    now,
    verifiedAt: now,
    signal,
  };
}

test('requests the page on a change of addresses, otherwise with growing pauses', async () => {
  const clock = createVirtualClock();
  const requestedAt: number[] = [];
  const probes = pacePlatformProbes(
    {
      platform() {
        requestedAt.push(clock.monotonic() / 1_000);
        return Promise.resolve(undefined);
      },
    } as unknown as Probes,
    clock,
  );
  const startedAt = clock.monotonic() / 1_000;
  for (let elapsedMs = 0; elapsedMs < 20 * MINUTE_MS; elapsedMs += 5_000) {
    await probes.platform(subject(elapsedMs < 10 * MINUTE_MS ? '192.0.2.1' : '192.0.2.80'));
    await clock.advance(5_000);
  }
  expect(requestedAt.map((at) => at - startedAt)).toEqual([0, 30, 90, 210, 450, 600, 630, 690, 810, 1_050]);
});
