import { zoneUnreachableNs } from '../../../../src/domain/rules/zone/zone-unreachable-ns.js';
import {
  ask,
  buildFacts,
  buildServer,
  buildUniformServer,
  buildZone,
  silent,
  ZONE,
} from '../../facts-builder.js';
import { testRule } from '../../rule-table.js';

const ipv6 = { address: '2001:db8::53' };

testRule(zoneUnreachableNs, [
  {
    name: 'one of two is silent',
    facts: buildFacts({ servers: [buildServer(1), buildUniformServer(2, silent())] }),
    finds: ['zone.unreachable-ns warn'],
    says: ['ns2.example.net (192.0.2.2): no answer within 2 s'],
    shows: ['dig +norecurse @192.0.2.2 example.com SOA'],
  },
  {
    name: 'all are silent: unknown, never "no record"',
    facts: buildFacts({
      servers: [buildUniformServer(1, silent()), buildUniformServer(2, silent('malformed'))],
    }),
    finds: ['zone.unreachable-ns unknown'],
    says: ['nothing is known about the record'],
  },
  {
    name: 'a machine without IPv6 is told so in passing',
    facts: buildFacts({ servers: [buildServer(1), buildUniformServer(2, silent('unreachable'), ipv6)] }),
    finds: ['zone.unreachable-ns info'],
  },
  {
    name: 'IPv6 that times out is the server or the way to it',
    facts: buildFacts({ servers: [buildServer(1), buildUniformServer(2, silent(), ipv6)] }),
    finds: ['zone.unreachable-ns warn'],
  },
  {
    name: 'the start of authority comes, the record does not',
    facts: buildFacts({ servers: [buildServer(1, { cname: silent(), a: silent(), aaaa: silent() })] }),
    finds: ['zone.unreachable-ns unknown'],
    shows: ['dig +norecurse @192.0.2.1 shop.example.com CNAME'],
  },
  {
    name: 'a host whose address could not be asked for',
    facts: buildFacts({ zone: buildZone({ failedHosts: ['ns3.example.net'] }) }),
    finds: ['zone.unreachable-ns warn'],
    says: ['ns3.example.net: its address could not be asked for'],
    shows: ['dig ns3.example.net A'],
  },
  {
    name: 'the servers could not be found out',
    facts: buildFacts({
      servers: [],
      zone: buildZone({ delegation: ask('NS', silent(), ZONE), parentHosts: [], ownHosts: [] }),
    }),
    finds: ['zone.unreachable-ns unknown'],
    says: ['could not be found out', '192.0.2.1 says nothing usable (no answer within 2 s)'],
    shows: ['dig +norecurse @192.0.2.1 example.com NS'],
  },
  {
    name: 'by no resolver at a port of its own',
    facts: buildFacts({
      servers: [],
      zone: buildZone({
        delegation: ask('NS', silent(), ZONE, { address: '127.0.0.1', port: 5353, transport: 'dns' }),
        parentHosts: [],
        ownHosts: [],
      }),
    }),
    finds: ['zone.unreachable-ns unknown'],
    says: ['127.0.0.1:5353 says nothing usable'],
    shows: ['dig -p 5353 @127.0.0.1 example.com NS'],
  },
  {
    name: 'the hosts of the servers could not be asked for',
    facts: buildFacts({ servers: [], zone: buildZone({ failedHosts: ['ns1.example.net'] }) }),
    finds: ['zone.unreachable-ns unknown'],
    says: ['no address of ns1.example.net and ns2.example.net could be asked for'],
    shows: ['dig ns1.example.net A'],
  },
]);
