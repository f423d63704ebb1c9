import fc from 'fast-check';
import { test } from 'vitest';
import { valueText } from '../../../src/domain/gather/views/evidence.js';
import { planRecords } from '../../../src/domain/run/checks.js';
import { readZone } from '../fake-dns.js';
import { expectSafePlan, recordKey } from '../safe-plan.js';
import { EXAMPLE, NS1, NS2, TARGET, worldOf, zoneLab } from '../world.js';

const ZONE = 'example.test';
const RUNS = process.env.PETSTORE_TEST_FULL === '1' ? 5_000 : 60;

/** Lines that owners have in their zones, in any number and order. */
const LINES = [
  ...[`${TARGET}.`, 'www.elsewhere.test.', 'gone.platform.test.', 'hop', 'shop', `${TARGET}`].map(
    (target) => `shop CNAME ${target}`,
  ),
  ...['shop', '@', '*'].flatMap((owner) => [`${owner} A 198.51.100.7`, `${owner} AAAA 2001:db8::7`]),
  ...['shop A 10.0.0.8', 'shop A 192.0.2.80', 'shop MX 10 mail', 'shop TXT v=1'],
  ...['shop CAA 0 issue ca.test', 'shop CAA 128 tbs unknown', '@ CAA 0 issue ca.test'],
  ...[`hop CNAME ${TARGET}.`, 'hop CNAME shop', `* CNAME ${TARGET}.`, `shop.${ZONE} CNAME ${TARGET}.`],
  ...[
    'shop HTTPS 1 www.elsewhere.test.',
    '@ MX 10 shop',
    '@ CNAME shop',
    `@ ALIAS ${TARGET}.`,
    `shop ALIAS ${TARGET}.`,
  ],
];
const lines = fc.uniqueArray(fc.constantFrom(...LINES), { maxLength: 4 });

test('no advice about random zones makes things worse (5,000 with PETSTORE_TEST_FULL=1)', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        own: lines,
        other: fc.option(lines, { nil: undefined }),
        serial: fc.constantFrom(9, 10, 11),
        domain: fc.constantFrom('shop.example.test', ZONE),
        target: fc.constantFrom(TARGET, TARGET, 'gone.platform.test'),
        issuer: fc.constantFrom(undefined, 'letsencrypt.org'),
      }),
      async ({ own, other = own, serial, domain, target, issuer }) => {
        const copies = {
          [`${NS1} ${ZONE}`]: [...EXAMPLE, '@ 900 SOA ns1 10', ...own],
          [`${NS2} ${ZONE}`]: [...EXAMPLE, `@ 900 SOA ns1 ${String(serial)}`, ...other],
        };
        const { check, options, settled } = zoneLab(worldOf(own, { copies }));
        const report = await check({ domain, target, issuer });
        const { value: planned } = await settled(planRecords([{ domain, target, issuer }], options).next());
        const ofAlias = ['shop A 192.0.2.80', 'shop AAAA 2001:db8::80'];
        const records = readZone(ZONE, [...own, ...other, ...ofAlias]);
        // A server returns the records of a wildcard and of an ALIAS under the name of the query.
        const returned = records.map(({ name, data }) => [name.replace('*', 'shop'), data] as const);
        const known = new Set(returned.map(([name, data]) => recordKey(name, valueText(data))));
        expectSafePlan({ ...report, known, parentHosts: [NS1, NS2] });
        if (planned?.ok !== true) throw new Error('no plan');
        // With what is only recommended.
        expectSafePlan({ ...report, ...planned.plan, known, parentHosts: [NS1, NS2] });
      },
    ),
    { numRuns: RUNS },
  );
}, 600_000);
