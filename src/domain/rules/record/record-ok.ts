import { evidenceOf, serverText } from '../../views/evidence.js';
import { durationText } from '../../verdict/estimate.js';
import { EXPECTED_TTL } from '../../records/expected.js';
import type { Facts, ServerFacts } from '../../facts/facts.js';
import type { Evidence, Finding } from '../../finding/finding.js';
import { changeToExpectedRecord } from '../../records/fixes.js';
import { listed } from '../../finding/printable.js';
import {
  aliasesAt,
  aliasTarget,
  areCopies,
  areSplit,
  isRightAtDecisiveServers,
  decisiveServers,
  laggingServers,
} from '../../views/server-view.js';

/** `record.ok`: every name server that responded has the record of the subdomain. */
export function recordOk(facts: Facts): Finding[] {
  if (facts.zone.kind === 'apex' || !isRightAtDecisiveServers(facts) || laggingServers(facts).length > 0)
    return [];
  const decisive = decisiveServers(facts);
  const isAlias = decisive.every((server) => aliasesAt(facts, server).length > 0);
  return [
    {
      id: 'record.ok',
      axis: 'record',
      severity: 'info',
      message: isAlias
        ? `${facts.domain.unicode} points to ${facts.target} ${atText(facts)}.`
        : `${facts.domain.unicode} follows ${facts.target}: the provider returns its addresses.`,
      evidence: decisive.map((server) => evidenceOf(isAlias ? server.cname : server.a)),
    },
  ];
}

function atText({ access }: Facts): string {
  return access?.view === undefined
    ? 'at every name server that responded'
    : `in the view of ${access.view.label}`;
}

/** `record.partial`: only some name servers have the record. The others get it later, or never. */
export function recordPartial(facts: Facts): Finding[] {
  const right = decisiveServers(facts);
  // zone.split-providers reports the servers of another provider.
  const lagging = laggingServers(facts).filter((server) => !right.every((one) => areSplit(one, server)));
  const copies = lagging.filter((server) => right.some((one) => areCopies(facts, one, server)));
  const unlisted = lagging.filter((server) => !copies.includes(server));
  return [
    ...(unlisted.length === 0 ? [] : [atAnotherProvider(facts, right, unlisted)]),
    ...(copies.length === 0 ? [] : [notYetCopied(facts, right, copies)]),
  ];
}

function notYetCopied(facts: Facts, right: readonly ServerFacts[], lagging: readonly ServerFacts[]): Finding {
  return {
    id: 'record.partial',
    axis: 'record',
    severity: 'wait',
    message: differenceText(right, lagging),
    fix: {
      action: 'other',
      text: 'Wait until all of them have it. If they still differ after an hour, ask the DNS provider for the reason.',
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
    message: `${differenceText(right, lagging)} Only some of them are in the zone's own list. The others do not get a copy of the record.`,
    fix: {
      action: 'other',
      text: `Remove ${hostsText(lagging)} from the name servers of ${facts.zone.name} in the parent zone, or add the same record there.`,
      records: [],
    },
    evidence: evidenceOfServers(facts, [...right, ...lagging]),
  };
}

function differenceText(right: readonly ServerFacts[], lagging: readonly ServerFacts[]): string {
  return `${hostsText(right)} ${right.length === 1 ? 'has' : 'have'} the record; ${hostsText(lagging)} ${lagging.length === 1 ? 'does' : 'do'} not.`;
}

function hostsText(servers: readonly ServerFacts[]): string {
  return listed(servers.map(({ server }) => serverText(server)));
}

function evidenceOfServers({ zone }: Facts, servers: readonly ServerFacts[]): Evidence[] {
  return servers.map((server) => evidenceOf(zone.kind === 'apex' ? server.a : server.cname));
}

/** Seconds. With a longer TTL, a mistake lasts for days. With a shorter one, every visit waits for DNS. */
const TTL_MAX = 86_400;
const TTL_MIN = 30;

/** `record.ttl`: the TTL of the CNAME is not the recommended one. */
export function recordTtl(facts: Facts): Finding[] {
  if (facts.zone.kind === 'apex') return [];
  for (const server of decisiveServers(facts)) {
    const [alias] = aliasesAt(facts, server);
    if (alias === undefined || alias.ttl === EXPECTED_TTL) continue;
    const { ttl } = alias;
    const text = `Set the TTL to ${EXPECTED_TTL}.`;
    // A chain or a DNAME leads to the target too: its record keeps its value.
    const isDirect = aliasTarget(alias) === facts.target;
    const isExtreme = ttl > TTL_MAX || ttl < TTL_MIN;
    return [
      {
        id: 'record.ttl',
        axis: 'record',
        severity: isExtreme ? 'warn' : 'info',
        message: `The TTL is ${ttl} s (${durationText(ttl)}); ${EXPECTED_TTL} s is recommended.${ttl > TTL_MAX ? ' Changes take that long to become visible.' : ''}`,
        fix: isDirect ? changeToExpectedRecord(facts, text) : { action: 'other', text, records: [] },
        evidence: [evidenceOf(server.cname)],
      },
    ];
  }
  return [];
}
