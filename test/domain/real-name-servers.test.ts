import { describe, expect, test } from 'vitest';
import type { Report } from '../../src/domain/report/report.js';
import type { DnsExchange, DnsRecord } from '../../src/domain/dns/dns.js';
import { todoLines } from '../../src/domain/advice/plan.js';
import { readZone, respond, type World } from './fake-dns.js';
import { checkWithSurfaces, expectSameSurfaces } from './surfaces.js';
import { EXAMPLE, NS1, NS2, RESOLVER, RIGHT, TARGET, worldOf, zoneLab } from './world.js';

const ZONE = 'example.test';
const OLD = 'A 198.51.100.7';

function found({ findings }: Report): string[] {
  return findings.map(({ id, severity }) => `${id} ${severity}`);
}

/** Every record that a report advises to remove. */
function removed({ findings, todo }: Report): string[] {
  const ofTodo = todo.flatMap(({ action, record, replaces = [] }) =>
    action === 'remove' ? [record] : replaces,
  );
  const ofFixes = findings.flatMap(({ fix }) => fix?.remove ?? []);
  return [...new Set([...ofTodo, ...ofFixes].map(({ type, value }) => `${type} ${value}`))].sort();
}

describe('two CNAMEs, one of them right (zonemaster, Thunderbird)', () => {
  const OLDS = {
    dead: 'shop CNAME gone.platform.test.',
    'without a zone': 'shop CNAME www.gone.test.',
    loop: 'shop CNAME shop.example.test.',
    private: 'shop CNAME inner.example.test.',
  };
  for (const [name, old] of Object.entries(OLDS)) {
    for (const [order, lines] of [
      ['first', [old, RIGHT]],
      ['last', [RIGHT, old]],
    ] as const) {
      test(`the old one is ${name} and comes ${order}: only that is removed`, async () => {
        const report = await checkWithSurfaces([...lines, 'inner A 10.0.0.8']);
        expect(report.state).toBe('action-required');
        expect(removed(report)).toEqual([expect.stringContaining('CNAME ')]);
        expect(removed(report)[0]).not.toContain(TARGET);
        expect(report.todo.map(({ action }) => action)).toEqual(['remove']);
        expect(todoLines(report)[0]?.text).toContain(`; the CNAME to ${TARGET} stays`);
      });
    }
  }
});

/** A server that returns the first alias alone, without the rest of the chain (gdnsd 3.8, npm dnsd 0.9). */
function withoutChains(lines: readonly string[], addresses: readonly string[] = [NS1, NS2]) {
  const records = readZone(ZONE, [...EXAMPLE, ...lines]);
  return (query: string): DnsExchange | undefined => {
    const [address = '', type = '', name = ''] = query.split(' ');
    const alias = records.find((record) => record.name === name && record.data.type === 'CNAME');
    if (!addresses.includes(address) || alias === undefined) return undefined;
    return type === 'CNAME' ? undefined : respond({ authoritative: true, answers: [alias] });
  };
}

describe('a server that does not follow aliases in its zone (gdnsd)', () => {
  test.each([
    ['one alias in the zone', ['shop CNAME hop', `hop CNAME ${TARGET}.`]],
    ['two', ['shop CNAME hop', 'hop CNAME last', `last CNAME ${TARGET}.`]],
  ])('%s: the chain leads to the target', async (_, lines) => {
    for (const addresses of [[NS1, NS2], [NS1], [NS2]]) {
      const report = await checkWithSurfaces(worldOf(lines, { replace: withoutChains(lines, addresses) }));
      expect(found(report)).not.toContain('record.dangling block');
      expect(report.state).toBe('verified');
    }
  });

  test('the target is in the same zone', async () => {
    const lines = ['shop CNAME plat', 'plat A 192.0.2.80'];
    const report = await checkWithSurfaces(
      worldOf(lines, { replace: withoutChains(lines) }),
      {},
      `plat.${ZONE}`,
    );
    expect(removed(report)).toEqual([]);
    expect(report.state).toBe('verified');
  });

  test('an alias to a name that does not exist is still dangling', async () => {
    const lines = ['shop CNAME gone'];
    const report = await checkWithSurfaces(worldOf(lines, { replace: withoutChains(lines) }));
    expect(found(report)).toContain('record.dangling block');
  });
});

