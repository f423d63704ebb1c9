import { digCommand, digEvidence, serverHost, serverText } from '../../../gather/views/evidence.js';
import type {
  AliasHost,
  Facts,
  GlueDifference,
  ServerFacts,
  ZoneFacts,
} from '../../../gather/facts/facts.js';
import { finding, type Evidence, type Finding, type Fix } from '../../../report/finding.js';
import type { Lookup } from '../../../gather/facts/lookup.js';
import { fixOf } from '../../../advice/words.js';
import { listed } from '../../../names/printable.js';
import type { DnsRecord } from '../../../dns/dns.js';
import { changeOfType, changeToExpectedRecord, expectedText, isTargetDead } from '../../../advice/advice.js';
import { decisiveServers, laggingServers, serverView } from '../../../gather/views/server-view.js';
import { serverListText } from './zone-servers.js';

/**
 * `zone.ns-mismatch`: the parent zone and the zone itself list different name servers. Edits then often have no effect.
 */
export function zoneNsMismatch(facts: Facts): Finding[] {
  const { parentHosts, ownHosts, name } = facts.zone;
  if (parentHosts.length === 0 || ownHosts.length === 0 || isSameSet(parentHosts, ownHosts)) return [];
  const first = facts.servers[0]?.server;
  return [
    finding('zone.ns-mismatch', 'warn', {
      message:
        `The parent zone lists ${listed(parentHosts, 4)} for ${name}. The zone itself lists ${listed(ownHosts, 4)}. ` +
        `You may be editing records at the wrong provider. After a change of name servers, resolvers need up to ${delegationTimeText(facts)} to use the new ones.`,
      fix: mismatchFix(facts),
      evidence: [
        delegationEvidence(facts),
        digEvidence(
          `${first === undefined ? 'Zone' : serverText(first)}: ${listed(ownHosts)}`,
          first,
          name,
          'NS',
        ),
      ],
    }),
  ];
}

function hostsOf(servers: readonly ServerFacts[], hostsMax?: number): string {
  return listed([...new Set(servers.map(({ server }) => serverHost(server)))], hostsMax);
}

/** The fix: the list of name servers, if some of them have the right record; otherwise, the record. */
function mismatchFix(facts: Facts): string {
  const { zone } = facts;
  const right = decisiveServers(facts).filter((server) => serverView(facts, server) === 'right');
  const lagging = laggingServers(facts);
  if (right.length === 0)
    return `Edit the records at the provider of ${listed(zone.parentHosts, 4)}. Or enter the name servers that you want ${serverListText(zone)}.`;
  if (lagging.length === 0 || isTargetDead(facts))
    return `Enter the name servers that you want ${serverListText(zone)}. List the same ones in the zone.`;
  return `Add the same records at ${hostsOf(lagging)}. Or copy all its other records to ${hostsOf(right)}, also those of mail (MX). Then remove ${hostsOf(lagging)} from the list ${serverListText(zone)}.`;
}

/**
 * The parent's list, with a query to the server that delegates the zone. If that is unknown, dig starts at the root.
 */
function delegationEvidence({ zone }: Facts): Evidence {
  const text = `Parent zone: ${listed(zone.parentHosts)}`;
  return ownDelegation(zone) === undefined
    ? { text, command: `${digCommand(undefined, zone.name, 'NS')} +trace` }
    : delegatedEvidence(text, zone);
}

/** The lookup of the zone's own delegation at its parent, if that is known. */
function ownDelegation({ cut, delegation, name }: ZoneFacts): Lookup | undefined {
  return cut?.referral ?? (delegation?.question.name === name ? delegation : undefined);
}

function delegatedEvidence(text: string, { cut, delegation, name }: ZoneFacts): Evidence {
  const server = (cut?.referral ?? delegation)?.server;
  return digEvidence(text, server, name, 'NS', server?.host === undefined);
}

function isSameSet(left: readonly string[], right: readonly string[]): boolean {
  const [one, other] = [left, right].map((hosts) => new Set(hosts.map((host) => host.toLowerCase())));
  return one?.size === other?.size && [...(one ?? [])].every((host) => other?.has(host));
}

/**
 * How long resolvers may use the former name servers after a change, in words. This is the TTL of the delegation at the
 * parent, such as 48 hours for .com. Without a known TTL, it is 48 hours, the longest usual one.
 */
export function delegationTimeText({ zone }: Facts): string {
  const ofParent = ownDelegation(zone);
  // A resolver's TTL counts down.
  const records = ofParent?.server.host === undefined ? [] : delegationRecords(ofParent);
  const ttls = records.flatMap(({ data, ttl }) => (data.type === 'NS' ? [ttl] : []));
  const seconds = ttls.length === 0 ? LONGEST : Math.max(...ttls);
  if (seconds >= 5400) return `${Math.round(seconds / 3600)} hours`;
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}

