import { evidenceOf, evidenceOfAll, recordText, serverText } from '../../../gather/views/evidence.js';
import { describeDuration } from '../../../../time/duration.js';
import { EXPECTED_TTL, recordLabel } from '../../../advice/expected.js';
import type { Facts, ServerFacts } from '../../../gather/facts/facts.js';
import type { Lookup } from '../../../gather/facts/lookup.js';
import { finding, type Finding } from '../../../report/finding.js';
import {
  addExpectedRecord,
  changeToExpectedRecord,
  expectedRecordsOf,
  compareTarget,
  expectedText,
  isTargetDead,
  recordFields,
} from '../../../advice/advice.js';
import { fixOf } from '../../../advice/words.js';
import { clipped, listed } from '../../../names/printable.js';
import { delegationText } from '../zone/zone-servers.js';
import { isFromWildcard } from '../../../gather/views/own-records.js';
import {
  aliasesAt,
  isAbsent,
  aliasTarget,
  areCopies,
  areSplit,
  isRightAtDecisiveServers,
  decisiveServers,
  laggingServers,
} from '../../../gather/views/server-view.js';

/** `record.missing`: a subdomain without an alias or address of its own. A wildcard may stay: it may serve other names. */
export function recordMissing(facts: Facts): Finding[] {
  if (!isAbsent(facts)) return [];
  const { wildcard } = facts.relatedNames;
  if (wildcard === undefined || !isBehindWildcard(facts)) {
    return [
      finding('record.missing', 'block', {
        message: `${facts.domain.unicode} has no record yet.${delegationText(facts)}`,
        fix: addExpectedRecord(facts),
        evidence: evidenceOfAll(decisiveServers(facts).map(({ cname }) => cname)),
      }),
    ];
  }
  const { chain, records } = wildcard.lookup;
  const texts = (chain.length > 0 ? chain.slice(0, 1) : records).map(({ data }) => recordText(data));
  return [
    finding('record.missing', 'block', {
      message: `${facts.domain.unicode} has no record of its own. The wildcard ${wildcard.name} returns ${clipped(listed(texts), 80)} for it.`,
      fix: addExpectedRecord(facts, 'It takes precedence over the wildcard, which may stay.'),
      evidence: [evidenceOf(wildcard.lookup)],
    }),
  ];
}

/**
 * `record.wildcard`: the domain gets the right record from a wildcard. A wildcard with another target is
 * `record.missing`.
 */
export function recordWildcard(facts: Facts): Finding[] {
  const { wildcard } = facts.relatedNames;
  if (wildcard === undefined || !isRightAtDecisiveServers(facts) || !isBehindWildcard(facts)) return [];
  return [
    finding('record.wildcard', 'warn', {
      message:
        `${facts.domain.unicode} has no record of its own: the wildcard ${wildcard.name} covers it. ` +
        'With a wildcard, other people may claim your other names at the service.',
      fix: addExpectedRecord(facts),
      evidence: [evidenceOf(wildcard.lookup)],
    }),
  ];
}

/**
 * `record.doubled-label`: the full name was entered although the provider appends the zone. If a random sibling has a
 * record too, it comes from a wildcard.
 */
export function recordDoubledLabel(facts: Facts): Finding[] {
  const { domain, zone, relatedNames } = facts;
  const { doubled, doubledControl } = relatedNames;
  if (doubled?.outcome !== 'value' || doubledControl?.outcome === 'value' || !isAbsent(facts)) return [];
  const { name } = doubled.question;
  return [
    finding('record.doubled-label', 'block', {
      message: `The record is at ${name}. Your provider appends ${zone.name} to the name that you type.`,
      fix: isTargetDead(facts)
        ? compareTarget(facts)
        : fixOf({
            action: 'change',
            step:
              `Change the name of the record from ${recordLabel(name, zone.name)} to ${recordLabel(domain.ascii, zone.name)}. ` +
              `It then reads ${expectedText(facts)}.`,
            remove: doubled.records.slice(0, 1).map((record) => recordFields(facts, record)),
            add: expectedRecordsOf(facts),
          }),
      evidence: [evidenceOf(doubled)],
    }),
  ];
}

function isBehindWildcard(facts: Facts): boolean {
  return decisiveServers(facts).some(({ server }) => isFromWildcard(facts, server));
}

