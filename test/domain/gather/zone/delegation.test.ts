import { expect, test } from 'vitest';
import { findDelegation } from '../../../../src/domain/gather/delegation.js';
import { contextOf, worldOf } from '../../world.js';

test('the delegation below a suffix that is not a zone comes from the zone above', async () => {
  // In the public suffix list, city.kobe.jp is an exception, and c.kobe.jp a suffix.
  const world = worldOf([], {
    zones: {
      'kobe.jp': ['@ NS ns', 'ns A 192.0.2.71', 'example.c NS ns1.example.test.'],
      'example.c.kobe.jp': ['@ NS ns1.example.test.'],
    },
    servers: { '192.0.2.71': ['kobe.jp'] },
  });
  const { lookup, hosts } = await findDelegation(contextOf(world).context, 'example.c.kobe.jp');
  expect([lookup?.server.address, hosts]).toEqual(['192.0.2.71', ['ns1.example.test']]);
});
