import { digCommand, evidenceOf, failureText } from '../../views/evidence.js';
import type { Facts, ServerFacts, ZoneFacts } from '../../facts/facts.js';
import type { Evidence, Finding, Severity } from '../../finding/finding.js';
import { isServerFailure, type Lookup } from '../../facts/lookup.js';
import { reasonSentences } from '../../finding/printable.js';
import { isTypedAddress } from '../../views/typed-address.js';
import { delegatedServers, reachedServers } from '../../views/server-view.js';

/**
 * `zone.lame-ns`: name servers of the zone that do not serve it, or have no address. `unknown` if all of them return
 * SERVFAIL, which may be an outage.
 */
export function zoneLameNs(facts: Facts): Finding[] {
  if (facts.access !== undefined) return [];
  const refusals = facts.servers.flatMap((server) => {
    const refusal = refusalOf(server);
    return refusal === undefined ? [] : [{ server, refusal }];
  });
  const unresolvedHosts = facts.servers.length === 0 ? [] : facts.zone.unresolvedHosts;
  if (refusals.length + unresolvedHosts.length === 0) return [];
  const reasons = [
    ...refusals.map(({ server: { server }, refusal }) => ({
      host: server.host ?? server.address,
      reason: failureText(refusal),
    })),
    ...unresolvedHosts.map((host) => ({
      host,
      reason: isTypedAddress(host) ? 'an IP address in place of a host name' : 'no address',
    })),
  ];
  const isAll =
    refusals.length > 0 && delegatedServers(facts).every((server) => refusalOf(server) !== undefined);
  const isFailing = isAll && refusals.some(({ refusal }) => isServerFailure(refusal));
  const texts = isFailing ? failingTexts(facts, reasons) : lameTexts(facts, reasons, isAll);
  return [
    {
      id: 'zone.lame-ns',
      axis: 'zone',
      severity: isFailing ? 'unknown' : severityOf(facts, isAll),
      message: texts.message,
      fix: { action: 'other', text: texts.fix, records: [] },
      evidence: [
        ...refusals.map(({ refusal }) => evidenceOf(refusal)),
        ...unresolvedHosts.map((host): Evidence => ({
          text: `${host}: no address`,
          command: digCommand(undefined, host, 'A'),
        })),
      ],
    },
  ];
}

interface Texts {
  message: string;
  fix: string;
}

/** Why a host does not serve the zone. */
interface Reason {
  host: string;
  reason: string;
}

function failingTexts({ zone }: Facts, reasons: readonly Reason[]): Texts {
  return {
    message: `No name server of ${zone.name} can serve the zone now. ${reasonSentences(reasons)} The zone may be missing or expired there, or the servers have an outage.`,
    fix: `Try again in a few minutes. If it happens again, ask the provider of these servers whether they have the zone ${zone.name}.`,
  };
}

function lameTexts({ zone }: Facts, reasons: readonly Reason[], isAll: boolean): Texts {
  const servers = reasons.length === 1 ? 'this server' : 'these servers';
  return {
    message: isAll
      ? `No name server of ${zone.name} serves the zone. ${reasonSentences(reasons)}`
      : `Some name servers of ${zone.name} do not serve the zone. ${reasonSentences(reasons)}`,
    fix: `At the provider of ${servers}, add the zone ${zone.name}. Or remove ${servers} from the list of name servers ${serverListText(zone)}.`,
  };
}

/** Returns where the name servers of a zone are listed: at the registrar or, for a zone below, in its parent zone. */
export function serverListText({ name, registrable }: Pick<ZoneFacts, 'name' | 'registrable'>): string {
  return name === registrable ? 'at your registrar' : `in the zone above ${name}, at its DNS provider`;
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

function severityOf(facts: Facts, isAll: boolean): Severity {
  return isAll && reachedServers(facts).length === 0 ? 'block' : 'warn';
}
