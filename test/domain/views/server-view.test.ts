import { describe, expect, test } from 'vitest';
import {
  aliasesAt,
  isRightAtDecisiveServers,
  decisiveServers,
  laggingServers,
  recordsNextToAlias,
  reachedServers,
  serverView,
  areUnrelatedZones,
  isNewerSerial,
} from '../../../src/domain/views/server-view.js';
import type { Facts, ServerFacts } from '../../../src/domain/facts/facts.js';
import {
  a,
  buildAbsentServer,
  buildApexFacts,
  buildApexServer,
  buildFacts,
  buildServer,
  buildUniformServer,
  buildZone,
  cname,
  mx,
  NAME,
  nodata,
  refused,
  silent,
  TARGET,
  TARGET_A,
  throughAlias,
  value,
  ZONE,
} from '../facts-builder.js';

const hosts = (servers: readonly ServerFacts[]) => servers.map(({ server }) => server.host?.slice(0, 3));
const elsewhere = cname(NAME, 'other.example.net');

describe('serverView', () => {
  const views: [string, Facts, string][] = [
    ['a CNAME to the target', buildFacts(), 'right'],
    ['no record', buildFacts({ servers: [buildAbsentServer(1)] }), 'absent'],
    [
      'a CNAME elsewhere',
      buildFacts({ servers: [buildServer(1, { cname: value(elsewhere), a: throughAlias(elsewhere) })] }),
      'wrong',
    ],
    [
      'two CNAMEs',
      buildFacts({ servers: [buildServer(1, { cname: value(elsewhere, cname(NAME, TARGET)) })] }),
      'wrong',
    ],
    [
      'a CNAME next to MX',
      buildFacts({ servers: [buildServer(1, { mx: value(mx(NAME, 'm.example')) })] }),
      'wrong',
    ],
    [
      'an address',
      buildFacts({ servers: [buildAbsentServer(1, { a: value(a(NAME, '192.0.2.99')) })] }),
      'wrong',
    ],
    ['failure', buildFacts({ servers: [buildUniformServer(1, silent())] }), 'unknown'],
    [
      'no CNAME, and no response for addresses',
      buildFacts({ servers: [buildAbsentServer(1, { a: refused('SERVFAIL') })] }),
      'unknown',
    ],
    [
      'a CNAME, and no response for addresses',
      buildFacts({ servers: [buildServer(1, { a: silent(), aaaa: silent() })] }),
      'right',
    ],
    ['an apex with the target’s addresses', buildApexFacts(), 'right'],
    [
      'an apex without',
      buildApexFacts({ servers: [buildApexServer(1, { a: nodata(), aaaa: nodata() })] }),
      'absent',
    ],
    [
      'an apex with others',
      buildApexFacts({ servers: [buildApexServer(1, { a: value(a(ZONE, '192.0.2.99')) })] }),
      'wrong',
    ],
    ['an apex with a CNAME', buildApexFacts({ servers: [buildServer(1, {}, { name: ZONE })] }), 'wrong'],
    ['an apex half silent', buildApexFacts({ servers: [buildApexServer(1, { aaaa: silent() })] }), 'unknown'],
    [
      'an apex without anything to compare with',
      buildApexFacts({ platform: { a: undefined, aaaa: undefined, addresses: [], ttl: undefined } }),
      'incomparable',
    ],
  ];
  test.each(views)('%s', (_name, facts, expected) =>
    expect(serverView(facts, facts.servers[0]!)).toBe(expected),
  );

  test('accepts a followed chain', () => {
    const hop = cname(NAME, 'hop.example.com');
    const servers = [buildServer(1, { cname: value(hop), a: throughAlias(hop), aaaa: throughAlias(hop) })];
    const chain = [
      { from: NAME, to: 'hop.example.com', ttl: 60 },
      { from: 'hop.example.com', to: TARGET, ttl: 60 },
    ];
    const facts = buildFacts({ servers });
    expect(serverView({ ...facts, relatedNames: { ...facts.relatedNames, chain } }, servers[0]!)).toBe(
      'right',
    );
    expect(
      serverView(
        { ...facts, relatedNames: { ...facts.relatedNames, chain: chain.slice(0, 1) } },
        servers[0]!,
      ),
    ).toBe('wrong');
  });
});