/** Seconds. Registries use 48 hours at most. */
const LONGEST = 172_800;

function delegationRecords({ records, exchange }: Lookup): readonly DnsRecord[] {
  return records.length > 0 || exchange.kind === 'failure' ? records : exchange.response.authority;
}

/**
 * - `zone.lame-ns`: a name server host that is an alias, which is forbidden (RFC 2181, section 10.3).
 * - `zone.ns-mismatch`: a name server host with another address at the parent (glue) than in the zone.
 */
export function zoneServerHosts({ zone }: Facts): Finding[] {
  const { aliasHosts, glueDifferences } = zone;
  return [
    ...(aliasHosts.length === 0 ? [] : aliases(zone, aliasHosts)),
    ...(glueDifferences.length === 0 ? [] : outdatedGlue(zone, glueDifferences)),
  ];
}

function aliases(zone: ZoneFacts, aliasHosts: readonly AliasHost[]): Finding[] {
  const texts = aliasHosts.map(({ host, target }) => `${host} is an alias of ${target}`);
  const hosts = listed(aliasHosts.map(({ host }) => host));
  return [
    finding('zone.lame-ns', 'warn', {
      message: `A name server of ${zone.name} must not be a CNAME: ${listed(texts)}. Some resolvers can't use it.`,
      fix: `In the list of name servers ${serverListText(zone)}, enter ${listed(aliasHosts.map(({ target }) => target))} instead of ${hosts}. Or give ${hosts} an A record instead of the CNAME.`,
      evidence: aliasHosts.map(({ host, target }) =>
        digEvidence(`${host} CNAME ${target}`, undefined, host, 'CNAME'),
      ),
    }),
  ];
}

function outdatedGlue(zone: ZoneFacts, differences: readonly GlueDifference[]): Finding[] {
  const texts = differences.map(
    ({ host, atParent, inZone }) => `${host} is ${listed(atParent)}, but ${listed(inZone)} in the zone`,
  );
  const changes = listed(differences.map(({ host, inZone }) => `${host} to ${listed(inZone)}`));
  const place =
    zone.name === zone.registrable
      ? 'At your registrar, under "Host records" or "Glue records"'
      : `In the zone above ${zone.name}`;
  return [
    finding('zone.ns-mismatch', 'warn', {
      message: `The parent zone has another address of a name server (glue): ${listed(texts)}. Resolvers may query the wrong server.`,
      fix: `${place}, set ${changes}. If the address in the zone is wrong, correct that one.`,
      evidence: differences.map(({ host, atParent }) =>
        delegatedEvidence(`Parent zone: ${host} ${listed(atParent)}`, zone),
      ),
    }),
  ];
}

/**
 * `conflict.other-types`, `zone.lame-ns`: the target was entered as a name server, in the zone with type NS instead of
 * CNAME, or at the registrar.
 */
export function zoneTypedTarget(facts: Facts): Finding[] {
  return [...typedInZone(facts), ...typedAtParent(facts)];
}

function typedInZone(facts: Facts): Finding[] {
  const { domain, target, zone } = facts;
  if (zone.typedNs === undefined) return [];
  const { server } = zone.typedNs;
  const typed = { name: domain.ascii, ttl: 0, data: { type: 'NS', target } } as const;
  return [
    finding('conflict.other-types', 'block', {
      message: `${domain.unicode} has the record NS ${target}, which makes the target a name server. The type must be CNAME.`,
      fix: changeToExpectedRecord(facts, { ...changeOfType(facts, 'NS'), old: [typed] }),
      evidence: [digEvidence(`${serverText(server)}: NS ${target}`, server, domain.ascii, 'NS')],
    }),
  ];
}

function typedAtParent(facts: Facts): Finding[] {
  const { target, zone } = facts;
  if (!zone.parentHosts.includes(target)) return [];
  const place = serverListText(zone);
  const others = zone.parentHosts.filter((host) => host !== target);
  const fix: Fix | string[] =
    others.length === 0
      ? [
          `${place.charAt(0).toUpperCase()}${place.slice(1)}, enter the name servers of your DNS provider instead of ${target}.`,
          ...(isTargetDead(facts) ? [] : [`There, set ${expectedText(facts)}.`]),
        ]
      : fixOf({
          action: 'remove',
          step: `Remove ${target} from the list of name servers ${place}, and keep those of your DNS provider.`,
          remove: [{ type: 'NS', name: zone.name, label: '@', value: target }],
        });
  return [
    finding('zone.lame-ns', 'block', {
      message: `The target ${target} is entered as a name server of ${zone.name}. It is the value of a record, not a name server.`,
      fix,
      evidence: [delegatedEvidence(`Name servers of ${zone.name}: ${zone.parentHosts.join(', ')}`, zone)],
    }),
  ];
}
