import {
  digEvidence,
  evidenceOf,
  evidenceOfAll,
  failureText,
  serverHost,
  serverText,
} from '../../../gather/views/evidence.js';
import type { Facts, ServerFacts, ZoneFacts } from '../../../gather/facts/facts.js';
import { finding, type Evidence, type Finding, type Severity } from '../../../report/finding.js';
import type { Lookup } from '../../../gather/facts/lookup.js';
import { isIpv6, withPort } from '../../../names/ip-address.js';
import { listed, reasonSentences } from '../../../names/printable.js';
import { recordLabel } from '../../../advice/expected.js';
import { isTargetDead } from '../../../advice/advice.js';
import { reachedServers } from '../../../gather/views/server-view.js';

/**
 * `zone.intercepted`, `zone.unreachable-ns`: the network intercepts or blocks DNS, so the name servers can't be queried
 * from here. With a resolver's view, the check is decided by that, and this is a warning.
 */
export function zoneIntercepted({ access, zone }: Facts): Finding[] {
  if (access === undefined) return [];
  const { lookup, view } = access;
  const server = serverText(lookup.server);
  const viewText =
    view === undefined
      ? `The record is unknown, because the servers of ${zone.name} can't be queried from here.`
      : `This result is the view of ${view.label}, which may cache old records.`;
  const severity = view === undefined ? 'unknown' : 'warn';
  const fix = 'For the view of the name servers, check from another network';
  const evidence = [evidenceOf(lookup)];
  return access.problem === 'blocked'
    ? [
        finding('zone.unreachable-ns', severity, {
          message: `This network blocks DNS to name servers: not even ${server} responded (${failureText(lookup)}). ${viewText}`,
          fix: `${fix}, or allow port 53 (UDP and TCP) here.`,
          evidence,
        }),
      ]
    : [
        finding('zone.intercepted', severity, {
          message: `This network intercepts DNS: something else responded in place of ${server} (${failureText(lookup)}). ${viewText}`,
          fix: `${fix}. Or name a resolver over HTTPS with --doh URL.`,
          evidence,
        }),
      ];
}

/** Returns where the name servers of a zone are listed: at the registrar or, for a zone below, in its parent zone. */
export function serverListText({ name, registrable }: Pick<ZoneFacts, 'name' | 'registrable'>): string {
  return name === registrable ? 'at your registrar' : `in the zone above ${name}, at its DNS provider`;
}

/** Says who has the zone, if it is one below the registrable domain. With a leading space; empty for another zone. */
export function delegationText({ zone: { cut, name, parentHosts, ownHosts } }: Facts): string {
  if (cut === undefined) return '';
  const hosts = listed(parentHosts.length > 0 ? parentHosts : ownHosts, 3);
  return ` ${cut.parentZone} delegates ${name} to ${hosts}, so its records belong there.`;
}

/** How to end a delegation that was a mistake, if the domain is the zone itself. */
export function undelegateNotes(facts: Facts): string[] {
  const { domain, target, zone } = facts;
  const { cut, kind } = zone;
  if (cut === undefined || kind !== 'apex' || isTargetDead(facts)) return [];
  const label = recordLabel(domain.ascii, cut.parentZone);
  return [
    `Or, if nothing else uses this zone, replace NS and DS of ${label} in ${cut.parentZone} with CNAME ${label} -> ${target}.`,
  ];
}

/** Whether an IPv4 address was entered as the host name of a name server. Some providers append the zone. */
export function isTypedAddress(host: string): boolean {
  return /^(?:\d{1,3}\.){3}\d{1,3}(?:\.|$)/.test(host);
}

/** Evidence about the address of a name server host. */
export function hostEvidence(host: string, result: string): Evidence {
  return digEvidence(`${host}: ${result}`, undefined, host, 'A');
}

/**
 * `zone.unreachable-ns`: name servers without a usable response. This does not mean "no record". Servers that were not
 * queried in time belong to `time.ran-out`.
 */
