import { digCommand, evidenceOf, serverText } from '../evidence.js';
import type { Facts, ServerFacts } from '../facts.js';
import type { Finding } from '../finding.js';
import { listed } from '../printable.js';
import { isListed, judgedServers, viewOf } from '../server-view.js';
import { listKeeper } from './zone-lame-ns.js';

/** `zone.ns-mismatch`: the parent zone and the zone itself name different servers. The commonest cause of edits without effect. */
export function zoneNsMismatch(facts: Facts): Finding[] {
  const { parentHosts, ownHosts, name } = facts.zone;
  if (parentHosts.length === 0 || ownHosts.length === 0 || isSameSet(parentHosts, ownHosts)) return [];
  const strays = straysWithout(facts);
  return [
    {
      id: 'zone.ns-mismatch',
      axis: 'zone',
      severity: 'warn',
      message:
        `The parent zone points ${name} to ${listed(parentHosts)}, but the zone itself names ${listed(ownHosts)}: ` +
        `you may be editing records at the wrong provider.${strayText(facts, strays)} If you have just changed name servers, it takes up to 48 hours until everybody asks the new ones.`,
      fix: {
        action: 'other',
        text: `Edit the records at the provider of ${listed(parentHosts)}, or enter the servers that you mean ${listKeeper(facts.zone)}.`,
        records: [],
      },
      evidence: [
        {
          text: `Parent zone: ${listed(parentHosts)}`,
          command: `${digCommand(undefined, name, 'NS')} +trace`,
        },
        {
          text: `Zone: ${listed(ownHosts)}`,
          command: digCommand((judgedServers(facts)[0] ?? facts.servers[0])?.server, name, 'NS'),
        },
        ...strays.map((server) => evidenceOf(facts.zone.kind === 'apex' ? server.a : server.cname)),
      ],
    },
  ];
}

function isSameSet(left: readonly string[], right: readonly string[]): boolean {
  const [one, other] = [left, right].map((hosts) => new Set(hosts.map((host) => host.toLowerCase())));
  return one?.size === other?.size && [...(one ?? [])].every((host) => other?.has(host));
}

/** Servers on one of the two lists alone that answered, and lack what others have right. */
function straysWithout(facts: Facts): ServerFacts[] {
  const { parentHosts, ownHosts } = facts.zone;
  if (!facts.servers.some((server) => viewOf(facts, server) === 'right')) return [];
  return facts.servers.filter((server) => {
    const view = viewOf(facts, server);
    const isStray = isListed(server, parentHosts) !== isListed(server, ownHosts);
    return isStray && (view === 'absent' || view === 'wrong');
  });
}

function strayText(facts: Facts, strays: readonly ServerFacts[]): string {
  const words = strays.map((server) => {
    const what = viewOf(facts, server) === 'absent' ? 'has no record of' : 'has another record of';
    const list = isListed(server, facts.zone.parentHosts) ? 'the parent zone alone' : 'the zone alone';
    return `${serverText(server.server)}, which ${list} names, ${what} ${facts.domain.unicode}`;
  });
  return words.length === 0 ? '' : ` ${listed(words)}.`;
}