describe('decisiveServers', () => {
  test.each<[string, ServerFacts[], string[], string[]]>([
    ['all right', [buildServer(1), buildServer(2)], ['ns1', 'ns2'], []],
    ['an old copy', [buildServer(1), buildAbsentServer(2, {}, { serial: 9 })], ['ns1'], ['ns2']],
    ['a newer copy without', [buildServer(1), buildAbsentServer(2, {}, { serial: 11 })], ['ns2'], []],
    ['disagreement', [buildAbsentServer(1), buildServer(2)], ['ns2'], ['ns1']],
    ['failure', [buildUniformServer(1, silent()), buildServer(2)], ['ns2'], []],
    ['old and right', [buildServer(1), buildServer(2, {}, { serial: 9 })], ['ns1'], []],
  ])('%s', (_name, servers, decisive, lagging) => {
    const facts = buildFacts({ servers });
    expect(hosts(decisiveServers(facts))).toEqual(decisive);
    expect(hosts(laggingServers(facts))).toEqual(lagging);
  });

  test('a server that only the zone lists does not count', () => {
    const facts = buildFacts({
      zone: buildZone({ parentHosts: ['ns1.example.net'] }),
      servers: [buildServer(1, {}, { serial: 1 }), buildAbsentServer(2, {}, { serial: 2_024_010_101 })],
    });
    expect(hosts(reachedServers(facts))).toEqual(['ns1']);
    expect([isRightAtDecisiveServers(facts), laggingServers(facts)]).toEqual([true, []]);
  });

  test.each([9, 11])('does not compare serial %i of another provider', (serial) => {
    const facts = buildFacts({
      zone: buildZone({ ownHosts: ['ns1.example.net', 'ns3.example.net'] }),
      servers: [buildServer(1), buildAbsentServer(2, {}, { serial })],
    });
    expect(hosts(decisiveServers(facts))).toEqual(['ns1']);
    expect(hosts(laggingServers(facts))).toEqual(['ns2']);
  });

  test('no response: the record is not right', () => {
    const facts = buildFacts({ servers: [buildUniformServer(1, silent())] });
    expect([reachedServers(facts), decisiveServers(facts), isRightAtDecisiveServers(facts)]).toEqual([
      [],
      [],
      false,
    ]);
  });
});

test('only CNAMEs of the name itself count', () => {
  const far = cname('www.example.com', 'x.example.net');
  const server = buildServer(1, { cname: value(cname('SHOP.example.com', TARGET, 60), far) });
  expect(aliasesAt(buildFacts(), server).map(({ ttl }) => ttl)).toEqual([60]);
});

test('records are next to an alias only if there is one', () => {
  const address = value(a(NAME, TARGET_A));
  expect(recordsNextToAlias(buildFacts(), buildServer(1, { a: address }))).toHaveLength(1);
  expect(recordsNextToAlias(buildFacts(), buildAbsentServer(1, { a: address }))).toEqual([]);
});

test.each([
  [10, 9, true],
  [9, 10, false],
  [9, 9, false],
  [1, 4_294_967_295, true],
  [4_294_967_295, 1, false],
])('serial %i is newer than %i: %s', (serial, than, expected) => {
  expect(isNewerSerial(serial, than)).toBe(expected);
});

const SOA = { type: 'SOA', primary: 'ns1.example.net', serial: 10, refresh: 7200, minimum: 900 } as const;

test.each([
  { name: 'the same record', other: {}, expected: false },
  { name: 'another serial of the same format', other: { serial: 9 }, expected: false },
  { name: 'another case', other: { primary: 'NS1.example.net' }, expected: false },
  { name: 'another primary server', other: { primary: 'ns1.other.net' }, expected: true },
  { name: 'a date instead of a count', other: { serial: 2_026_112_201 }, expected: true },
  { name: 'seconds instead of a count', other: { serial: 1_795_000_000 }, expected: true },
  { name: 'seconds instead of a date', one: 1_795_000_000, other: { serial: 2_026_112_201 }, expected: true },
  { name: 'an unknown format', other: { serial: 2_386_498_473 }, expected: false },
  { name: 'other timers', other: { refresh: 3600 }, expected: false },
  { name: 'other timers elsewhere', other: { refresh: 3600 }, elsewhere: true, expected: true },
  { name: 'another minimum elsewhere', other: { minimum: 60 }, elsewhere: true, expected: true },
  { name: 'a secondary elsewhere', other: { serial: 9 }, elsewhere: true, expected: false },
])('$name: unrelated $expected', ({ one = SOA.serial, other, elsewhere = false, expected }) => {
  const versions = [
    { ...SOA, serial: one },
    { ...SOA, ...other },
  ] as const;
  expect(areUnrelatedZones(versions[0], versions[1], elsewhere)).toBe(expected);
  expect(areUnrelatedZones(versions[1], versions[0], elsewhere)).toBe(expected);
});
