import { describe, expect, test } from 'vitest';
import type { Lookup } from '../../../../src/domain/gather/facts/lookup.js';
import { classify } from '../../../../src/domain/gather/facts/classify.js';
import type { ZoneView } from '../../../../src/domain/gather/facts/facts.js';
import { EMPTY_ZONE } from '../../../../src/domain/gather/zone.js';
import { queryDs, querySignatures } from '../../../../src/domain/gather/zone-records.js';
import type { DnsRecord, DnsResponse, DnsServer } from '../../../../src/domain/dns/dns.js';
import { ns } from '../../facts-builder.js';
import { failure, respond } from '../../fake-dns.js';
import { contextOf, NS1, NS2, TLD, worldOf } from '../../world.js';

const ZONE = 'example.test';
const PARENT: DnsServer = { address: TLD, port: 53, transport: 'dns', host: 'a.nic.test' };
const DS: DnsRecord = {
  name: ZONE,
  ttl: 3600,
  data: { type: 'DS', keyTag: 4711, algorithm: 13, digestType: 2, digest: 'ab' },
};

/** The NS lookup at the parent, with this response. */
function parentLookup(response: Partial<DnsResponse>, server = PARENT): Lookup {
  return classify({ name: ZONE, type: 'NS' }, server, respond(response), false);
}

async function dsFrom(parent: Lookup | undefined, zone = ZONE) {
  const { context, dns } = contextOf(worldOf([]));
  return { ds: await queryDs(context, parent, zone), queries: dns.queries };
}

const REFERRAL = [ns(ZONE, `ns1.${ZONE}`), ns(ZONE, `ns2.${ZONE}`)];

describe('the DS records of a zone', () => {
  test('come with the referral, without a query', async () => {
    const { ds, queries } = await dsFrom(parentLookup({ authority: [...REFERRAL, DS] }));
    expect(ds).toMatchObject({ outcome: 'value', question: { name: ZONE, type: 'DS' }, records: [DS] });
    expect(queries).toEqual([]);
  });

  test('are absent from the referral of an unsigned zone', async () => {
    const { ds, queries } = await dsFrom(parentLookup({ authority: REFERRAL }));
    expect(ds).toMatchObject({ outcome: 'nodata', records: [] });
    expect(queries).toEqual([]);
  });

  test('of another zone in the referral do not count', async () => {
    const { ds } = await dsFrom(parentLookup({ authority: [...REFERRAL, { ...DS, name: 'other.test' }] }));
    expect(ds?.outcome).toBe('nodata');
  });

  test.each<[string, Lookup]>([
    ['a response without EDNS, which has no DS', parentLookup({ authority: REFERRAL, withoutEdns: true })],
    ['a response that is no referral', parentLookup({ authoritative: true, answers: REFERRAL })],
  ])('are queried at the parent after %s', async (_, parent) => {
    expect((await dsFrom(parent)).queries).toEqual([`${TLD} DS ${ZONE}`]);
  });

  test('are queried at the parent after a referral to a zone above', async () => {
    const above = parentLookup({ authority: [ns('test', 'a.nic.test')] });
    expect((await dsFrom(above)).queries).toEqual([`${TLD} DS ${ZONE}`]);
  });

  test.each<[string, Lookup | undefined]>([
    ['a resolver', parentLookup({ authority: [...REFERRAL, DS] }, { ...PARENT, host: undefined } as never)],
    ['no parent', undefined],
    [
      'a parent that failed',
      classify({ name: ZONE, type: 'NS' }, PARENT, failure('timeout', 'no response'), false),
    ],
  ])('are unknown after the response of %s', async (_, parent) => {
    expect(await dsFrom(parent)).toEqual({ ds: undefined, queries: [] });
  });
});

describe('the signatures of a zone', () => {
  const servers = [NS1, NS2].map((address): DnsServer => ({
    address,
    port: 53,
    transport: 'dns',
    host: 'h',
  }));
  const zone = (parts: Partial<ZoneView>): ZoneView => ({
    ...EMPTY_ZONE,
    name: ZONE,
    registrable: ZONE,
    servers,
    ...parts,
  });
  const signed = (): Lookup => ({
    ...parentLookup({ authority: [...REFERRAL, DS] }),
    outcome: 'value',
    records: [DS],
  });
  const wanted = { name: `shop.${ZONE}`, type: 'CNAME', owner: 'domain' } as const;

  test('are queried at each server, the keys once for all names', async () => {
    const { context, dns } = contextOf(worldOf([]));
    const [facts] = await querySignatures(context, zone({ ds: signed() }), wanted);
    expect(facts?.servers.map(({ server }) => server.address)).toEqual([NS1, NS2]);
    await querySignatures(context, zone({ ds: signed() }), { ...wanted, name: `www.${ZONE}` });
    const keyQueries = dns.queries.filter((line) => line.includes('DNSKEY'));
    expect(keyQueries).toEqual([`${NS1} DNSKEY ${ZONE}`, `${NS2} DNSKEY ${ZONE}`]);
  });

  test.each<[string, Partial<ZoneView>]>([
    ['an unsigned zone', { ds: { ...signed(), outcome: 'nodata', records: [] } }],
    ['a zone whose parent was not queried', {}],
    ['a silent zone', { ds: signed(), isSilent: true }],
  ])('are not queried for %s', async (_, parts) => {
    const { context, dns } = contextOf(worldOf([]));
    expect(await querySignatures(context, zone(parts), wanted)).toEqual([]);
    expect(dns.queries).toEqual([]);
  });
});
