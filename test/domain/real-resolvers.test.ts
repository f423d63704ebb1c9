import { describe, expect, test } from 'vitest';
import type { Report } from '../../src/domain/report/report.js';
import type { DnsExchange, DnsRecord, DnsResponse } from '../../src/domain/dns/dns.js';
import { todoLines } from '../../src/domain/advice/plan.js';
import { readZone, respond, type World } from './fake-dns.js';
import { checkWithSurfaces } from './surfaces.js';
import { RESOLVER, RIGHT, SHOP, TARGET, worldOf, zoneLab } from './world.js';

const ZONE = 'example.test';

describe('a resolver that does not serve the public DNS', () => {
  const denials = {
    'NXDOMAIN to all': respond({ rcode: 'NXDOMAIN', recursionAvailable: true }),
    'no records to all': respond({ recursionAvailable: true }),
    'NXDOMAIN with the SOA of an own root': respond({
      rcode: 'NXDOMAIN',
      recursionAvailable: true,
      authority: [
        {
          name: '.',
          ttl: 60,
          data: { type: 'SOA', primary: 'inner', serial: 1, refresh: 3600, minimum: 60 },
        },
      ],
    }),
  };
  test.each(Object.entries(denials))('%s: nothing is known', async (_, denial) => {
    const lab = zoneLab(worldOf([], { replace: () => denial }));
    const report = await lab.check({ domain: 'shop.example.com', target: 'cname.example.net' });
    expect(report.state).toBe('inconclusive');
    expect(report.findings.filter(({ severity }) => severity === 'block')).toEqual([]);
    expect(report.findings[0]?.message).toMatch(/does not know \.(com|net)/);
    expect(todoLines(report)).toEqual([]);
  });

  test('another resolver that knows the public DNS responds instead', async () => {
    const inner = '192.0.2.99';
    const replace = (query: string): DnsExchange | undefined =>
      query.startsWith(`${inner} `) ? denials['NXDOMAIN to all'] : undefined;
    const base = worldOf([]);
    const world: World = {
      ...base,
      resolvers: [RESOLVER, inner],
      zones: { ...base.zones, com: ['@ NS a.nic.test.'] },
      replace,
    };
    const lab = zoneLab(world, { resolvers: [inner, RESOLVER] });
    const report = await lab.check({ domain: 'shop.example.com' });
    expect(report.findings).toContainEqual(
      expect.objectContaining({ id: 'zone.not-registered', severity: 'block' }),
    );
  });
});

describe('a resolver that still queries the former name servers', () => {
  const FORMER = '192.0.2.31';
  const isStale = ({ data }: DnsRecord): boolean => !['SOA', 'NS'].includes(data.type);
  test.each<[string, string[], number]>([
    [
      'have the old record: it may get that until the last second',
      ['@ 900 SOA ns1 1 300', 'shop 600 A 198.51.100.7'],
      700,
    ],
    ['have the right record, too', [RIGHT], 100],
    ['deny the name', ['@ 900 SOA ns1 1 300'], 400],
  ])('which %s', async (_, lines, seconds) => {
    const base = worldOf([RIGHT]);
    const world: World = {
      ...base,
      zones: {
        ...base.zones,
        test: [...(base.zones.test ?? []), 'former NS ns.platform'],
        'former.test': [`ns1 A ${FORMER}`],
      },
      servers: { ...base.servers, [FORMER]: [ZONE] },
      copies: { [`${FORMER} ${ZONE}`]: lines },
      replace: (query) => {
        const parts = { recursionAvailable: true };
        if (query === `${RESOLVER} NS ${ZONE}`)
          return respond({ ...parts, answers: readZone(ZONE, ['@ 100 NS ns1.former.test.']).slice(0, 1) });
        if (query === `${RESOLVER} A ${SHOP}`)
          return respond({ ...parts, answers: readZone(ZONE, ['shop 10 A 198.51.100.7']).filter(isStale) });
        return undefined;
      },
    };
    const report = await checkWithSurfaces(world);
    expect([report.state, report.estimate?.inSeconds]).toEqual(['propagating', seconds]);
    const stale = report.findings.find(({ id }) => id === 'prop.stale-positive');
    expect(stale?.message).toContain(
      'still queries the former name servers of example.test (ns1.former.test)',
    );
    expect(stale?.message).toContain('at most');
  });
});