export function zoneUnreachableNs(facts: Facts): Finding[] {
  // zone.intercepted reports a network without access.
  if (facts.access !== undefined) return [];
  const { zone, servers } = facts;
  const failures = servers.flatMap((server) => noResponseOf(server) ?? []);
  const ranOut = facts.ranOutAfterMs !== undefined;
  const failedHosts = servers.length === 0 || ranOut ? [] : zone.failedHosts;
  if (failures.length + failedHosts.length === 0) return ranOut ? [] : unknownServers(facts);
  const reasons = reasonSentences([
    ...failures.map((lookup) => ({
      host: lookup.isNotSent === true ? serverText(lookup.server) : serverHost(lookup.server),
      reason: failureText(lookup),
    })),
    ...failedHosts.map((host) => ({ host, reason: 'the query for its address failed' })),
  ]);
  const isAll = reachedServers(facts).length === 0 && !ranOut;
  const areInternal = failedHosts.length === 0 && failures.every(({ isNotSent }) => isNotSent === true);
  const areSilent = !failures.some(isMalformed);
  const [did, didNot] = areInternal
    ? ['was queried', 'were not queried']
    : areSilent
      ? ['responded', 'did not respond']
      : ['sent a usable response', 'sent no usable response'];
  const evidence = [
    ...evidenceOfAll(failures),
    ...failedHosts.map((host) => hostEvidence(host, 'no response')),
  ];
  if (isAll && failedHosts.length === 0 && failures.every(lacksIpv6)) {
    return [
      finding('zone.unreachable-ns', 'unknown', {
        message: `The name servers of ${zone.name} have only IPv6 addresses, and this network has no IPv6. So the record is unknown. ${reasons}`,
        fix: 'Check from a network with IPv6. Resolvers without IPv6 fail too: give a name server an IPv4 address.',
        evidence,
      }),
    ];
  }
  return [
    finding('zone.unreachable-ns', severityOf(facts, failures, failedHosts), {
      message: isAll
        ? `No name server of ${zone.name} ${did}, so the record is unknown. ${reasons}`
        : `Some name servers of ${zone.name} ${didNot}. ${reasons}`,
      fix: [
        ...(areInternal ? [] : [isAll ? networkText(areSilent) : RETRY_TEXT]),
        ...(failures.some(({ isNotSent }) => isNotSent === true) ? [INTERNAL_TEXT] : []),
      ].join(' '),
      evidence,
    }),
  ];
}

/** Whether a query failed because this machine has no route to IPv6 addresses. A refused connection had a route. */
function lacksIpv6(lookup: Lookup): boolean {
  const { server, exchange } = lookup;
  return (
    isIpv6(server.address) &&
    lookup.isNotSent !== true &&
    exchange.kind === 'failure' &&
    exchange.isWithoutRoute === true
  );
}

const RETRY_TEXT =
  'Check again in a few minutes. If it happens again, ask the provider of these servers: visitors may get errors.';

const INTERNAL_TEXT =
  'Give the name servers public addresses: visitors can reach no others. For a private zone, use --resolver with an address in its network, or --authoritative-port 53.';

function networkText(areSilent: boolean): string {
  return `First check your network: a firewall or VPN may ${areSilent ? 'block port 53 (UDP and TCP)' : 'change DNS responses'}. Then ask the DNS provider.`;
}

function noResponseOf({ soa, cname, a, aaaa }: ServerFacts): Lookup | undefined {
  return [soa, cname, a, aaaa].find(
    (lookup) => lookup.outcome === 'failed' && lookup.exchange.kind === 'failure',
  );
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
      failures.every(
        ({ server, exchange }) =>
          isIpv6(server.address) === six && exchange.kind === 'failure' && exchange.isWithoutRoute === true,
      ) && !reached.some(({ server }) => isIpv6(server.address) === six),
  );
  return lacksFamily && failedHosts.length === 0 && !failures.some(({ isNotSent }) => isNotSent === true)
    ? 'info'
    : 'warn';
}

/** The finding if the zone may have servers, but none is known. */
function unknownServers({ servers, zone }: Facts): Finding[] {
  const isSettled = zone.delegation?.outcome === 'nxdomain' || zone.delegation?.outcome === 'nodata';
  const hosts = zone.parentHosts.length > 0 ? zone.parentHosts : zone.ownHosts;
  const isDead = hosts.length > 0 && hosts.every((host) => zone.unresolvedHosts.includes(host));
  if (servers.length > 0 || isSettled || isDead || zone.typedNs !== undefined) return [];
  const name = zone.cut === undefined ? zone.registrable : zone.name;
  const { reason, evidence } = reasonForUnknown(zone, hosts, name);
  return [
    finding('zone.unreachable-ns', 'unknown', {
      message: `The name servers of ${name} could not be found, so the record is unknown. ${reason}.`,
      fix: 'Check your network, or choose a working resolver with --resolver or --doh.',
      evidence,
    }),
  ];
}

function reasonForUnknown({ delegation }: ZoneFacts, hosts: readonly string[], name: string) {
  if (hosts.length > 0) {
    return {
      reason: `The queries for the addresses of ${listed(hosts, 3)} failed`,
      evidence: hosts.map((host) => hostEvidence(host, 'no response')),
    };
  }
  const isFailed = delegation?.outcome === 'failed';
  return {
    reason: isFailed
      ? `The query to ${resolverText(delegation)} failed (${failureText(delegation)})`
      : 'No resolver is available',
    evidence:
      delegation === undefined
        ? [digEvidence('no name server known', undefined, name, 'NS')]
        : [evidenceOf(delegation)],
  };
}

function resolverText({ server: { address, port, transport } }: Lookup): string {
  return transport === 'https' || port === 53 ? address : withPort(address, port);
}
