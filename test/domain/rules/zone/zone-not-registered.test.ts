import { zoneNotRegistered } from '../../../../src/domain/rules/zone/zone-delegation.js';
import { lookupOf, buildZone, nxdomain, silent, ZONE } from '../../facts-builder.js';
import type { Lookup } from '../../../../src/domain/facts/lookup.js';
import { respond } from '../../fake-dns.js';
import { testRule } from '../../rule-table.js';

const rootSoa = { type: 'SOA', primary: 'a.root.test', serial: 1, refresh: 1800, minimum: 86_400 } as const;
const deniedByRoot = (): Lookup => {
  const lookup = lookupOf('NS', nxdomain(), 'example.nosuch');
  const exchange = respond({ rcode: 'NXDOMAIN', authority: [{ name: '', ttl: 86_400, data: rootSoa }] });
  return { ...lookup, exchange };
};

testRule(zoneNotRegistered, [
  [
    'the top-level domain does not exist',
    {
      servers: [],
      zone: buildZone({ delegation: deniedByRoot(), registrable: 'example.nosuch' }),
    },
    'zone.not-registered block',
    "The top-level domain .nosuch does not exist, so example.nosuch can't exist.",
    'Check the spelling of the ending .nosuch.',
  ],
  [
    'the parent does not know the name',
    { servers: [], zone: buildZone({ delegation: lookupOf('NS', nxdomain(), ZONE) }) },
    'zone.not-registered block',
    'example.com is not registered',
    'paid for',
    'dig +norecurse @192.0.2.1 example.com NS',
  ],
  [
    'the parent does not respond',
    { servers: [], zone: buildZone({ delegation: lookupOf('NS', silent(), ZONE) }) },
    'nothing',
  ],
]);
