import { describe, expect, test } from 'vitest';
import { checkShop, summary } from './checked-domain.js';
import type { World } from './fake-dns.js';
import { NS1, NS2, TARGET, worldOf } from './world.js';

describe('an apex', () => {
  const cases: [string, World, string[]][] = [
    [
      'by ALIAS',
      worldOf([`@ ALIAS ${TARGET}.`, '@ MX 10 mx']),
      [
        'verified: apex in example.test by zone-cut',
        'apex.alias-proved info',
        'caa.ok info',
        'prop.done info',
      ],
    ],
    [
      'by addresses with the TTL of the target',
      worldOf(['@ 60 A 192.0.2.80', '@ 60 AAAA 2001:db8::80']),
      [
        'verified: apex in example.test by zone-cut',
        'apex.alias-consistent info',
        'caa.ok info',
        'prop.done info',
      ],
    ],
    [
      'by copied addresses',
      worldOf(['@ A 192.0.2.80', '@ AAAA 2001:db8::80']),
      [
        'verified: apex in example.test by zone-cut',
        'apex.looks-copied warn',
        'caa.ok info',
        'prop.done info',
      ],
    ],
    [
      'without addresses',
      worldOf([]),
      ['action-required: apex in example.test by zone-cut', 'apex.missing block', 'caa.ok info'],
    ],
    [
      'with an alias',
      worldOf([`@ CNAME ${TARGET}.`]),
      ['action-required: apex in example.test by zone-cut', 'apex.cname block', 'caa.ok info'],
    ],
    [
      'at another host',
      worldOf(['@ A 192.0.2.99']),
      ['action-required: apex in example.test by zone-cut', 'apex.wrong-address block', 'caa.ok info'],
    ],
    [
      'mixed',
      worldOf(['@ A 192.0.2.80', '@ A 192.0.2.99']),
      ['action-required: apex in example.test by zone-cut', 'apex.mixed block', 'caa.ok info'],
    ],
    [
      'with an old AAAA',
      worldOf(['@ A 192.0.2.80', '@ AAAA 2001:db8::99']),
      ['action-required: apex in example.test by zone-cut', 'apex.aaaa-stale block', 'caa.ok info'],
    ],
    [
      'with an ALIAS that fails',
      worldOf([`@ ALIAS ${TARGET}.`], { rcodes: aliasFailing() }),
      ['action-required: apex in example.test by zone-cut', 'apex.alias-broken block', 'caa.ok info'],
    ],
  ];
  test.each(cases)('%s', async (_, world, expected) => {
    const { report } = await checkShop({ domain: 'example.test' }, world);
    expect(summary(report)).toEqual(expected);
  });
});

function aliasFailing(): NonNullable<World['rcodes']> {
  const questions = [NS1, NS2].flatMap((address) =>
    ['A', 'AAAA'].map((type) => `${address} ${type} example.test`),
  );
  return Object.fromEntries(questions.map((question) => [question, 'SERVFAIL']));
}
