import { expect, test } from 'vitest';
import { openWatchShare } from '../../../src/domain/run/watch.js';
import { createVirtualClock } from '../../support/virtual-clock.js';
import { fakeDns } from '../fake-dns.js';
import { worldOf } from '../world.js';

test('shares a cache for a short time, by the monotonic clock', async () => {
  const clock = createVirtualClock();
  const share = openWatchShare({ clock });
  const first = share.recentZoneCache();
  clock.setWall(clock.now() + 86_400_000);
  await clock.advance(2_999);
  expect(share.recentZoneCache()).toBe(first);
  await clock.advance(1);
  expect(share.recentZoneCache()).not.toBe(first);
  expect(share.recentZoneCache().since).toBe(3_000);
  share.close();
});

test('does not close a DNS client of the caller', () => {
  const dns = fakeDns(worldOf([]));
  openWatchShare({ dns }).close();
  expect(dns.queries).toEqual([]);
});

test('closes its own DNS client', async () => {
  const share = openWatchShare({});
  share.close();
  const server = { address: '127.0.0.1', port: 9, transport: 'dns' } as const;
  const exchange = await share.dns.query(server, { name: 'example.test', type: 'A' }, { recursive: false });
  expect(exchange).toMatchObject({ kind: 'failure', reason: 'aborted' });
});
