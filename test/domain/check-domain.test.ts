import { RIGHT, SHOP, testChecks, tld } from './checked-domain.js';
import type { World } from './fake-dns.js';
import { NS1, NS2, TARGET, worldOf } from './world.js';

testChecks('a subdomain', SHOP, {
  'right everywhere': [[RIGHT], 'verified: record.ok, caa.ok, prop.done'],
  missing: [[], 'action-required: record.missing block, caa.ok'],
  'a name that only holds others': [['a.shop A 192.0.2.9'], 'action-required: record.missing block, caa.ok'],
  'typed in full': [[`${SHOP} CNAME ${TARGET}.`], 'action-required: record.doubled-label block, caa.ok'],
  'to elsewhere': [
    ['shop CNAME www', 'www A 192.0.2.99'],
    'action-required: record.wrong-target block, caa.ok',
  ],
  'to a misspelled target': [
    ['shop CNAME cname.platfrom.test.'],
    'action-required: record.typo-target block, caa.ok',
  ],
  'to the target with a space at its end': [
    [`shop CNAME ${TARGET}\\032.`],
    'action-required: record.typo-target block, caa.ok',
  ],
  'to the target with a tab, and without the final dot': [
    [`shop CNAME ${TARGET}\\009`],
    'action-required: record.missing-dot block, caa.ok',
  ],
  'to the target with its ending twice': [
    [`shop CNAME ${TARGET}.test.`],
    'action-required: record.typo-target block, caa.ok',
  ],
  'the target as TXT': [[`shop TXT ${TARGET}`], 'action-required: conflict.other-types block, caa.ok'],
  'without the final dot': [[`shop CNAME ${TARGET}`], 'action-required: record.missing-dot block, caa.ok'],
  'through another alias': [
    ['shop CNAME www', `www CNAME ${TARGET}.`],
    'verified: record.chain, record.ok, caa.ok, prop.done',
  ],
  'through an alias of another zone': [
    worldOf(['shop CNAME hop.other.test.'], otherZone(`hop CNAME ${TARGET}.`)),
    'verified: record.chain, record.ok, caa.ok, prop.done',
  ],
  'in a loop': [['shop CNAME a', 'a CNAME shop'], 'action-required: record.loop block, caa.ok'],
  'in a loop over zones': [
    worldOf(['shop CNAME hop.other.test.'], otherZone(`hop CNAME ${SHOP}.`)),
    'action-required: record.loop block, caa.ok',
  ],
  'to nowhere': [
    worldOf(['shop CNAME gone.other.test.'], otherZone()),
    'action-required: record.dangling block, caa.ok',
  ],
  'an address': [['shop A 192.0.2.99'], 'action-required: conflict.address block, caa.ok'],
  "the target's address": [
    ['shop A 192.0.2.80', 'shop AAAA 2001:db8::80'],
    'action-required: conflict.address block, caa.ok',
  ],
  flattened: [[`shop ALIAS ${TARGET}.`], 'verified: conflict.address warn, record.ok, caa.ok, prop.done'],
  'two aliases': [
    [RIGHT, 'shop CNAME other.test.'],
    'action-required: conflict.multiple-cname block, caa.ok',
  ],
  'an alias next to MX': [[RIGHT, 'shop MX 10 mx'], 'action-required: conflict.coexist block, caa.ok'],
  'MX alone': [['shop MX 10 mx'], 'action-required: conflict.other-types block, caa.ok'],
  'an HTTPS record': [
    [RIGHT, 'shop HTTPS 1 www.other.test.'],
    'action-required: conflict.coexist block, caa.ok',
  ],
  'by a wildcard': [[`* CNAME ${TARGET}.`], 'verified: record.wildcard warn, record.ok, caa.ok, prop.done'],
  'cached for two days': [
    [`shop 172800 CNAME ${TARGET}.`],
    'verified: record.ttl warn, record.ok, caa.ok, prop.done',
  ],
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
