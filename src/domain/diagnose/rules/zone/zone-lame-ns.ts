import { evidenceOfAll, failureText, serverHost, serverText } from '../../../gather/views/evidence.js';
import { lacksAuthority } from '../../../gather/facts/classify.js';
import type { Facts, ServerFacts } from '../../../gather/facts/facts.js';
import { isServerFailure, type Lookup } from '../../../gather/facts/lookup.js';
import { servesWithoutAuthority } from '../../../gather/views/own-records.js';
import { delegatedServers, reachedServers } from '../../../gather/views/server-view.js';
import { listed, reasonSentences } from '../../../names/printable.js';
import { finding, type Finding } from '../../../report/finding.js';
import { hostEvidence, isTypedAddress, serverListText, undelegateNotes } from './zone-servers.js';

/**
 * `zone.lame-ns`: name servers of the zone that do not serve it, or have no address. `unknown` if all of them return
 * SERVFAIL, which may be an outage.
 */
export function zoneLameNs(facts: Facts): Finding[] {
  // zone.intercepted reports a network without access.
  if (facts.access !== undefined) return [];
  const { zone, servers } = facts;
  const refusals = servers.flatMap((server) => refusalOf(server) ?? []);
  const unresolvedHosts = servers.length === 0 ? [] : zone.unresolvedHosts;
  if (refusals.length + unresolvedHosts.length === 0) return withoutAa(facts);
  const working = new Set(reachedServers(facts).map(({ server }) => serverHost(server)));
  const failures = [
    ...refusals.map((refusal) => ({
      host: working.has(serverHost(refusal.server)) ? serverText(refusal.server) : serverHost(refusal.server),
      reason: failureText(refusal),
    })),
    ...unresolvedHosts.map((host) => ({
      host,
      reason: isTypedAddress(host) ? 'an IP address in place of a host name' : 'no address',
    })),
  ];
  const reasons = reasonSentences(failures);
  const evidence = [
    ...evidenceOfAll(refusals),
    ...unresolvedHosts.map((host) => hostEvidence(host, 'no address')),
  ];
  const isAll =
    refusals.length > 0 && delegatedServers(facts).every((server) => refusalOf(server) !== undefined);
  if (isAll && refusals.some(isServerFailure)) {
    return [
      finding('zone.lame-ns', 'unknown', {
        message: `No name server of ${zone.name} can serve the zone now. ${reasons} The zone may be missing or expired there, or the servers have an outage.`,
        fix: `Try again in a few minutes. If it happens again, ask the provider of these servers whether they have the zone ${zone.name}.`,
        evidence,
      }),
    ];
  }
  const these = listed([...new Set(failures.map(({ host }) => host))], 3);
  return [
    finding('zone.lame-ns', isAll && working.size === 0 ? 'block' : 'warn', {
      message: isAll
        ? `No name server of ${zone.name} serves the zone. ${reasons}`
        : `Some name servers of ${zone.name} do not serve the zone. ${reasons}`,
      fix: [
        `At the provider of ${these}, add the zone ${zone.name}.`,
        ...(isAll ? undelegateNotes(facts) : listNotes(facts, refusals, working)),
      ],
      evidence,
    }),
  ];
}

/** What to correct in the list of name servers, so that only servers with the zone stay. */
function listNotes({ zone }: Facts, refusals: readonly Lookup[], working: ReadonlySet<string>): string[] {
  const hosts = [...refusals.map(({ server }) => serverHost(server)), ...zone.unresolvedHosts];
  const failing = [...new Set(hosts)];
  const atOtherAddress = failing.filter((host) => working.has(host));
  const useless = failing.filter((host) => !working.has(host));
  return [
    ...(atOtherAddress.length === 0 ? [] : [`Or correct the addresses of ${listed(atOtherAddress, 3)}.`]),
    // Without another server, the zone would have none.
    ...(useless.length === 0 || working.size === 0
      ? []
      : [`Or remove ${listed(useless, 3)} from the list of name servers ${serverListText(zone)}.`]),
  ];
}

/** Servers that have the zone, and do not set AA. Most resolvers accept their records; some reject their absences. */
function withoutAa({ servers, zone }: Facts): Finding[] {
  const found = servers.filter(servesWithoutAuthority);
  if (found.length === 0) return [];
  const hosts = listed([...new Set(found.map(({ server }) => serverHost(server)))]);
  return [
    finding('zone.lame-ns', 'warn', {
      message: `Name servers of ${zone.name} respond without the AA flag (authoritative answer): ${hosts}. Some resolvers then fail for names or types without records.`,
      fix: `Ask the provider of these servers to set AA in all responses for ${zone.name}.`,
      evidence: evidenceOfAll(found.map(({ soa, cname }) => (lacksAuthority(soa) ? soa : cname))),
    }),
  ];
}

/**
 * A response that shows that a server does not serve the zone. SERVFAIL for addresses with a valid SOA is
 * `apex.alias-broken` instead.
 */
function refusalOf(server: ServerFacts): Lookup | undefined {
  return [server.soa, server.cname].find(
    (lookup) => lookup.outcome === 'failed' && lookup.exchange.kind === 'response',
  );
}
