import { zoneLameNs } from '../../../../src/domain/rules/zone/zone-servers.js';
import {
  buildApexFacts,
  buildApexServer,
  buildServer,
  buildUniformServer,
  buildZone,
  flagged,
  refused,
  silent,
} from '../../facts-builder.js';
import { testRule } from '../../rule-table.js';

const intercepted = flagged(refused('not authoritative'), { rcode: 'NOERROR', recursionAvailable: true });

testRule(zoneLameNs, [
  [
    'one of two refuses',
    { servers: [buildServer(1), buildUniformServer(2, refused('REFUSED'))] },
    'zone.lame-ns warn',
    'Some name servers of example.com do not serve the zone',
    'ns2.example.net: REFUSED',
    'add the zone example.com',
    'dig +norecurse @192.0.2.2 example.com SOA',
  ],
  [
    'a sub-zone is listed in the zone above',
    {
      zone: buildZone({ name: 'team.example.com' }),
      servers: [buildServer(1), buildUniformServer(2, refused('REFUSED'))],
    },
    'zone.lame-ns warn',
    'remove this server from the list of name servers in the zone above team.example.com, at its DNS provider',
  ],
  [
    'all refuse',
    {
      servers: [buildUniformServer(1, refused('REFUSED')), buildUniformServer(2, refused('NOTAUTH'))],
    },
    'zone.lame-ns block',
    'No name server',
  ],
  [
    'all fail: it may be an outage',
    {
      servers: [buildUniformServer(1, refused('REFUSED')), buildUniformServer(2, refused('SERVFAIL'))],
    },
    'zone.lame-ns unknown',
    'ns2.example.net: SERVFAIL',
    'an outage',
    'Try again in a few minutes',
  ],
  [
    'all servers in the parent zone; one that only the zone lists serves it',
    {
      zone: buildZone({ parentHosts: ['ns1.example.net'] }),
      servers: [buildUniformServer(1, refused('REFUSED')), buildServer(2)],
    },
    'zone.lame-ns block',
  ],
  [
    'the only other server does not respond: it may be right',
    {
      servers: [buildUniformServer(1, refused('REFUSED')), buildUniformServer(2, silent())],
    },
    'zone.lame-ns warn',
  ],
  [
    'a host without an address',
    { zone: buildZone({ unresolvedHosts: ['ns3.example.net'] }) },
    'zone.lame-ns warn',
    'ns3.example.net: no address',
    'dig ns3.example.net A',
  ],
  [
    'the network intercepts all queries: zone.intercepted',
    {
      servers: [buildUniformServer(1, intercepted), buildUniformServer(2, intercepted)],
      access: { problem: 'intercepted', lookup: buildUniformServer(1, intercepted).soa },
    },
    'nothing',
  ],
  [
    'a server without the zone and without recursion',
    {
      servers: [buildUniformServer(1, flagged(intercepted, { recursionAvailable: false }))],
    },
    'zone.lame-ns block',
    ': not authoritative',
  ],
  [
    'SERVFAIL for addresses only is apex.alias-broken',
    buildApexFacts({
      servers: [buildApexServer(1, { a: refused('SERVFAIL'), aaaa: refused('SERVFAIL') })],
    }),
    'nothing',
  ],
]);
