import { expect, test } from 'vitest';
import { watchDomain } from '../../src/domain/run/watch-domains.js';
import { createVirtualClock } from '../support/virtual-clock.js';
import { fakeDns } from './fake-dns.js';
import { counter, RESOLVER, TARGET, worldOf } from './world.js';

test('a watch yields changes, returns its end, and leaves the client of the caller open', async () => {
  const dns = fakeDns(worldOf([`shop CNAME ${TARGET}.`]));
  const options = { dns, clock: createVirtualClock(), random: counter(), resolvers: [RESOLVER] };
  const watch = watchDomain({ domain: 'shop.example.test', target: TARGET }, options);
  expect(await watch.next()).toMatchObject({ done: false, value: { kind: 'changed' } });
  expect(await watch.next()).toMatchObject({
    done: true,
    value: { end: 'reached', report: { state: 'verified' } },
  });
  expect(dns.queries).not.toContain('closed');
});
