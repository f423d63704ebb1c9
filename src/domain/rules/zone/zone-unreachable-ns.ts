import { digCommand, evidenceOf, failureText } from '../../views/evidence.js';
import type { Facts, ServerFacts } from '../../facts/facts.js';
import type { Evidence, Finding, Severity } from '../../finding/finding.js';
import { isIpv6, withPort } from '../../name/ip-address.js';
import { isNotQueried, type Lookup } from '../../facts/lookup.js';
import { listed, reasonSentences } from '../../finding/printable.js';
import type { DnsServer } from '../../resolver/dns.js';
import { reachedServers } from '../../views/server-view.js';

/**
 * `zone.unreachable-ns`: name servers without a usable response. This does not mean "no record". Servers that were not
 * queried in time belong to `time.ran-out`.
 */
export function zoneUnreachableNs(facts: Facts): Finding[] {
  // zone.intercepted reports a network without access.
  if (facts.access !== undefined) return [];
  const failures = facts.servers.flatMap((server) => noResponseOf(server) ?? []);
  const ranOut = facts.ranOutAfterMs !== undefined;
  const failedHosts = facts.servers.length === 0 || ranOut ? [] : (facts.zone.failedHosts ?? []);
  if (failures.length + failedHosts.length === 0) return ranOut ? [] : unknownServers(facts);
  const reasons = reasonSentences([
    ...failures.map((lookup) => ({ host: hostText(lookup.server), reason: reasonText(lookup) })),
    ...failedHosts.map((host) => ({ host, reason: 'the query for its address failed' })),
  ]);
  const isAll = reachedServers(facts).length === 0 && !ranOut;
  const isAnyInternal = failures.some(isNotQueried);
  const areInternal = failedHosts.length === 0 && failures.every(isNotQueried);
  const areSilent = !failures.some(isMalformed);
  const [did, didNot] = areInternal
    ? ['was queried', 'were not queried']
    : areSilent
      ? ['responded', 'did not respond']
      : ['sent a usable response', 'sent no usable response'];
  const { name } = facts.zone;
  return [
    {
      id: 'zone.unreachable-ns',
      axis: 'zone',
      severity: severityOf(facts, failures, failedHosts),
      message: isAll
        ? `No name server of ${name} ${did}, so the record is unknown. ${reasons}`
        : `Some name servers of ${name} ${didNot}. ${reasons}`,
      fix: {
        action: 'other',
        text: [
          ...(areInternal ? [] : [isAll ? networkText(areSilent) : RETRY_TEXT]),
          ...(isAnyInternal ? [INTERNAL_TEXT] : []),
        ].join(' '),
        records: [],
      },
      evidence: [
        ...failures.map((lookup) => evidenceOf(lookup)),
        ...failedHosts.map((host): Evidence => ({
          text: `${host}: no response`,
          command: digCommand(undefined, host, 'A'),
        })),
      ],
    },
  ];
}

const RETRY_TEXT =
  'Check again in a few minutes. If it happens again, ask the provider of these servers: visitors may get errors.';

const INTERNAL_TEXT =
  'Give the name servers public addresses: visitors can reach no others. For a private zone, use --resolver with an address in its network, or --authoritative-port 53.';

function networkText(areSilent: boolean): string {
  return `First check your network: a firewall or VPN may ${areSilent ? 'block port 53 (UDP and TCP)' : 'change DNS responses'}. Then ask the DNS provider.`;
}

function noResponseOf(server: ServerFacts): Lookup | undefined {
  const lookups = [server.soa, server.cname, server.a, server.aaaa];
  return lookups.find((lookup) => lookup.outcome === 'failed' && lookup.exchange.kind === 'failure');
}

function hostText({ host, address }: DnsServer): string {
  return host ?? address;
}

function reasonText(lookup: Lookup): string {
  return failureText(lookup)
    .replace(/^malformed response: (.*)$/, 'malformed response ($1)')
    .replace(/^not queried: it /, `not queried: ${lookup.server.address} `);
}

function isMalformed({ exchange }: Lookup): boolean {
  return exchange.kind === 'failure' && exchange.reason === 'malformed';
}

/** On a machine without an address family, its unreachable servers prove nothing. */
function severityOf(facts: Facts, failures: readonly Lookup[], failedHosts: readonly string[]): Severity {
  const reached = reachedServers(facts);
  if (reached.length === 0) return 'unknown';
  const lacksFamily = [true, false].some(
    (six) =>
      failures.every(({ server, exchange }) => {
        return (
          isIpv6(server.address) === six && exchange.kind === 'failure' && exchange.reason === 'unreachable'
        );
      }) && !reached.some(({ server }) => isIpv6(server.address) === six),
  );
  return lacksFamily && failedHosts.length === 0 && !failures.some(isNotQueried) ? 'info' : 'warn';
}

/** The finding if the zone may have servers, but none is known. */
function unknownServers({ servers, zone }: Facts): Finding[] {
  const isSettled = zone.delegation?.outcome === 'nxdomain' || zone.delegation?.outcome === 'nodata';
  const hosts = zone.parentHosts.length > 0 ? zone.parentHosts : zone.ownHosts;
  const isDead = hosts.length > 0 && hosts.every((host) => zone.unresolvedHosts.includes(host));
  if (servers.length > 0 || isSettled || isDead || zone.typedNs !== undefined) return [];
  const name = zone.cut === undefined ? zone.registrable : zone.name;
  const delegation = hosts.length === 0 ? zone.delegation : undefined;
  const reason =
    delegation?.outcome === 'failed'
      ? `The query to ${resolverText(delegation.server)} failed (${failureText(delegation)})`
      : hosts.length === 0
        ? 'No resolver is available'
        : `The queries for the addresses of ${listed(hosts, 3)} failed`;
  const evidence: Evidence[] =
    delegation !== undefined
      ? [evidenceOf(delegation)]
      : hosts.length === 0
        ? [{ text: 'no name server known', command: digCommand(undefined, name, 'NS') }]
        : hosts.map((host) => ({ text: `${host}: no response`, command: digCommand(undefined, host, 'A') }));
  return [
    {
      id: 'zone.unreachable-ns',
      axis: 'zone',
      severity: 'unknown',
      message: `The name servers of ${name} could not be found, so the record is unknown. ${reason}.`,
      fix: {
        action: 'other',
        text: 'Check your network, or choose a working resolver with --resolver or --doh.',
        records: [],
      },
      evidence,
    },
  ];
}

function resolverText({ address, port, transport }: DnsServer): string {
  return transport === 'https' || port === 53 ? address : withPort(address, port);
}
