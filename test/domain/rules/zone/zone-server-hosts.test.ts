import { zoneServerHosts } from '../../../../src/domain/rules/zone/zone-name-servers.js';
import { buildZone } from '../../facts-builder.js';
import { testRule } from '../../rule-table.js';

const HOST = 'ns1.example.com';

testRule(zoneServerHosts, [
  [
    'an alias',
    { zone: buildZone({ aliasHosts: [{ host: HOST, target: 'real.example.net' }] }) },
    'zone.lame-ns warn',
    'ns1.example.com is an alias of real.example.net',
    'at your registrar',
    'enter real.example.net',
    'dig ns1.example.com CNAME',
  ],
  [
    'outdated glue',
    {
      zone: buildZone({ glueDifferences: [{ host: HOST, atParent: ['192.0.2.7'], inZone: ['192.0.2.1'] }] }),
    },
    'zone.ns-mismatch warn',
    'ns1.example.com is 192.0.2.7, but 192.0.2.1 in the zone',
    'under "Host records" or "Glue records", set ns1.example.com to 192.0.2.1',
  ],
]);
