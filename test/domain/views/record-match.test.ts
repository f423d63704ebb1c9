import { expect, test } from 'vitest';
import type { Facts } from '../../../src/domain/facts/facts.js';
import { gather } from '../../../src/domain/gather/gather.js';
import { isRightAtAllServers } from '../../../src/domain/views/server-view.js';
import type { World } from '../fake-dns.js';
import { EXAMPLE, NS1, NS2, TARGET, contextOf, worldOf } from '../world.js';

async function factsOf(world: World): Promise<Facts> {
  const name = 'shop.example.test';
  return gather(contextOf(world).context, {
    domain: { input: name, ascii: name, unicode: name },
    target: TARGET,
    plan: undefined,
    deployed: undefined,
    kind: undefined,
    issuer: undefined,
    isThorough: false,
    checksCaa: true,
  });
}

const RIGHT = [`shop CNAME ${TARGET}.`];

test.each<[string, World, boolean]>([
  ['every server has the record', worldOf(RIGHT), true],
  ['one server does not respond', worldOf(RIGHT, { faults: { [NS1]: 'silent' } }), true],
  ['no server responds', worldOf(RIGHT, { faults: { [NS1]: 'silent', [NS2]: 'REFUSED' } }), false],
  ['one server lacks the record', worldOf(RIGHT, { copies: { [`${NS2} example.test`]: EXAMPLE } }), false],
  [
    'one server is behind',
    worldOf([...RIGHT, '@ 900 SOA ns1 2'], {
      copies: { [`${NS2} example.test`]: [...EXAMPLE, '@ 900 SOA ns1 1'] },
    }),
    false,
  ],
  ['another record is next to it', worldOf([...RIGHT, 'shop TXT hello']), false],
])('%s', async (_, world, expected) => {
  expect(isRightAtAllServers(await factsOf(world))).toBe(expected);
});
