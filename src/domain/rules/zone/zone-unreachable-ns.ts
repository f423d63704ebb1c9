import { digCommand, evidenceOf, serverText, failureText } from '../../views/evidence.js';
import type { Facts, ServerFacts } from '../../facts/facts.js';
import type { Evidence, Finding, Severity } from '../../finding/finding.js';
import { isIpv6, withPort } from '../../name/ip-address.js';
import type { Lookup } from '../../facts/lookup.js';
import { listed } from '../../finding/printable.js';
import type { DnsServer } from '../../resolver/dns.js';
import { reachedServers } from '../../views/server-view.js';

/**
 * `zone.unreachable-ns`: name servers from which nothing usable came. That is not the same as "no record". Those that there
 * was no time for are a matter of `time.ran-out`.
 */
export function zoneUnreachableNs(facts: Facts): Finding[] {
  const silences = facts.servers.flatMap((server) => {
    const silence = silenceOf(server);
    return silence === undefined ? [] : [silence];
  });
  const isOver = facts.ranOutAfterMs !== undefined;
  const untold = facts.servers.length === 0 || isOver ? [] : (facts.zone.failedHosts ?? []);
  if (silences.length + untold.length === 0) return isOver ? [] : noServers(facts);
  const words = [
    ...silences.map((silence) => `${serverText(silence.server)}: ${failureText(silence)}`),
    ...untold.map((host) => `${host}: its address could not be asked for`),
  ];
  const isAll = reachedServers(facts).length === 0 && !isOver;
  return [
    {
      id: 'zone.unreachable-ns',
      axis: 'zone',
      severity: severityOf(facts, silences, untold),
      message: `${isAll ? 'No' : 'Not every'} name server of ${facts.zone.name} answered, so ${isAll ? 'nothing is known about the record' : 'what the others have is not known'}: ${listed(words)}.`,
      fix: {
        action: 'other',
        text: isAll
          ? 'Look at your network first (port 53 over UDP and TCP, a VPN, a firewall); if it is fine, ask the DNS provider.'
          : 'If it stays so, ask the provider of the silent servers; visitors who reach them wait, or fail.',
        records: [],
      },
      evidence: [
        ...silences.map((silence) => evidenceOf(silence)),
        ...untold.map((host): Evidence => ({
          text: `${host}: no answer`,
          command: digCommand(undefined, host, 'A'),
        })),
      ],
    },
  ];
}

function silenceOf(server: ServerFacts): Lookup | undefined {
  const asked = [server.soa, server.cname, server.a, server.aaaa];
  return asked.find((lookup) => lookup.outcome === 'failed' && lookup.exchange.kind === 'failure');
}

/** Many machines have no IPv6, and every second name server has: that says nothing about the server. */
function severityOf(facts: Facts, silences: readonly Lookup[], untold: readonly string[]): Severity {
  const reached = reachedServers(facts);
  if (reached.length === 0) return 'unknown';
  const isLackOfIpv6 =
    untold.length === 0 &&
    silences.every(({ server, exchange }) => {
      return isIpv6(server.address) && exchange.kind === 'failure' && exchange.reason === 'unreachable';
    }) &&
    !reached.some(({ server }) => isIpv6(server.address));
  return isLackOfIpv6 ? 'info' : 'warn';
}

/** The servers could not even be found, and nobody said that there are none. */
function noServers({ servers, zone }: Facts): Finding[] {
  const isSettled = zone.delegation?.outcome === 'nxdomain' || zone.delegation?.outcome === 'nodata';
  const hosts = zone.parentHosts.length > 0 ? zone.parentHosts : zone.ownHosts;
  const isDead = hosts.length > 0 && hosts.every((host) => zone.unresolvedHosts.includes(host));
  if (servers.length > 0 || isSettled || isDead) return [];
  const name = zone.cut === undefined ? zone.registrable : zone.name;
  const asked = hosts.length === 0 ? zone.delegation : undefined;
  const why =
    asked?.outcome === 'failed'
      ? `${placeText(asked.server)} says nothing usable (${failureText(asked)})`
      : hosts.length === 0
        ? 'there is no resolver to ask'
        : `no address of ${listed(hosts)} could be asked for`;
  const evidence: Evidence[] =
    asked !== undefined
      ? [evidenceOf(asked)]
      : hosts.length === 0
        ? [{ text: 'no name server known', command: digCommand(undefined, name, 'NS') }]
        : hosts.map((host) => ({ text: `${host}: no answer`, command: digCommand(undefined, host, 'A') }));
  return [
    {
      id: 'zone.unreachable-ns',
      axis: 'zone',
      severity: 'unknown',
      message: `The name servers of ${name} could not be found out, so nothing is known about the record: ${why}.`,
      fix: {
        action: 'other',
        text: 'Look at your network, or name a resolver that works with --resolver or --doh.',
        records: [],
      },
      evidence,
    },
  ];
}

/** With the port, where it is not the usual one. */
function placeText({ address, port, transport }: DnsServer): string {
  return transport === 'https' || port === 53 ? address : withPort(address, port);
}
