import { describe, expect, test } from 'vitest';
import type { DnsExchange, DnsResponse } from '../../src/domain/dns/dns.js';
import { failure, respond, type World } from './fake-dns.js';
import { expectSameSurfaces } from './surfaces.js';
import { NS1, NS2, RIGHT, SHOP, TARGET, worldOf, zoneLab } from './world.js';

/** Checks a domain whose servers' responses are changed: `ADDRESS TYPE NAME` and the response that the zone gives. */
async function checkChanged(
  world: World,
  change: (query: string, response: DnsResponse) => Partial<DnsResponse> | DnsExchange,
  domain = SHOP,
) {
  const lab = zoneLab(world);
  const { dns, options, check } = lab;
  options.dns = {
    ...dns,
    async query(server, question, queryOptions) {
      const exchange = await dns.query(server, question, queryOptions);
      if (exchange.kind === 'failure') return exchange;
      const changed = change(`${server.address} ${question.type} ${question.name}`, exchange.response);
      return 'kind' in changed ? changed : { ...exchange, response: { ...exchange.response, ...changed } };
    },
  };
  const report = await check({ domain });
  await expectSameSurfaces(report, lab, TARGET);
  const found = report.findings.map(({ id, severity }) => `${id} ${severity}`);
  return { report, found, text: JSON.stringify(report) };
}

const isAt = (query: string, ...addresses: string[]): boolean =>
  addresses.some((address) => query.startsWith(`${address} `));

describe('name servers that never set AA', () => {
  const withoutAa =
    (...addresses: string[]) =>
    (query: string) =>
      isAt(query, ...addresses) ? { authoritative: false } : {};

  test.each<[string, string[], string, string, string]>([
    ['the right alias', [RIGHT], SHOP, 'verified', 'record.ok info'],
    ['no record', [], SHOP, 'action-required', 'record.missing block'],
    ['an old address', ['shop A 192.0.2.9'], SHOP, 'action-required', 'conflict.address block'],
    [
      'an old alias',
      ['shop CNAME old', 'old A 192.0.2.9'],
      SHOP,
      'action-required',
      'record.wrong-target block',
    ],
    [
      'a record next to the alias',
      [RIGHT, 'shop MX 10 mail'],
      SHOP,
      'action-required',
      'conflict.coexist block',
    ],
    ['a chain', ['shop CNAME next', `next CNAME ${TARGET}.`], SHOP, 'verified', 'record.ok info'],
    ['a wildcard', [`* CNAME ${TARGET}.`], SHOP, 'verified', 'record.wildcard warn'],
    ['an apex', [`@ ALIAS ${TARGET}.`], 'example.test', 'verified', 'apex.alias-consistent info'],
    ['an apex without a record', [], 'example.test', 'action-required', 'apex.missing block'],
  ])('are used with a warning: %s', async (_, lines, domain, state, id) => {
    for (const addresses of [[NS1, NS2], [NS1], [NS2]]) {
      const { report, found, text } = await checkChanged(worldOf(lines), withoutAa(...addresses), domain);
      expect([report.state, found]).toEqual([
        state,
        expect.arrayContaining([
          'zone.lame-ns warn',
          // One server with authority may prove an ALIAS.
          addresses.length === 1 && id.startsWith('apex.alias') ? 'apex.alias-proved info' : id,
        ]),
      ]);
      expect(found.filter((one) => one.startsWith('caa.'))).toEqual(['caa.ok info']);
      expect(text).not.toContain('emove this server');
    }
  });

  test.each<[string, Partial<DnsResponse>, string]>([
    [
      'with recursion: a resolver responds in their place',
      { recursionAvailable: true },
      'zone.intercepted unknown',
    ],
    ['and have no records', { answers: [], authority: [] }, 'zone.lame-ns block'],
  ])('%s', async (_, parts, id) => {
    const { found } = await checkChanged(worldOf([RIGHT]), (query) =>
      isAt(query, NS1, NS2) ? { authoritative: false, ...parts } : {},
    );
    expect(found).toContain(id);
    expect(found).not.toContain('record.ok info');
  });
});

describe('an ALIAS that was transferred to a server that does not know it', () => {
  const copy = ['@ SOA ns1 1', '@ NS ns1', '@ NS ns2', `ns1 A ${NS1}`, `ns2 A ${NS2}`];
  const transferred =
    (domain: string, isKept = true) =>
    (query: string): Partial<DnsResponse> | DnsExchange => {
      const data = { type: 'TYPE65401' } as const;
      if (isKept && query === `${NS2} TYPE65401 ${domain}`)
        return respond({ authoritative: true, answers: [{ name: domain, ttl: 3600, data }] });
      return query === `${NS2} TYPE65401 ${domain}` ? respond({ authoritative: true }) : {};
    };

  test.each([
    ['an apex', 'example.test', '@', [], 'outgoing-axfr-expand-alias'],
    ['a subdomain', SHOP, 'shop', ['shop TXT kept'], `CNAME shop -> ${TARGET}`],
  ])('%s does not wait for it', async (_, domain, label, kept, advice) => {
    const world = worldOf(['@ SOA ns1 1', `${label} ALIAS ${TARGET}.`], {
      copies: { [`${NS2} example.test`]: [...copy, ...kept] },
    });
    const known = await checkChanged(world, transferred(domain), domain);
    expect([known.report.state, known.found]).toEqual([
      'action-required',
      expect.arrayContaining(['record.partial block']),
    ]);
    expect(known.text).toContain(advice);
    expect(known.text).toContain('TYPE65401');
    const unknown = await checkChanged(world, transferred(domain, false), domain);
    expect([unknown.report.state, unknown.found]).toEqual([
      'propagating',
      expect.arrayContaining(['record.partial wait']),
    ]);
  });
});

test('a server without TCP is no firewall', async () => {
  const { found, text } = await checkChanged(worldOf([RIGHT]), (query) =>
    query.includes(` TXT ${SHOP}`)
      ? { ...failure('unreachable', 'truncated over UDP; over TCP: connection refused'), isTruncated: true }
      : {},
  );
  expect(found).toContain('zone.unreachable-ns warn');
  expect(text).toContain('must respond over TCP');
  expect(text).not.toContain('drops queries');
});