describe('a resolver and the time that it keeps a response', () => {
  const soa = (owner: string, ttl: number): Partial<DnsResponse> => ({
    authority: [
      {
        name: owner,
        ttl,
        data: { type: 'SOA', primary: 'ns1', serial: 1, refresh: 3600, minimum: 60 },
      },
    ],
  });
  const denied = (owner: string, ttl: number) => ({ ...soa(owner, ttl), rcode: 'NXDOMAIN' });
  const answer = (...lines: string[]): Partial<DnsResponse> => ({
    answers: readZone(ZONE, lines).filter(({ data }) => !['SOA', 'NS'].includes(data.type)),
  });
  const extended = (code: number) => ({ extendedErrors: [{ code, text: '' }] });
  const expired = (code: number) => ({ ...answer('shop 30 A 198.51.100.7'), ...extended(code) });
  const alias = (ttl: number, addressTtl: number): Partial<DnsResponse> =>
    answer(`shop ${String(ttl)} CNAME old`, `old ${String(addressTtl)} A 192.0.2.9`);
  const wrongNext = answer(RIGHT, 'shop 1800 A 198.51.100.7', `${TARGET}. 60 A 192.0.2.80`);

  test.each<[string, Partial<DnsResponse>, Report['state'], number | null, string, string?]>([
    ['an absence, above the minimum of the zone', denied(ZONE, 3600), 'propagating', 3600, 'no address'],
    ['an absence, for a day at most', denied(ZONE, 604_800), 'propagating', 86_400, 'no address'],
    ['an absence of AAAA alone', soa(ZONE, 60), 'propagating', 60, `${SHOP} had no IPv6 address`, 'AAAA'],
    ['an absence of A alone', soa(ZONE, 60), 'propagating', 60, `${SHOP} had no IPv4 address`, 'A'],
    [
      'an address next to the alias (PowerDNS Recursor)',
      wrongNext,
      'propagating',
      1800,
      'the old record',
      'A',
    ],
    ['an old alias', alias(120, 30), 'propagating', 120, 'the old record, for 2 min at most', 'A'],
    ['the lowest TTL for all records', alias(25, 25), 'propagating', null, 'for 25 s at least', 'A'],
    ['an expired response (EDE 3)', expired(3), 'propagating', null, 'may do so for days'],
    ['an expired response (EDE 19)', expired(19), 'propagating', null, 'may do so for days'],
    ['a filter with an own SOA record', soa(SHOP, 30), 'inconclusive', null, 'no usable response'],
    ['a filter with EDE 15', { ...denied(ZONE, 60), ...extended(15) }, 'inconclusive', null, '(EDE 15)'],
    [
      'a filter with an address of its own and EDE 17',
      { ...answer('shop 60 A 198.51.100.7'), ...extended(17) },
      'inconclusive',
      null,
      '(EDE 17)',
      'A',
    ],
    [
      'an expired address next to the alias',
      { ...wrongNext, ...extended(3) },
      'propagating',
      null,
      'may do so for days',
      'A',
    ],
    [
      'an expired alias to nowhere',
      { ...answer('shop 30 CNAME gone'), ...soa(ZONE, 20), ...extended(19) },
      'propagating',
      null,
      'may do so for days',
    ],
    ['no record, and no SOA record', {}, 'inconclusive', null, 'no usable response'],
    ['a filter of IPv6 alone', soa(SHOP, 30), 'verified', null, 'have the record', 'AAAA'],
  ])('%s', async (_, response, state, seconds, text, onlyType) => {
    const replace = (query: string): DnsExchange | undefined => {
      const [address, type, name] = query.split(' ');
      if (address !== RESOLVER || name !== SHOP || type !== (onlyType ?? type)) return undefined;
      return respond({ recursionAvailable: true, ...response });
    };
    const report = await checkWithSurfaces(worldOf([RIGHT], { replace }));
    expect([report.state, report.estimate?.inSeconds ?? null]).toEqual([state, seconds]);
    const ofResolver = report.findings.filter(({ axis }) => axis === 'propagation');
    expect(ofResolver.map(({ message }) => message).join()).toContain(text);
  });
});
