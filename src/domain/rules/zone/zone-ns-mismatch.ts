import { digCommand, evidenceOf, serverText } from '../../views/evidence.js';
import type { Facts, ServerFacts } from '../../facts/facts.js';
import type { Evidence, Finding } from '../../finding/finding.js';
import { hostsIn } from '../../facts/classify.js';
import { listed } from '../../finding/printable.js';
import { isListed, decisiveServers, laggingServers, serverView } from '../../views/server-view.js';
import { delegationTimeText } from '../../views/delegation-time.js';
import { serverListText } from './zone-lame-ns.js';

/**
 * `zone.ns-mismatch`: the parent zone and the zone itself list different name servers. Edits then often have no effect.
 */
export function zoneNsMismatch(facts: Facts): Finding[] {
  const { parentHosts, ownHosts, name } = facts.zone;
  if (parentHosts.length === 0 || ownHosts.length === 0 || isSameSet(parentHosts, ownHosts)) return [];
  const unshared = serversOnOneList(facts);
  const lists = ownLists(facts);
  return [
    {
      id: 'zone.ns-mismatch',
      axis: 'zone',
      severity: 'warn',
      message:
        `The parent zone lists ${listed(parentHosts, 4)} for ${name}. ${ownListsText(lists)} ` +
        `You may be editing records at the wrong provider.${oneListText(facts, unshared)} After a change of name servers, resolvers need up to ${delegationTimeText(facts)} to use the new ones.`,
      fix: { action: 'other', text: fixText(facts), records: [] },
      evidence: [
        delegationEvidence(facts),
        ...lists.map(({ hosts, servers: [first] }) => ({
          text: `${first === undefined ? 'Zone' : serverText(first.server)}: ${listed(hosts)}`,
          command: digCommand(first?.server, name, 'NS'),
        })),
        ...unshared.map((server) => evidenceOf(facts.zone.kind === 'apex' ? server.a : server.cname)),
      ],
    },
  ];
}

/** A list of name servers, with the servers that return it. */
interface OwnList {
  hosts: readonly string[];
  servers: readonly ServerFacts[];
}

/** The distinct NS lists that the servers of the zone return. */
function ownLists({ servers, zone }: Facts): OwnList[] {
  const lists: { hosts: readonly string[]; servers: ServerFacts[] }[] = [];
  for (const server of servers) {
    const hosts = server.ns?.outcome === 'value' ? hostsIn(server.ns.records) : [];
    const same = lists.find((list) => isSameSet(list.hosts, hosts));
    if (same !== undefined) same.servers.push(server);
    else if (hosts.length > 0) lists.push({ hosts, servers: [server] });
  }
  return lists.length === 0 ? [{ hosts: zone.ownHosts, servers: servers.slice(0, 1) }] : lists;
}

function ownListsText(lists: readonly OwnList[]): string {
  const [first] = lists;
  if (lists.length < 2) return `The zone itself lists ${listed(first?.hosts ?? [], 4)}.`;
  const texts = lists.map(({ hosts, servers }) => {
    const from = listed([...new Set(servers.map(hostOf))], 3);
    return `${from} ${servers.length === 1 ? 'lists' : 'list'} ${listed(hosts, 4)}.`;
  });
  return `The copies of the zone disagree. ${texts.slice(0, 3).join(' ')}`;
}

/** The fix: the list of name servers, if some of them have the right record; otherwise, the record. */
function fixText(facts: Facts): string {
  const { zone } = facts;
  const right = decisiveServers(facts).filter((server) => serverView(facts, server) === 'right');
  const lagging = laggingServers(facts);
  if (right.length === 0)
    return `Edit the records at the provider of ${listed(zone.parentHosts, 4)}. Or enter the name servers that you want ${serverListText(zone)}.`;
  if (lagging.length === 0)
    return `Enter the name servers that you want ${serverListText(zone)}. List the same ones in the zone.`;
  const [keep, drop] = [right, lagging].map((servers) => listed([...new Set(servers.map(hostOf))]));
  return `Keep ${keep ?? ''} in the list ${serverListText(zone)}, and remove ${drop ?? ''}. Or add the same records there.`;
}

function hostOf({ server }: ServerFacts): string {
  return server.host ?? server.address;
}

/**
 * The parent's list, with a query to the server that delegates the zone. If that is unknown, dig starts at the root.
 */
function delegationEvidence({ zone: { name, parentHosts, cut, delegation } }: Facts): Evidence {
  const delegating = cut?.referral ?? (delegation?.question.name === name ? delegation : undefined);
  return {
    text: `Parent zone: ${listed(parentHosts)}`,
    command:
      delegating === undefined
        ? `${digCommand(undefined, name, 'NS')} +trace`
        : digCommand(delegating.server, name, 'NS', delegating.server.host === undefined),
  };
}

function isSameSet(left: readonly string[], right: readonly string[]): boolean {
  const [one, other] = [left, right].map((hosts) => new Set(hosts.map((host) => host.toLowerCase())));
  return one?.size === other?.size && [...(one ?? [])].every((host) => other?.has(host));
}

/** Servers on only one of the two lists, which lack the record that others have. */
function serversOnOneList(facts: Facts): ServerFacts[] {
  const { parentHosts, ownHosts } = facts.zone;
  if (!facts.servers.some((server) => serverView(facts, server) === 'right')) return [];
  return facts.servers.filter((server) => {
    const view = serverView(facts, server);
    const isUnshared = isListed(server, parentHosts) !== isListed(server, ownHosts);
    return isUnshared && (view === 'absent' || view === 'wrong');
  });
}

function oneListText(facts: Facts, unshared: readonly ServerFacts[]): string {
  const texts = unshared.map((server) => {
    const state = serverView(facts, server) === 'absent' ? 'has no record of' : 'has another record of';
    const list = isListed(server, facts.zone.parentHosts) ? 'the parent zone' : 'the zone';
    return `${hostOf(server)}, which only ${list} lists, ${state} ${facts.domain.unicode}`;
  });
  return texts
    .slice(0, 3)
    .map((text) => ` ${text}.`)
    .join('');
}