/** Returns all records of a name with each of its aliases, as tinydns does. */
function allTogether(lines: readonly string[], isReversed: boolean, types: readonly string[]) {
  const own = (name: string): DnsRecord[] => readZone(ZONE, lines).filter((record) => record.name === name);
  return (query: string): DnsExchange | undefined => {
    const [address, type = '', name = ''] = query.split(' ');
    const records = own(name);
    const alias = records.filter(({ data }) => data.type === 'CNAME');
    if (address === RESOLVER || !types.includes(type) || alias.length === 0) return undefined;
    const others = records.filter(({ data }) => data.type === type && type !== 'CNAME');
    const answers = isReversed ? [...others, ...alias] : [...alias, ...others];
    return respond({ authoritative: true, answers });
  };
}

describe('records next to a CNAME in one response (tinydns)', () => {
  const TYPES = ['CNAME', 'A', 'AAAA', 'MX', 'TXT', 'HTTPS', 'CAA'];
  for (const other of [
    `shop ${OLD}`,
    'shop AAAA 2001:db8::7',
    'shop MX 10 mail',
    'shop TXT v=1',
    'shop HTTPS 1 host',
    'shop CAA 0 issue ca.test',
  ]) {
    test.each([false, true])(`${other}, reversed: %s`, async (isReversed) => {
      const lines = [RIGHT, other];
      const report = await checkWithSurfaces(
        worldOf(lines, { replace: allTogether(lines, isReversed, TYPES) }),
      );
      expect(found(report)).toContain('conflict.coexist block');
      expect(report.state).toBe('action-required');
      expect(report.todo).toMatchObject([{ action: 'remove', record: { type: other.split(' ')[1] } }]);
    });
  }

  test('the alias leads elsewhere: one step replaces both', async () => {
    const lines = ['shop CNAME www.platform.test.', `shop ${OLD}`];
    const report = await checkWithSurfaces(worldOf(lines, { replace: allTogether(lines, false, TYPES) }));
    expect(report.todo).toMatchObject([{ action: 'edit', replaces: [{ type: 'A' }, { type: 'CNAME' }] }]);
  });
});

describe('a secondary that is behind', () => {
  const copy = (serial: number, ...lines: string[]): string[] => [
    ...EXAMPLE,
    `@ 900 SOA ns1 ${String(serial)}`,
    ...lines,
  ];
  const OLD_COPIES = {
    'A and AAAA': [`shop ${OLD}`, 'shop AAAA 2001:db8::7'],
    A: [`shop ${OLD}`],
    AAAA: ['shop AAAA 2001:db8::7'],
    'an old CNAME': ['shop CNAME www.platform.test.'],
    'a dead CNAME': ['shop CNAME gone.platform.test.'],
    'a wildcard': [`* ${OLD}`, '* AAAA 2001:db8::7'],
    'MX and TXT': ['shop MX 10 mail', 'shop TXT v=1'],
    nothing: [],
  };
  for (const [has, lines] of Object.entries(OLD_COPIES)) {
    for (const [behind, ahead] of [
      [NS1, NS2],
      [NS2, NS1],
    ] as const) {
      for (const serial of [10, 11]) {
        test(`${behind} has ${has}, serial ${String(serial)} of 11`, async () => {
          const copies = {
            [`${behind} ${ZONE}`]: copy(serial, ...lines),
            [`${ahead} ${ZONE}`]: copy(11, RIGHT),
          };
          const world = worldOf([RIGHT], { copies, zones: { [ZONE]: copy(11, RIGHT) } });
          for (const thorough of [false, true]) {
            const report = await zoneLab(world).check({ thorough });
            if (!thorough) await expectSameSurfaces(report, zoneLab(world), TARGET);
            expect(found(report).filter((one) => one.endsWith(' block'))).toEqual([]);
            expect(found(report)).toContain('record.partial wait');
            if (serial === 10) expect(found(report)).toContain('zone.serial-skew wait');
            expect({ state: report.state, todo: report.todo }).toEqual({ state: 'propagating', todo: [] });
            expect(removed(report)).toEqual([]);
          }
        });
      }
    }
  }
});

