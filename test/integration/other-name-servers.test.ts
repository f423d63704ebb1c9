import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkDomain, type Report } from '../../src/domain/index.js';
import { createLab, describeServers, type Lab } from './lab.js';
import { startNameServer, whyNoServer } from './name-server.js';
import { whyNotHere } from './programs.js';
import { startResolver } from './resolver.js';
import { delegationOf, platformZone, topZones, zoneAt } from './zone-text.js';

const TARGET = 'cname.platform.test';
const ADDRESS = {
  registry: '127.55.0.1',
  knot: '127.55.0.2',
  resolver: '127.55.0.3',
  gdnsd: '127.55.0.4',
  yadifa: '127.55.0.5',
  dnsdist: '127.55.0.6',
  tinydns: '127.55.0.7',
};
const RECORDS = [
  `shop CNAME ${TARGET}.`,
  'chain CNAME shop',
  'long CNAME chain',
  'old A 198.51.100.7',
  'dead CNAME nowhere',
  `*.wild CNAME ${TARGET}.`,
];
const PLATFORM = platformZone(ADDRESS.knot);
const COPIED = zoneAt('copied.test', ADDRESS.dnsdist, ['@ A 192.0.2.10', '@ AAAA 2001:db8::10']);
const OTHERS = {
  gdnsd: zoneAt('gdnsd.test', ADDRESS.gdnsd, RECORDS),
  yadifa: zoneAt('yadifa.test', ADDRESS.yadifa, RECORDS),
  tinydns: zoneAt('tinydns.test', ADDRESS.tinydns, [
    ...RECORDS,
    `both CNAME ${TARGET}.`,
    'both A 198.51.100.7',
  ]),
};
const SERVERS = ['gdnsd', 'yadifa', 'tinydns'] as const;
const DELEGATED = [PLATFORM, COPIED, ...Object.values(OTHERS)];
const why = (kind: 'dnsdist' | (typeof SERVERS)[number]): string | undefined =>
  whyNotHere() ?? whyNoServer(kind);

describeServers('against other name servers', whyNotHere(), () => {
  let lab: Lab<keyof typeof ADDRESS>;
  beforeAll(async () => {
    lab = await createLab(ADDRESS);
    const { at, daemons } = lab;
    const registry = topZones(ADDRESS.registry, DELEGATED.flatMap(delegationOf));
    await Promise.all([
      startNameServer('knot', daemons, at('knot'), [PLATFORM, COPIED]),
      startNameServer('knot', daemons, at('registry'), registry),
      ...SERVERS.filter((kind) => why(kind) === undefined).map((kind) =>
        startNameServer(kind, daemons, at(kind), [OTHERS[kind]]),
      ),
    ]);
    if (why('dnsdist') === undefined)
      await startNameServer('dnsdist', daemons, at('dnsdist'), [COPIED], at('knot'));
    await startResolver('unbound', daemons, at('resolver'), at('registry'), DELEGATED);
  });
  afterAll(() => (lab as Lab<string> | undefined)?.close());

  const check = (domain: string): Promise<Report> =>
    checkDomain({ domain, target: TARGET, plan: 'Pro', deployed: true }, lab.options('resolver'));
  const idsOf = ({ findings }: Report): string[] => findings.map(({ id }) => id);

  describe.each(SERVERS)('%s', (kind) => {
    test.skipIf(why(kind) !== undefined).each([
      ['shop', 'verified', 'record.ok'],
      ['chain', 'verified', 'record.chain'],
      ['long', 'verified', 'record.chain'],
      ['name.wild', 'verified', 'record.wildcard'],
      ['old', 'action-required', 'conflict.address'],
      ['none', 'action-required', 'record.missing'],
      ['dead', 'action-required', 'record.dangling'],
    ])('%s is %s', async (label, state, id) => {
      const report = await check(`${label}.${kind}.test`);
      expect([report.state, idsOf(report)]).toEqual([state, expect.arrayContaining([id])]);
      if (state === 'verified') expect(idsOf(report)).not.toContain('record.dangling');
    });
  });

  test.skipIf(why('tinydns') !== undefined)('an address next to an alias is a conflict', async () => {
    const report = await check('both.tinydns.test');
    expect(report.todo).toMatchObject([{ action: 'remove', record: { type: 'A', value: '198.51.100.7' } }]);
  });

  test.skipIf(why('dnsdist') !== undefined)('a cache in front of fixed addresses is no ALIAS', async () => {
    await check('copied.test');
    const report = await check('copied.test');
    expect(idsOf(report)).not.toContain('apex.alias-proved');
    expect(idsOf(report)).toContain('apex.looks-copied');
  });
});
