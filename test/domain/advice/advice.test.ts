import { describe, expect, test } from 'vitest';
import {
  addExpectedRecord,
  changeToExpectedRecord,
  removeRecords,
  replaceWithExpected,
  expectedRecordsOf,
  expectedText,
} from '../../../src/domain/advice/advice.js';
import { longSentences } from '../rule-table.js';
import { diagnose } from '../../../src/domain/diagnose/diagnose.js';
import { addProvider } from '../../../src/domain/advice/find-provider.js';
import {
  a,
  buildAbsentServer,
  buildApexFacts,
  buildApexServer,
  buildFacts,
  buildZone,
  cname,
  lookupOf,
  mx,
  NAME,
  nodata,
  nxdomain,
  refused,
  silent,
  txt,
  value,
  WANTED,
  ZONE,
} from '../facts-builder.js';

test('builds the expected record of a domain', () => {
  expect(expectedRecordsOf(buildFacts())).toEqual([WANTED]);
  expect(expectedText(buildApexFacts())).toBe('ALIAS @ -> cname.platform.test, TTL 3600');
});

test('fixes that add or change include the expected record', () => {
  expect(addExpectedRecord(buildFacts())).toEqual({
    action: 'add',
    text: 'Add CNAME shop -> cname.platform.test, TTL 3600.',
    parts: expect.any(Array),
    remove: [],
    add: [WANTED],
  });
  expect(changeToExpectedRecord(buildFacts(), { step: 'Do it.' })).toEqual({
    action: 'change',
    text: 'Do it.',
    parts: expect.any(Array),
    remove: [],
    add: [WANTED],
  });
});

describe('replaceWithExpected', () => {
  const apexAt = (host: string, answers: Parameters<typeof buildApexServer>[1] = {}) =>
    addProvider(
      buildApexFacts({
        zone: buildZone({ kind: 'apex', ownHosts: [host] }),
        servers: [buildApexServer(1, answers)],
      }),
    );
  const old = [a(ZONE, '192.0.2.99')];

  test('at a provider with ALIAS: one change, in the words of its panel', () => {
    expect(replaceWithExpected(apexAt('ns1.porkbun.com'), old)).toMatchObject({
      action: 'change',
      text: 'Replace A 192.0.2.99 with ALIAS @ -> cname.platform.test, TTL 3600. Porkbun supports this (type ALIAS in its panel).',
      remove: [{ type: 'A' }],
      add: [{ type: 'ALIAS' }],
    });
  });

  test.each([
    ['GoDaddy', 'ns1.domaincontrol.com', 'GoDaddy has no ALIAS or ANAME records'],
    ['Route 53', 'ns-1.awsdns-01.org', 'ALIAS records for its own services only'],
    ['an unknown provider', 'ns1.example.net', 'check for ALIAS records'],
    ['a provider of which that is not known', 'ns-cloud-a1.googledomains.com', 'If not: add'],
  ])('at %s: removes nothing, and names www, the order of a move, and mail', (_, host, first) => {
    const { remove, add, text } = replaceWithExpected(apexAt(host), old);
    expect({ remove, add }).toEqual({ remove: [], add: [] });
    const order = [first, 'www.example.com', 'forward', 'also MX'];
    const places = order.map((words) => text.indexOf(words));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((one, other) => one - other));
    expect(longSentences(text)).toEqual([]);
  });

  test('a signed zone: says so before a move', () => {
    const facts = apexAt('ns1.domaincontrol.com');
    const signed = { zone: ZONE, owner: 'domain', ds: lookupOf('DS', nodata(), ZONE), servers: [] } as const;
    expect(replaceWithExpected({ ...facts, dnssec: [signed] }, old).text).toContain('The zone is signed');
    expect(replaceWithExpected(facts, old).text).not.toContain('The zone is signed');
  });

  const zoneMx = lookupOf('MX', value(mx(ZONE, NAME)), ZONE);
  test.each([
    ['MX', buildFacts(), [mx(NAME, 'mail.example.com')], 'If shop.example.com receives mail'],
    ['TXT', buildFacts(), [txt(NAME, 'v=spf1 -all')], 'If TXT is still needed'],
    [
      'a host that an MX of the zone names',
      buildFacts({
        servers: [buildAbsentServer(1)],
        relatedNames: { ...buildFacts().relatedNames, zoneMx },
      }),
      [a(NAME, '192.0.2.99')],
      'An MX record names shop.example.com: first give the mail server another name',
    ],
    [
      'an alias that an MX of the zone names',
      buildFacts({ relatedNames: { ...buildFacts().relatedNames, zoneMx } }),
      [cname(NAME, 'old.example.com')],
      'An MX record names shop.example.com: first give the mail server another name',
    ],
    [
      'an apex without MX',
      apexAt('ns1.porkbun.com', { mx: nodata() }),
      old,
      'If example.com receives mail, first set an MX record with the name of its mail server. Replace',
    ],
  ])('warns before the change of %s', (_, facts, records, note) => {
    const fixes = [
      replaceWithExpected(facts, records),
      removeRecords(facts, records, 'Remove.'),
      changeToExpectedRecord(facts, { step: 'Change.', old: records }),
    ];
    for (const { text } of fixes) expect(text.startsWith(note.split('Replace')[0] ?? '')).toBe(true);
  });

  test('warns of each use of the records, and of MX records that could not be read', () => {
    const server = buildAbsentServer(1, { mx: silent() });
    const facts = buildFacts({
      servers: [server],
      relatedNames: { ...buildFacts().relatedNames, zoneMx: lookupOf('MX', silent(), ZONE) },
    });
    const { text } = replaceWithExpected(facts, [
      a(NAME, '192.0.2.99'),
      mx(NAME, 'mail.example.com'),
      txt(NAME, 'v=spf1 -all'),
    ]);
    for (const words of [
      'Queries for MX failed',
      'receives mail or TXT is still needed',
      'Otherwise: Replace',
    ])
      expect(text).toContain(words);
    expect(longSentences(text)).toEqual([]);
  });

  test('at a provider without ALIAS: warns of mail before the address is forwarded', () => {
    const { text } = replaceWithExpected(apexAt('ns1.domaincontrol.com', { mx: value(mx(ZONE, ZONE)) }), old);
    expect(text).toMatch(/An MX record names example\.com.*When that is verified, forward/);
  });

  test.each(['ns1.domaincontrol.com', 'ns-1.awsdns-01.org', 'ns1.example.net'])(
    'no rule sets an ALIAS over other records at %s',
    (host) => {
      const dead = { a: nxdomain(), aaaa: nxdomain(), cname: value(cname(ZONE, 'old.example.net')) };
      const loop = [
        { from: ZONE, to: 'old.example.net', ttl: 60 },
        { from: 'old.example.net', to: ZONE, ttl: 60 },
      ];
      const cases = [
        apexAt(host, dead),
        { ...apexAt(host, dead), relatedNames: { ...buildApexFacts().relatedNames, chain: loop } },
        apexAt(host, { a: refused('SERVFAIL'), aaaa: refused('SERVFAIL') }),
        apexAt(host, { a: value(a(ZONE, '10.0.0.1')), aaaa: nodata() }),
        apexAt(host, { a: value(...old), aaaa: nodata() }),
      ];
      for (const facts of cases) {
        const findings = diagnose(facts);
        expect(findings).not.toEqual([]);
        expect(findings.flatMap(({ fix }) => [...(fix?.remove ?? []), ...(fix?.add ?? [])])).toEqual([]);
      }
    },
  );
});
