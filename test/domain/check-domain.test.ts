import { describe, test } from 'vitest';
import { expectSubdomainFindings, RIGHT, SHOP, tld } from './checked-domain.js';
import type { World } from './fake-dns.js';
import { NS1, NS2, TARGET, worldOf } from './world.js';

describe('a subdomain', () => {
  test.each<[string, World, string]>([
    ['right everywhere', worldOf([RIGHT]), 'verified: record.ok info, caa.ok info, prop.done info'],
    ['missing', worldOf([]), 'action-required: record.missing block, caa.ok info'],
    [
      'a name that only holds others',
      worldOf(['a.shop A 192.0.2.9']),
      'action-required: record.missing block, caa.ok info',
    ],
    [
      'typed in full',
      worldOf([`${SHOP} CNAME ${TARGET}.`]),
      'action-required: record.doubled-label block, caa.ok info',
    ],
    [
      'to elsewhere',
      worldOf(['shop CNAME www', 'www A 192.0.2.99']),
      'action-required: record.wrong-target block, caa.ok info',
    ],
    [
      'to a misspelled target',
      worldOf(['shop CNAME cname.platfrom.test.']),
      'action-required: record.typo-target block, caa.ok info',
    ],
    [
      'without the final dot',
      worldOf([`shop CNAME ${TARGET}`]),
      'action-required: record.missing-dot block, caa.ok info',
    ],
    [
      'through another alias',
      worldOf(['shop CNAME www', `www CNAME ${TARGET}.`]),
      'verified: record.chain info, record.ok info, caa.ok info, prop.done info',
    ],
    [
      'through an alias of another zone',
      worldOf(['shop CNAME hop.other.test.'], otherZone(`hop CNAME ${TARGET}.`)),
      'verified: record.chain info, record.ok info, caa.ok info, prop.done info',
    ],
    [
      'in a loop',
      worldOf(['shop CNAME a', 'a CNAME shop']),
      'action-required: record.loop block, caa.ok info',
    ],
    [
      'in a loop over zones',
      worldOf(['shop CNAME hop.other.test.'], otherZone(`hop CNAME ${SHOP}.`)),
      'action-required: record.loop block, caa.ok info',
    ],
    [
      'to nowhere',
      worldOf(['shop CNAME gone.other.test.'], otherZone()),
      'action-required: record.dangling block, caa.ok info',
    ],
    ['an address', worldOf(['shop A 192.0.2.99']), 'action-required: conflict.address block, caa.ok info'],
    [
      "the target's address",
      worldOf(['shop A 192.0.2.80', 'shop AAAA 2001:db8::80']),
      'action-required: conflict.address block, caa.ok info',
    ],
    [
      'flattened',
      worldOf([`shop ALIAS ${TARGET}.`]),
      'verified: conflict.address warn, record.ok info, caa.ok info, prop.done info',
    ],
    [
      'two aliases',
      worldOf([RIGHT, 'shop CNAME other.test.']),
      'action-required: conflict.multiple-cname block, caa.ok info',
    ],
    [
      'an alias next to MX',
      worldOf([RIGHT, 'shop MX 10 mx']),
      'action-required: conflict.coexist block, caa.ok info',
    ],
    ['MX alone', worldOf(['shop MX 10 mx']), 'action-required: conflict.other-types block, caa.ok info'],
    [
      'an HTTPS record',
      worldOf([RIGHT, 'shop HTTPS 1 www.other.test.']),
      'action-required: conflict.coexist block, caa.ok info',
    ],
    [
      'by a wildcard',
      worldOf([`* CNAME ${TARGET}.`]),
      'verified: record.wildcard warn, record.ok info, caa.ok info, prop.done info',
    ],
    [
      'cached for two days',
      worldOf([`shop 172800 CNAME ${TARGET}.`]),
      'verified: record.ttl warn, record.ok info, caa.ok info, prop.done info',
    ],
  ])('%s', async (_, world, expected) => {
    await expectSubdomainFindings(world, expected);
  });
});

function otherZone(...lines: string[]): Partial<World> {
  return {
    zones: {
      ...tld([
        'example NS ns1.example',
        'example NS ns2.example',
        `ns1.example A ${NS1}`,
        `ns2.example A ${NS2}`,
        'other NS ns.other',
        'ns.other A 192.0.2.31',
      ]),
      'other.test': ['@ NS ns', 'ns A 192.0.2.31', ...lines],
    },
    servers: { '192.0.2.31': ['other.test'] },
  };
}
