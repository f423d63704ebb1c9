import { expect, test } from 'vitest';
import { findAddresses } from '../../../src/domain/gather/aliases.js';
import type { World } from '../fake-dns.js';
import { contextOf, NS1, NS2, PLATFORM, resolverQueries, TARGET, worldOf } from '../world.js';
import { named } from '../../support/named.js';

const SHOP = 'shop.example.test';
const BOTH_FAIL = { [NS1]: 'silent', [NS2]: 'silent' } as const;

const cases = named<[World, string, string[]]>({
  'behind an alias': [
    worldOf([`shop CNAME ${TARGET}.`]),
    'found',
    [`CNAME ${TARGET} and A 192.0.2.80, TTL 60`, `CNAME ${TARGET} and AAAA 2001:db8::80, TTL 60`],
  ],
  'by A alone': [
    worldOf(['shop A 192.0.2.99', 'shop A 192.0.2.98']),
    'found',
    ['A 192.0.2.99 and A 192.0.2.98', 'no record for AAAA'],
  ],
  missing: [worldOf([]), 'missing', ['NXDOMAIN for A', 'NXDOMAIN for AAAA']],
  'behind a dangling alias': [
    worldOf(['shop CNAME gone.platform.test.']),
    'missing',
    ['NXDOMAIN for A at the end of CNAME gone.platform.test', 'NXDOMAIN for AAAA'],
  ],
  'without servers that respond': [worldOf([], { faults: BOTH_FAIL }), 'unknown', ['in', 'in']],
  'behind an alias whose servers do not respond': [
    worldOf([`shop CNAME ${TARGET}.`], { faults: { [PLATFORM]: 'silent' } }),
    'unknown',
    ['query for A failed: no response', 'query for AAAA failed: no response'],
  ],
  'half known': [
    worldOf(['shop TXT x'], {
      rcodes: { [`${NS1} AAAA ${SHOP}`]: 'SERVFAIL', [`${NS2} AAAA ${SHOP}`]: 'SERVFAIL' },
    }),
    'unknown',
    ['no record for A', 'query for AAAA failed: SERVFAIL'],
  ],
  'found by half': [
    worldOf(['shop A 192.0.2.99'], {
      rcodes: { [`${NS1} AAAA ${SHOP}`]: 'SERVFAIL', [`${NS2} AAAA ${SHOP}`]: 'SERVFAIL' },
    }),
    'found',
    ['A 192.0.2.99', 'SERVFAIL'],
  ],
});

test.each(cases)('a name %s', async (_name, world, outcome, texts) => {
  const { context, dns } = contextOf(world);
  const found = await findAddresses(context, SHOP);
  expect(found.outcome).toBe(outcome);
  expect(found.addresses.length > 0).toBe(outcome === 'found');
  expect(found.evidence.map(({ text }) => text)).toEqual(texts.map((text) => expect.stringContaining(text)));
  for (const { command } of found.evidence) expect(command).toMatch(/^dig \+norecurse @192\.0\.2\.\d+ /);
  expect(resolverQueries(dns, SHOP)).toEqual([]);
});

test('a name of an unregistered domain', async () => {
  const { context } = contextOf(worldOf([]));
  const { outcome, evidence } = await findAddresses(context, 'shop.nobody.test');
  expect(outcome).toBe('missing');
  expect(evidence[0]?.command).toBe('dig +norecurse @192.0.2.1 nobody.test NS');
});

test('a name without known name servers', async () => {
  const { context } = contextOf({ ...worldOf([]), resolvers: [] });
  expect(await findAddresses(context, SHOP)).toEqual({
    outcome: 'unknown',
    addresses: [],
    evidence: Array(2).fill({
      text: `${SHOP}: no name servers known for its zone`,
      command: 'dig example.test NS +trace',
    }),
  });
});

test('escapes control characters from DNS', async () => {
  const { context } = contextOf(worldOf(['shop CNAME e\u001b[31m.nobody.test.']));
  const { evidence } = await findAddresses(context, SHOP);
  expect(JSON.stringify(evidence)).not.toMatch(/\\u001b|\u001b/);
});