/** `record.ok`: every name server that responded has the record of the subdomain. */
export function recordOk(facts: Facts): Finding[] {
  if (!isRightAtDecisiveServers(facts) || laggingServers(facts).length > 0) return [];
  const { access, domain, target } = facts;
  const decisive = decisiveServers(facts);
  const isAlias = decisive.every((server) => aliasesAt(facts, server).length > 0);
  const at =
    access?.view === undefined
      ? 'at every name server that responded'
      : `in the view of ${access.view.label}`;
  return [
    finding('record.ok', 'info', {
      message: isAlias
        ? `${domain.unicode} points to ${target} ${at}.`
        : `${domain.unicode} follows ${target}: the provider returns its addresses.`,
      evidence: evidenceOfAll(decisive.map((server) => (isAlias ? server.cname : server.a))),
    }),
  ];
}

/** `record.partial`: only some name servers have the record. The others get it later, or never. */
export function recordPartial(facts: Facts): Finding[] {
  const { zone } = facts;
  const right = decisiveServers(facts);
  // zone.split-providers reports the servers of another provider.
  const lagging = laggingServers(facts).filter((server) => !right.every((one) => areSplit(one, server)));
  const copies = lagging.filter((server) => right.some((one) => areCopies(facts, one, server)));
  const unlisted = lagging.filter((server) => !copies.includes(server));
  const unable = copies.filter(({ alias }) => alias?.outcome === 'value');
  const late = copies.filter((server) => !unable.includes(server));
  const difference = (servers: readonly ServerFacts[]): string =>
    `${serversText(right)} ${right.length === 1 ? 'has' : 'have'} the record; ${serversText(servers)} ${servers.length === 1 ? 'does' : 'do'} not.`;
  const evidence = (servers: readonly ServerFacts[]) =>
    evidenceOfAll([...right, ...servers].map(({ a, cname }) => (zone.kind === 'apex' ? a : cname)));
  return [
    ...(unlisted.length === 0
      ? []
      : [
          finding('record.partial', 'block', {
            message: `${difference(unlisted)} Only some of them are in the zone's own list. The others do not get a copy of the record.`,
            fix: isTargetDead(facts)
              ? compareTarget(facts)
              : `Remove ${serversText(unlisted)} from the name servers of ${zone.name} in the parent zone, or add the same record there.`,
            evidence: evidence(unlisted),
          }),
        ]),
    ...(unable.length === 0
      ? []
      : [
          finding('record.partial', 'block', {
            message: `${difference(unable)} The ALIAS was transferred there, but these servers can't resolve it.`,
            fix: aliasTransferFix(facts),
            evidence: evidenceOfAll(unable.flatMap(({ a, alias }) => [a, alias])),
          }),
        ]),
    ...(late.length === 0
      ? []
      : [
          finding('record.partial', 'wait', {
            message: difference(late),
            fix: 'Wait until all of them have it. If they still differ after an hour, ask the DNS provider for the reason.',
            evidence: evidence(late),
          }),
        ]),
  ];
}

/** How to serve an ALIAS from every server. A subdomain needs none. */
function aliasTransferFix(facts: Facts): string {
  return facts.zone.kind === 'subdomain'
    ? `Replace the ALIAS with ${expectedText(facts)}. Every name server can serve a CNAME.`
    : 'Let the primary server send addresses in zone transfers (PowerDNS: outgoing-axfr-expand-alias=yes). Or use only name servers that support ALIAS.';
}

function serversText(servers: readonly ServerFacts[]): string {
  return listed(servers.map(({ server }) => serverText(server)));
}

function isFromDname({ exchange }: Lookup): boolean {
  return exchange.kind === 'response' && exchange.response.answers.some(({ data }) => data.type === 'DNAME');
}

/** Seconds. With a longer TTL, a mistake lasts for days. With a shorter one, every visit waits for DNS. */
const TTL_MAX = 86_400;
const TTL_MIN = 30;

/** `record.ttl`: the TTL of the CNAME is not the recommended one. */
export function recordTtl(facts: Facts): Finding[] {
  for (const server of decisiveServers(facts)) {
    const [alias] = aliasesAt(facts, server);
    // A CNAME made from a DNAME is no record to edit (RFC 6672, section 3.1).
    if (alias === undefined || alias.ttl === EXPECTED_TTL || isFromDname(server.cname)) continue;
    const { ttl } = alias;
    const step = `Set the TTL to ${EXPECTED_TTL}.`;
    // A chain or a DNAME leads to the target too: its record keeps its value.
    const isDirect = aliasTarget(alias) === facts.target;
    return [
      finding('record.ttl', ttl > TTL_MAX || ttl < TTL_MIN ? 'warn' : 'info', {
        message: `The TTL is ${ttl} s (${describeDuration(ttl * 1_000)}); ${EXPECTED_TTL} s is recommended.${ttl > TTL_MAX ? ' Changes take that long to become visible.' : ''}`,
        fix: isDirect ? changeToExpectedRecord(facts, { step, isOwnStep: true }) : step,
        evidence: [evidenceOf(server.cname)],
      }),
    ];
  }
  return [];
}
