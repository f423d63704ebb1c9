import { describe, expect, test } from 'vitest';
import { type RecordPlan, recordPlan } from '../../../src/domain/advice/record-plan.js';
import { diagnose } from '../../../src/domain/diagnose/diagnose.js';
import { addProvider } from '../../../src/domain/advice/find-provider.js';
import type { Facts } from '../../../src/domain/gather/facts/facts.js';
import {
  a,
  aaaa,
  lookupOf,
  buildAbsentServer,
  buildApexFacts,
  buildApexServer,
  buildFacts,
  buildUniformServer,
  buildZone,
  caaRecord,
  cname,
  NAME,
  nodata,
  nxdomain,
  silent,
  value,
  WANTED,
  ZONE,
} from '../facts-builder.js';

const withAddress = (ttl: number) =>
  buildFacts({ servers: [buildAbsentServer(1, { a: value(a(NAME, '192.0.2.99', ttl)) })], resolvers: [] });

const withOne = (answers: Parameters<typeof buildAbsentServer>[1]) =>
  buildFacts({ servers: [buildAbsentServer(1, answers)], resolvers: [] });

const planOf = (facts: Facts): RecordPlan => recordPlan(facts, diagnose(facts));

describe('recordPlan', () => {
  test('new name: adds it; resolvers may cache its absence', () => {
    const none = nxdomain(900);
    const facts = buildFacts({
      servers: [buildAbsentServer(1, { cname: none, a: none, aaaa: none })],
      resolvers: [],
    });
    expect(planOf(facts)).toEqual({
      domain: facts.domain,
      kind: 'subdomain',
      zone: ZONE,
      decidedBy: 'zone-cut',
      expected: [WANTED],
      current: [],
      remove: [],
      todo: [{ at: expect.stringContaining('the DNS provider of '), action: 'add', record: WANTED }],
      findings: [expect.objectContaining({ id: 'record.missing' })],
      keepsOldServer: false,
      visibleInSeconds: 900,
    });
  });

  test('old record with a long TTL: lowers the TTL first', () => {
    const plan = planOf(withAddress(86_400));
    expect(plan.lowerTtl).toEqual({
      records: [{ type: 'A', name: NAME, label: 'shop', value: '192.0.2.99', ttl: 300 }],
      notBefore: new Date('2026-11-22T14:18:00.000Z'),
    });
    expect(plan.visibleInSeconds).toBe(300);
  });

  test('a provider that accepts no short TTL: lowers it as far as possible', () => {
    const dns = { name: 'Example', servers: /example/, sources: [], date: '2026-11-27', ttlMin: 600 };
    const plan = planOf({ ...withAddress(86_400), provider: { dns } });
    expect(plan.lowerTtl?.records[0]?.ttl).toBe(600);
    expect(plan.visibleInSeconds).toBe(600);
  });

  const elsewhere = cname(NAME, 'www.elsewhere.test');
  const absent = { a: nxdomain(), aaaa: nxdomain() };
  const pointing = { cname: value(elsewhere), a: value(elsewhere, a('www.elsewhere.test', '192.0.2.99')) };
  test.each([
    ['the address of another server', withAddress(300), true],
    ['a reserved address', withOne({ a: value(a(NAME, '10.0.0.8')) }), false],
    ['an address of the target', withOne({ a: value(a(NAME, '198.51.100.10')) }), false],
    ['an alias of another server', withOne(pointing), true],
    ['a typing error', withOne({ ...absent, cname: value(cname(NAME, 'cname.platfrom.test')) }), false],
    [
      'the zone appended',
      withOne({ ...absent, cname: value(cname(NAME, `cname.platform.test.${ZONE}`)) }),
      false,
    ],
    ['a right record', buildFacts(), false],
  ])('an old server must run on: %s: %s', (_, facts, keepsOldServer) => {
    expect(planOf(facts).keepsOldServer).toBe(keepsOldServer);
  });

  test('old record with TTL 0: visible at once', () => {
    expect(planOf(withAddress(0)).visibleInSeconds).toBe(0);
  });

  test('record of another name: the new record waits for its absence only, not for the TTL', () => {
    const none = nxdomain(900);
    const doubledName = `${NAME}.${ZONE}`;
    const doubled = lookupOf('CNAME', value(cname(doubledName, 'cname.platform.test', 86_400)), doubledName);
    const { relatedNames } = buildFacts();
    const facts = buildFacts({
      servers: [buildAbsentServer(1, { cname: none, a: none, aaaa: none })],
      resolvers: [],
      relatedNames: { ...relatedNames, doubled },
    });
    const plan = planOf(facts);
    expect(plan.remove.map(({ name }) => name)).toEqual([doubledName]);
    expect(plan.lowerTtl).toBeUndefined();
    expect(plan.visibleInSeconds).toBe(900);
  });

  test.each([
    ['an absence of IPv6, which the target has', nodata(900), 900],
    ['an absence of IPv6 beyond what resolvers keep', nodata(604_800), 86_400],
    ['an IPv6 address', value(aaaa(NAME, '2001:db8::99', 60)), 300],
  ] as const)('old address with a short TTL, and %s', (_, six, seconds) => {
    const plan = planOf(withOne({ a: value(a(NAME, '192.0.2.99', 300)), aaaa: six }));
    expect(plan.visibleInSeconds).toBe(seconds);
  });

  test('new name in a zone with a negative TTL of a week: resolvers keep an absence for a day', () => {
    const server = buildAbsentServer(1);
    const zoneSoa = { ...server.zoneSoa!, minimum: 604_800 };
    const servers = [{ ...server, zoneSoa, soa: { ...server.soa, records: [] } }];
    expect(planOf(buildFacts({ servers, resolvers: [] })).visibleInSeconds).toBe(86_400);
  });

  test('CAA with a long TTL: no visitor waits for it', () => {
    const caa = lookupOf('CAA', value({ ...caaRecord(NAME, 'issue', 'ca.test'), ttl: 86_400 }));
    const facts = buildFacts({
      servers: [buildAbsentServer(1, { a: value(a(NAME, '192.0.2.99', 300)) })],
      caa: { ...buildFacts().caa, steps: [{ name: NAME, lookup: caa }] },
    });
    const plan = planOf(facts);
    expect(plan.current).toContainEqual(expect.objectContaining({ type: 'CAA', ttl: 86_400 }));
    expect(plan.lowerTtl).toBeUndefined();
    expect(plan.visibleInSeconds).toBe(300);
  });

  test('wildcard: removes nothing, but its records are cached', () => {
    const lookup = lookupOf('A', value(a('x7.shop.example.com', '192.0.2.99')), 'x7.shop.example.com');
    const facts = buildFacts({
      servers: [buildAbsentServer(1, { a: value(a(NAME, '192.0.2.99', 7200)) })],
      relatedNames: { ...buildFacts().relatedNames, wildcard: { name: '*.example.com', lookup } },
    });
    expect(planOf(facts)).toMatchObject({
      remove: [],
      todo: [{ action: 'add', record: { label: 'shop' } }],
      visibleInSeconds: 7200,
    });
  });

  test.for([
    ['ns1.porkbun.com', [{ type: 'A', label: '@' }], ['edit']],
    ['ns1.example.net', [], []],
  ] as const)(
    'apex at %s: removes addresses only for a record that is known to be possible',
    ([host, remove, actions]) => {
      const facts = addProvider(
        buildApexFacts({
          zone: buildZone({ kind: 'apex', ownHosts: [host] }),
          servers: [
            buildApexServer(1, {
              a: value(a(ZONE, '192.0.2.99', 60)),
              aRepeated: value(a(ZONE, '192.0.2.99', 60)),
              aaaa: nodata(),
            }),
          ],
        }),
      );
      const plan = planOf(facts);
      expect(plan).toMatchObject({ remove });
      expect(plan.todo.map(({ action }) => action)).toEqual(actions);
    },
  );

  test('correct record: no changes', () => {
    expect(planOf(buildFacts())).toMatchObject({
      current: [{ type: 'CNAME', value: 'cname.platform.test' }],
      remove: [],
      todo: [],
      visibleInSeconds: 0,
    });
  });

  test('no response: expected records, without a time', () => {
    const plan = planOf(buildFacts({ servers: [buildUniformServer(1, silent())] }));
    expect(plan).toMatchObject({ remove: [], todo: [], expected: [WANTED] });
    expect(plan).not.toHaveProperty('visibleInSeconds');
  });
});
