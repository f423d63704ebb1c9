import {
  digEvidence,
  evidenceOfAll,
  serverHost,
  recordText,
  serverText,
} from '../../../gather/views/evidence.js';
import { describeDuration } from '../../../../time/duration.js';
import type { Facts, ServerFacts } from '../../../gather/facts/facts.js';
import { finding, type Finding } from '../../../report/finding.js';
import { listed } from '../../../names/printable.js';
import type { Lookup } from '../../../gather/facts/lookup.js';
import { compareTarget, expectedText, isTargetDead } from '../../../advice/advice.js';
import { fixOf } from '../../../advice/words.js';
import { lookupsOf, ownAddresses } from '../../../gather/views/own-records.js';
import { recordAt, wrongDenials, wrongDenialsAbove } from '../../../gather/views/denials.js';
import {
  aliasesAt,
  areCopies,
  areSplit,
  decisiveServers,
  isOlderCopy,
  laggingServers,
  reachedServers,
  serverView,
} from '../../../gather/views/server-view.js';
import { serverListText } from './zone-servers.js';

/** `zone.serial-skew`: a secondary with an older copy of the zone does not have the record yet. */
export function zoneSerialSkew(facts: Facts): Finding[] {
  const outdated = laggingServers(facts).filter((server) => newerCopyOf(facts, server) !== undefined);
  const newest = outdated[0] && newerCopyOf(facts, outdated[0]);
  if (newest?.zoneSoa === undefined) return [];
  const refresh = describeDuration(newest.zoneSoa.refresh * 1_000);
  return [
    finding('zone.serial-skew', 'wait', {
      message:
        `${listed(outdated.map(serialText))}, but ${serialText(newest)}. ` +
        `The older copy of the zone is normally updated within ${refresh}.`,
      fix: `Wait. If it is not updated after ${refresh}, ask the DNS provider why ${listed(outdated.map(({ server }) => serverText(server)))} does not update the zone.`,
      evidence: [...outdated, newest].map((server) =>
        digEvidence(serialText(server), server.server, facts.zone.name, 'SOA'),
      ),
    }),
  ];
}

/** The server with a newer copy of the same zone. A server of another provider has another zone. */
function newerCopyOf(facts: Facts, server: ServerFacts): ServerFacts | undefined {
  return decisiveServers(facts).find((one) => areCopies(facts, one, server) && isOlderCopy(server, one));
}

function serialText({ server, zoneSoa }: ServerFacts): string {
  return `${serverText(server)} has serial ${zoneSoa?.serial ?? 'unknown'}`;
}

/**
 * `zone.split-providers`: servers of two providers serve different zones of the same name. A record at one provider is
 * never copied to the other. While no server has the record, a warning: it is needed at both.
 */
export function zoneSplitProviders(facts: Facts): Finding[] {
  const { name } = facts.zone;
  const reached = reachedServers(facts);
  const right = reached.filter((server) => serverView(facts, server) === 'right');
  const lacking = reached.filter((server) => !right.includes(server));
  const split = lacking.filter((server) =>
    right.length === 0
      ? lacking[0] !== undefined && areSplit(lacking[0], server)
      : right.every((one) => areSplit(one, server)),
  );
  if (split.length === 0) return [];
  const others = right.length === 0 ? lacking.filter((server) => !split.includes(server)) : right;
  const message = `Two providers serve ${name}: ${hostsText(others)}, and ${hostsText(split)}.`;
  const evidence = [...others, ...split].map((facts) =>
    digEvidence(`${serverText(facts.server)}: SOA ${soaText(facts)}`, facts.server, name, 'SOA'),
  );
  const list = `the list of name servers ${serverListText(facts.zone)}`;
  return right.length === 0
    ? [
        finding('zone.split-providers', 'warn', {
          message: `${message} A record at one of them is not copied to the other.`,
          fix: `Set the record at both providers. Or keep the servers of one provider in ${list}.`,
          evidence,
        }),
      ]
    : [
        finding('zone.split-providers', 'block', {
          message: `${message} ${listed(split.map((server) => lackText(facts, server)))}.`,
          fix: isTargetDead(facts)
            ? compareTarget(facts)
            : fixOf({
                action: 'other',
                step: `At the provider of ${hostsText(split)}, set the same record: ${expectedText(facts)}.`,
                notes: [
                  `To keep only ${hostsText(others)} instead, copy all other records there, also MX.`,
                  `Then remove ${hostsText(split)} from ${list}.`,
                ],
              }),
          evidence,
        }),
      ];
}

/** What a server has instead of the right record. */
function lackText(facts: Facts, server: ServerFacts): string {
  const host = serverHost(server.server);
  const records = [...aliasesAt(facts, server), ...ownAddresses(facts, server)];
  const name = facts.domain.unicode;
  return records.length === 0
    ? `${host} has no record of ${name}`
    : `${host} has ${listed(records.map(({ data }) => recordText(data)))} for ${name}`;
}

function hostsText(servers: readonly ServerFacts[]): string {
  return listed([...new Set(servers.map(({ server }) => serverHost(server)))]);
}

function soaText({ zoneSoa }: ServerFacts): string {
  return zoneSoa === undefined ? 'unknown' : `${zoneSoa.primary}, serial ${String(zoneSoa.serial)}`;
}

/**
 * `zone.wrong-nxdomain`: a server denies a name that exists, for some types. A resolver that gets NXDOMAIN may forget the
 * whole name (RFC 8020). Few resolvers query the names above first, so a denial of these only warns.
 */
export function zoneWrongNxdomain(facts: Facts): Finding[] {
  const name = facts.domain.unicode;
  const above = wrongDenialsAbove(facts);
  return [
    ...wrongNxdomain(facts, 'block', wrongDenials(facts), `${name} has records`),
    ...wrongNxdomain(facts, 'warn', above, `${above[0]?.question.name ?? ''} has ${name} below it`),
  ];
}

function wrongNxdomain(
  facts: Facts,
  severity: 'block' | 'warn',
  denials: readonly Lookup[],
  exists: string,
): Finding[] {
  if (denials.length === 0) return [];
  const hosts = [...new Set(denials.map(({ server }) => serverText(server)))];
  const types = [...new Set(denials.map(({ question }) => question.type))];
  const own = facts.servers.flatMap(lookupsOf);
  const proofs = new Set(denials.map((denial) => recordAt(own, denial)));
  return [
    finding('zone.wrong-nxdomain', severity, {
      message: `${exists}, but ${listed(hosts, 2)} ${hosts.length === 1 ? 'returns' : 'return'} NXDOMAIN for ${listed(types, 3)}. NXDOMAIN denies the whole name, so resolvers may forget its other records.`,
      fix: [
        `Ask the DNS provider of ${facts.zone.name} to correct its servers.`,
        'For a type without a record, they must return NOERROR (RFC 8020).',
      ],
      evidence: evidenceOfAll([...denials, ...proofs]),
    }),
  ];
}
