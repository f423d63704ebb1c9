import { zoneLameNs } from '../../../../src/domain/rules/zone/zone-servers.js';
import {
  buildApexFacts,
  buildApexServer,
  buildFacts,
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
  {
    name: 'one of two refuses',
    facts: buildFacts({ servers: [buildServer(1), buildUniformServer(2, refused('REFUSED'))] }),
    finds: ['zone.lame-ns warn'],
    says: [
      'Some name servers of example.com do not serve the zone',
      'ns2.example.net: REFUSED',
      'add the zone example.com',
    ],
    shows: ['dig +norecurse @192.0.2.2 example.com SOA'],
  },
  {
    name: 'a sub-zone is listed in the zone above',
    facts: buildFacts({
      zone: buildZone({ name: 'team.example.com' }),
      servers: [buildServer(1), buildUniformServer(2, refused('REFUSED'))],
    }),
    finds: ['zone.lame-ns warn'],
    says: [
      'remove this server from the list of name servers in the zone above team.example.com, at its DNS provider',
    ],
  },
  {
    name: 'all refuse',
    facts: buildFacts({
      servers: [buildUniformServer(1, refused('REFUSED')), buildUniformServer(2, refused('NOTAUTH'))],
    }),
    finds: ['zone.lame-ns block'],
    says: ['No name server'],
  },
  {
    name: 'all fail: it may be an outage',
    facts: buildFacts({
      servers: [buildUniformServer(1, refused('REFUSED')), buildUniformServer(2, refused('SERVFAIL'))],
    }),
    finds: ['zone.lame-ns unknown'],
    says: ['ns2.example.net: SERVFAIL', 'an outage', 'Try again in a few minutes'],
  },
  {
    name: 'all servers in the parent zone; one that only the zone lists serves it',
    facts: buildFacts({
      zone: buildZone({ parentHosts: ['ns1.example.net'] }),
      servers: [buildUniformServer(1, refused('REFUSED')), buildServer(2)],
    }),
    finds: ['zone.lame-ns block'],
  },
  {
    name: 'the only other server does not respond: it may be right',
    facts: buildFacts({
      servers: [buildUniformServer(1, refused('REFUSED')), buildUniformServer(2, silent())],
    }),
    finds: ['zone.lame-ns warn'],
  },
  {
    name: 'a host without an address',
    facts: buildFacts({ zone: buildZone({ unresolvedHosts: ['ns3.example.net'] }) }),
    finds: ['zone.lame-ns warn'],
    says: ['ns3.example.net: no address'],
    shows: ['dig ns3.example.net A'],
  },
  {
    name: 'the network intercepts all queries: zone.intercepted',
    facts: buildFacts({
      servers: [buildUniformServer(1, intercepted), buildUniformServer(2, intercepted)],
      access: { problem: 'intercepted', lookup: buildUniformServer(1, intercepted).soa },
    }),
    finds: [],
  },
  {
    name: 'a server without the zone and without recursion',
    facts: buildFacts({
      servers: [buildUniformServer(1, flagged(intercepted, { recursionAvailable: false }))],
    }),
    finds: ['zone.lame-ns block'],
    says: [': not authoritative'],
  },
  {
    name: 'SERVFAIL for addresses only is apex.alias-broken',
    facts: buildApexFacts({
      servers: [buildApexServer(1, { a: refused('SERVFAIL'), aaaa: refused('SERVFAIL') })],
    }),
    finds: [],
  },
]);