describe('a target without an address', () => {
  const DEAD = 'cname.platfrom.platform.test';
  test.each([
    ['the record of another target works', [RIGHT]],
    ['an old address', [`shop ${OLD}`]],
    ['no record', []],
    ['an old alias next to an address', ['shop CNAME www.platform.test.', `shop ${OLD}`]],
    ['a TXT record', ['shop TXT v=1']],
    ['two aliases', [RIGHT, 'shop CNAME www.platform.test.']],
    ['a name typed in full', [`shop.example.test CNAME ${TARGET}.`]],
    ['an alias to nowhere', ['shop CNAME gone.platform.test.']],
  ])('%s: compare the target first, and change nothing', async (_, lines) => {
    const report = await checkWithSurfaces(lines, {}, DEAD);
    expect(report.state).toBe('action-required');
    expect(report.findings[0]).toMatchObject({ id: 'record.dangling' });
    expect({ todo: report.todo, removed: removed(report) }).toEqual({ todo: [], removed: [] });
    expect(report.findings.flatMap(({ fix }) => fix?.add ?? [])).toEqual([]);
    expect(todoLines(report)).toMatchObject([
      { text: expect.stringMatching(/^Compare the target/), records: [] },
    ]);
  });
});

describe('a target without an address, and servers that differ', () => {
  const DEAD = 'cname.platfrom.platform.test';
  const DEAD_ALIAS = `shop CNAME ${DEAD}.`;
  const copyOf = (soa: string): Partial<World> => ({
    copies: { [`${NS2} ${ZONE}`]: [...EXAMPLE, `@ 900 SOA ${soa}`, `shop ${OLD}`] },
  });
  const only = ['@ NS ns1', `ns1 A ${NS1}`];
  const cut = ['shop NS ns1', 'shop NS ns2'];
  const typed = worldOf([]);
  const delegations = (typed.zones.test ?? []).filter((line) => !line.startsWith('example '));
  test.each<[string, World]>([
    ['servers of two providers', worldOf([DEAD_ALIAS], copyOf('ns.other.test. 2026010101'))],
    [
      'a server that only the parent lists',
      worldOf([], {
        zones: { [ZONE]: [...only, DEAD_ALIAS] },
        copies: { [`${NS2} ${ZONE}`]: [...only, `shop ${OLD}`] },
      }),
    ],
    ['a zone of its own that no server has', worldOf(cut)],
    [
      'the target as a name server',
      { ...typed, zones: { ...typed.zones, test: [...delegations, `example NS ${DEAD}.`] } },
    ],
    [
      'an ALIAS that does not resolve',
      worldOf(['shop TXT v=1'], {
        replace: (query) =>
          /^192\.0\.2\.1[12] (A|AAAA) shop/.test(query) ? respond({ rcode: 'SERVFAIL' }) : undefined,
      }),
    ],
  ])('%s: no advice sets the target', async (_, world) => {
    const report = await zoneLab(world).check({ target: DEAD });
    expect(found(report)).toContain('record.dangling block');
    expect(report.todo).toEqual([]);
    const advice = report.findings.flatMap(({ fix }) => fix?.text ?? []).join(' ');
    expect(advice).not.toMatch(/-> cname\.platfrom|same records?/);
  });
});

test('copied addresses behind a cache in front of the server count down, and are copies (dnsdist)', async () => {
  let queries = 0;
  const replace = (query: string): DnsExchange | undefined => {
    if (!/^192\.0\.2\.1[12] A example\.test$/.test(query)) return undefined;
    queries += 1;
    const ttl = queries > 2 ? 3598 : 3600;
    return respond({
      authoritative: true,
      answers: readZone(ZONE, [`@ ${String(ttl)} A 192.0.2.80`]).slice(0, 1),
    });
  };
  const lab = zoneLab(worldOf(['@ A 192.0.2.80', '@ AAAA 2001:db8::80'], { replace }));
  const report = await lab.check({ domain: ZONE });
  expect(found(report)).toContain('apex.looks-copied warn');
  expect(found(report)).not.toContain('apex.alias-proved info');
});

test('an ALIAS at a subdomain whose target does not resolve is reported (PowerDNS)', async () => {
  const replace = (query: string): DnsExchange | undefined =>
    /^192\.0\.2\.1[12] (A|AAAA) shop/.test(query) ? respond({ rcode: 'SERVFAIL' }) : undefined;
  const report = await checkWithSurfaces(worldOf(['shop TXT v=1'], { replace }));
  expect(report.state).toBe('action-required');
  expect(found(report)).toContain('apex.alias-broken block');
});

test('never advises to remove the only name server', async () => {
  const report = await checkWithSurfaces(worldOf([RIGHT], { faults: { [NS1]: 'lame', [NS2]: 'lame' } }));
  expect(found(report)).toContain('zone.lame-ns block');
  expect(report.findings.map(({ fix }) => fix?.text ?? '').join(' ')).not.toMatch(/remove/i);
});
