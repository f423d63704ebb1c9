import { describe, expect, test } from 'vitest';
import { checkShop, summary, testChecks } from './checked-domain.js';
import type { World } from './fake-dns.js';
import { NS1, NS2, TARGET, worldOf } from './world.js';

testChecks('an apex', 'example.test', {
  'by ALIAS': [[`@ ALIAS ${TARGET}.`, '@ MX 10 mx'], 'verified, apex: apex.alias-proved, caa.ok, prop.done'],
  'by addresses with the TTL of the target': [
    ['@ 60 A 192.0.2.80', '@ 60 AAAA 2001:db8::80'],
    'verified, apex: apex.alias-consistent, caa.ok, prop.done',
  ],
  'by copied addresses': [
    ['@ A 192.0.2.80', '@ AAAA 2001:db8::80'],
    'verified, apex: apex.looks-copied warn, caa.ok, prop.done',
  ],
  'without addresses': [[], 'action-required, apex: apex.missing block, caa.ok'],
  'with an alias': [[`@ CNAME ${TARGET}.`], 'action-required, apex: apex.cname block, caa.ok'],
  'at another host': [['@ A 192.0.2.99'], 'action-required, apex: apex.wrong-address block, caa.ok'],
  mixed: [['@ A 192.0.2.80', '@ A 192.0.2.99'], 'action-required, apex: apex.mixed block, caa.ok'],
  'with an old AAAA': [
    ['@ A 192.0.2.80', '@ AAAA 2001:db8::99'],
    'action-required, apex: apex.aaaa-stale block, caa.ok',
  ],
  'with an ALIAS that fails': [
    worldOf([`@ ALIAS ${TARGET}.`], { rcodes: aliasFailing() }),
    'action-required, apex: apex.alias-broken block, caa.ok',
  ],
});

/** A target that returns another address in each response, such as a CDN. */
function rotating(apex: readonly string[]): World {
  const world = worldOf(apex);
  const own = world.zones['platform.test'] ?? [];
  let count = 0;
  return {
    ...world,
    zones: {
      ...world.zones,
      get 'platform.test'() {
        count += 1;
        return [
          ...own.filter((line) => !line.startsWith('cname')),
          `cname 60 A 192.0.2.${String(100 + count)}`,
        ];
      },
    },
  };
}

testChecks('an apex for a target with other addresses in each response', 'example.test', {
  'by ALIAS': [rotating([`@ ALIAS ${TARGET}.`]), 'verified, apex: apex.alias-proved, caa.ok, prop.done'],
  'by addresses of an old host': [
    rotating(['@ A 198.51.100.7']),
    'action-required, apex: apex.wrong-address block, caa.ok',
  ],
  'by ALIAS and an old IPv6 address': [
    rotating([`@ ALIAS ${TARGET}.`, '@ AAAA 2001:db8::99']),
    'action-required, apex: apex.aaaa-stale block, caa.ok',
  ],
});

describe('an apex for a target with other addresses in each response', () => {
  test('by ALIAS to another host whose TTL counts down can not be decided', async () => {
    const world = worldOf(['@ ALIAS old.platform.test.'], {
      zones: {
        'platform.test': ['@ NS ns', 'ns A 192.0.2.21', 'cname 60 A 192.0.2.80', 'old 60 A 198.51.100.7'],
      },
    });
    const { report } = await checkShop({ domain: 'example.test' }, world);
    expect(summary(report)).toEqual('inconclusive, apex: apex.wrong-address unknown, caa.ok');
    const finding = report.findings.find(({ id }) => id === 'apex.wrong-address');
    expect(finding?.message).toContain('is an ALIAS');
    expect(finding?.fix?.text).toContain(`Check that the record reads ALIAS @ -> ${TARGET}`);
  });

  test('waits for a resolver with an older record', async () => {
    const world = {
      ...rotating([`@ ALIAS ${TARGET}.`]),
      cached: { 'A example.test': ['@ 1800 A 198.51.100.7'] },
    };
    const { report } = await checkShop({ domain: 'example.test' }, world);
    expect([report.state, report.estimate?.inSeconds]).toEqual(['propagating', 1799]);
  });
});

function aliasFailing(): NonNullable<World['rcodes']> {
  const questions = [NS1, NS2].flatMap((address) =>
    ['A', 'AAAA'].map((type) => `${address} ${type} example.test`),
  );
  return Object.fromEntries(questions.map((question) => [question, 'SERVFAIL']));
}
