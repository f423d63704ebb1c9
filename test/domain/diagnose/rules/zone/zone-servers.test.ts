import { zoneLameNs } from '../../../../../src/domain/diagnose/rules/zone/zone-lame-ns.js';
import {
  zoneIntercepted,
  zoneUnreachableNs,
} from '../../../../../src/domain/diagnose/rules/zone/zone-servers.js';
import { zoneRejectedTypes } from '../../../../../src/domain/diagnose/rules/zone/zone-rejected-types.js';
import {
  buildServer,
  buildUniformServer,
  buildZone,
  flagged,
  refused,
  silent,
  lookupOf,
  NAME,
  nodata,
  ZONE,
} from '../../../facts-builder.js';
import { testRule } from '../../../rule-table.js';

const intercepted = flagged(refused('not authoritative'), { rcode: 'NOERROR', recursionAvailable: true });

testRule(zoneLameNs, {
  'one of two refuses: zone.lame-ns warn': [
    { servers: [buildServer(1), buildUniformServer(2, refused('REFUSED'))] },
    'Some name servers of example.com do not serve the zone',
    'ns2.example.net: REFUSED',
    'At the provider of ns2.example.net, add the zone example.com',
    'dig +norecurse @192.0.2.2 example.com SOA',
  ],
  'a sub-zone is listed in the zone above: zone.lame-ns warn': [
    {
      zone: buildZone({ name: 'team.example.com' }),
      servers: [buildServer(1), buildUniformServer(2, refused('REFUSED'))],
    },
    'remove ns2.example.net from the list of name servers in the zone above team.example.com, at its DNS provider',
  ],
  'all refuse: zone.lame-ns block': [
    { servers: [buildUniformServer(1, refused('REFUSED')), buildUniformServer(2, refused('NOTAUTH'))] },
    'No name server',
  ],
  'all fail: it may be an outage: zone.lame-ns unknown': [
    { servers: [buildUniformServer(1, refused('REFUSED')), buildUniformServer(2, refused('SERVFAIL'))] },
    'ns2.example.net: SERVFAIL',
    'an outage',
    'Try again in a few minutes',
  ],
  'the servers of a delegated name refuse: it may need no zone of its own: zone.lame-ns block': [
    {
      domain: { input: NAME, ascii: NAME, unicode: NAME },
      zone: buildZone({
        name: NAME,
        kind: 'apex',
        cut: { parentZone: ZONE, referral: lookupOf('A', nodata()) },
      }),
      servers: [buildUniformServer(1, refused('REFUSED'))],
    },
    'Or, if nothing else uses this zone, replace NS and DS of shop in example.com with CNAME shop -> cname.platform.test.',
  ],
  'the only other server does not respond: it may be right: zone.lame-ns warn': {
    servers: [buildUniformServer(1, refused('REFUSED')), buildUniformServer(2, silent())],
  },
  'a host without an address: zone.lame-ns warn': [
    { zone: buildZone({ unresolvedHosts: ['ns3.example.net'] }) },
    'ns3.example.net: no address',
    'dig ns3.example.net A',
  ],
  'the network intercepts all queries: zone.intercepted: nothing': {
    servers: [buildUniformServer(1, intercepted), buildUniformServer(2, intercepted)],
    access: { problem: 'intercepted', lookup: buildUniformServer(1, intercepted).soa },
  },
  'a server without the zone and without recursion: zone.lame-ns block': [
    { servers: [buildUniformServer(1, flagged(intercepted, { recursionAvailable: false }))] },
    ': not authoritative',
  ],
});

const ipv6 = { address: '2001:db8::53' };

testRule(zoneUnreachableNs, {
  'one of two does not respond: zone.unreachable-ns warn': [
    { servers: [buildServer(1), buildUniformServer(2, silent())] },
    'ns2.example.net: no response within 2 s',
    'dig +norecurse @192.0.2.2 example.com SOA',
  ],
  'none responds: unknown, never "no record": zone.unreachable-ns unknown': [
    { servers: [buildUniformServer(1, silent()), buildUniformServer(2, silent('malformed'))] },
    'No name server of example.com sent a usable response, so the record is unknown',
  ],
  'a machine without IPv6 gets info only: zone.unreachable-ns info': {
    servers: [buildServer(1), buildUniformServer(2, silent('unreachable'), ipv6)],
  },
  'all servers have only IPv6, and the machine has none: zone.unreachable-ns unknown': [
    { servers: [buildUniformServer(1, silent('unreachable'), ipv6)] },
    'have only IPv6 addresses, and this network has no IPv6',
    'Check from a network with IPv6.',
  ],
  'an IPv6 time-out is a server or network problem: zone.unreachable-ns warn': {
    servers: [buildServer(1), buildUniformServer(2, silent(), ipv6)],
  },
  'the query for a host’s address fails: zone.unreachable-ns warn': [
    { zone: buildZone({ failedHosts: ['ns3.example.net'] }) },
    'ns3.example.net: the query for its address failed',
    'dig ns3.example.net A',
  ],
  'the name servers are unknown: zone.unreachable-ns unknown': [
    {
      servers: [],
      zone: buildZone({ delegation: lookupOf('NS', silent(), ZONE), parentHosts: [], ownHosts: [] }),
    },
    'The name servers of',
    'The query to 192.0.2.1 failed (no response within 2 s)',
    'dig +norecurse @192.0.2.1 example.com NS',
  ],
  'the query to a resolver with its own port fails: zone.unreachable-ns unknown': [
    {
      servers: [],
      zone: buildZone({
        delegation: lookupOf('NS', silent(), ZONE, { address: '127.0.0.1', port: 5353, transport: 'dns' }),
        parentHosts: [],
        ownHosts: [],
      }),
    },
    'The query to 127.0.0.1:5353 failed',
    'dig -p 5353 @127.0.0.1 example.com NS',
  ],
  'the queries for the hosts’ addresses fail: zone.unreachable-ns unknown': [
    { servers: [], zone: buildZone({ failedHosts: ['ns1.example.net'] }) },
    'The queries for the addresses of ns1.example.net and ns2.example.net failed',
    'dig ns1.example.net A',
  ],
});

testRule(zoneIntercepted, {
  'something else responds in place of a server: zone.intercepted unknown': [
    { access: { problem: 'intercepted', lookup: buildUniformServer(1, intercepted).soa } },
    'Or name a resolver over HTTPS with --doh URL.',
    'dig +norecurse @192.0.2.1 example.com SOA',
  ],
  'the same, with the view of a resolver: zone.intercepted warn': {
    access: {
      problem: 'intercepted',
      lookup: buildUniformServer(1, intercepted).soa,
      view: { label: 'the resolver of this network', server: buildUniformServer(1, intercepted).server },
    },
  },
});

testRule(zoneRejectedTypes, {
  'a firewall drops HTTPS: zone.unreachable-ns warn': [
    { servers: [buildServer(1, { https: silent() }), buildServer(2)] },
    'respond, but not to queries for HTTPS. ns1.example.net: no response within 2 s.',
    'whether a firewall drops queries for HTTPS',
    'dig +norecurse @192.0.2.1 shop.example.com HTTPS',
  ],
});
