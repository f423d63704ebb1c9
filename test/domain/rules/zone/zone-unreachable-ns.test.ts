import { zoneUnreachableNs } from '../../../../src/domain/rules/zone/zone-servers.js';
import {
  lookupOf,
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
    name: 'one of two does not respond',
    facts: buildFacts({ servers: [buildServer(1), buildUniformServer(2, silent())] }),
    finds: ['zone.unreachable-ns warn'],
    says: ['ns2.example.net: no response within 2 s'],
    shows: ['dig +norecurse @192.0.2.2 example.com SOA'],
  },
  {
    name: 'none responds: unknown, never "no record"',
    facts: buildFacts({
      servers: [buildUniformServer(1, silent()), buildUniformServer(2, silent('malformed'))],
    }),
    finds: ['zone.unreachable-ns unknown'],
    says: ['No name server of example.com sent a usable response, so the record is unknown'],
  },
  {
    name: 'a machine without IPv6 gets info only',
    facts: buildFacts({ servers: [buildServer(1), buildUniformServer(2, silent('unreachable'), ipv6)] }),
    finds: ['zone.unreachable-ns info'],
  },
  {
    name: 'an IPv6 time-out is a server or network problem',
    facts: buildFacts({ servers: [buildServer(1), buildUniformServer(2, silent(), ipv6)] }),
    finds: ['zone.unreachable-ns warn'],
  },
  {
    name: 'SOA responds, the record does not',
    facts: buildFacts({ servers: [buildServer(1, { cname: silent(), a: silent(), aaaa: silent() })] }),
    finds: ['zone.unreachable-ns unknown'],
    shows: ['dig +norecurse @192.0.2.1 shop.example.com CNAME'],
  },
  {
    name: 'the query for a host’s address fails',
    facts: buildFacts({ zone: buildZone({ failedHosts: ['ns3.example.net'] }) }),
    finds: ['zone.unreachable-ns warn'],
    says: ['ns3.example.net: the query for its address failed'],
    shows: ['dig ns3.example.net A'],
  },
  {
    name: 'the name servers are unknown',
    facts: buildFacts({
      servers: [],
      zone: buildZone({ delegation: lookupOf('NS', silent(), ZONE), parentHosts: [], ownHosts: [] }),
    }),
    finds: ['zone.unreachable-ns unknown'],
    says: ['The name servers of', 'The query to 192.0.2.1 failed (no response within 2 s)'],
    shows: ['dig +norecurse @192.0.2.1 example.com NS'],
  },
  {
    name: 'the query to a resolver with its own port fails',
    facts: buildFacts({
      servers: [],
      zone: buildZone({
        delegation: lookupOf('NS', silent(), ZONE, { address: '127.0.0.1', port: 5353, transport: 'dns' }),
        parentHosts: [],
        ownHosts: [],
      }),
    }),
    finds: ['zone.unreachable-ns unknown'],
    says: ['The query to 127.0.0.1:5353 failed'],
    shows: ['dig -p 5353 @127.0.0.1 example.com NS'],
  },
  {
    name: 'the queries for the hosts’ addresses fail',
    facts: buildFacts({ servers: [], zone: buildZone({ failedHosts: ['ns1.example.net'] }) }),
    finds: ['zone.unreachable-ns unknown'],
    says: ['The queries for the addresses of ns1.example.net and ns2.example.net failed'],
    shows: ['dig ns1.example.net A'],
  },
]);
