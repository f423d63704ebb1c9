import { evidenceOf, serverText } from '../../views/evidence.js';
import type { Facts, ServerFacts } from '../../facts/facts.js';
import type { Evidence, Finding } from '../../finding/finding.js';
import { listed } from '../../finding/printable.js';
import { areCopies, judgedServers, laggingServers } from '../../views/server-view.js';

/** `record.partial`: some servers of the zone have it right, others do not: not yet, or another provider's never. */
export function recordPartial(facts: Facts): Finding[] {
  const right = judgedServers(facts);
  const lagging = laggingServers(facts);
  const copies = lagging.filter((server) => right.some((one) => areCopies(facts, one, server)));
  const strangers = lagging.filter((server) => !copies.includes(server));
  return [
    ...(strangers.length === 0 ? [] : [atAnotherProvider(facts, right, strangers)]),
    ...(copies.length === 0 ? [] : [notYet(facts, right, copies)]),
  ];
}

function notYet(facts: Facts, right: readonly ServerFacts[], lagging: readonly ServerFacts[]): Finding {
  return {
    id: 'record.partial',
    axis: 'record',
    severity: 'wait',
    message: difference(right, lagging),
    fix: {
      action: 'other',
      text: 'Wait until all have it. If they still differ after an hour, ask the DNS provider why its servers disagree.',
      records: [],
    },
    evidence: evidenceOfServers(facts, [...right, ...lagging]),
  };
}

function atAnotherProvider(
  facts: Facts,
  right: readonly ServerFacts[],
  lagging: readonly ServerFacts[],
): Finding {
  return {
    id: 'record.partial',
    axis: 'record',
    severity: 'block',
    message: `${difference(right, lagging)} The zone itself does not list them all, so the record will not be copied from one to the other.`,
    fix: {
      action: 'other',
      text: `Remove ${hostsOf(lagging)} from the name servers that the parent zone lists for ${facts.zone.name}, or make the same record there.`,
      records: [],
    },
    evidence: evidenceOfServers(facts, [...right, ...lagging]),
  };
}

function difference(right: readonly ServerFacts[], lagging: readonly ServerFacts[]): string {
  return `${hostsOf(right)} ${right.length === 1 ? 'has' : 'have'} the record; ${hostsOf(lagging)} ${lagging.length === 1 ? 'has' : 'have'} not.`;
}

function hostsOf(servers: readonly ServerFacts[]): string {
  return listed(servers.map(({ server }) => serverText(server)));
}

function evidenceOfServers({ zone }: Facts, servers: readonly ServerFacts[]): Evidence[] {
  return servers.map((server) => evidenceOf(zone.kind === 'apex' ? server.a : server.cname));
}
