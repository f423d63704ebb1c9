import { digCommand } from '../evidence.js';
import type { Facts } from '../facts.js';
import type { Finding } from '../finding.js';
import { listed } from '../printable.js';
import { judgedServers } from '../server-view.js';

/** `zone.ns-mismatch`: the parent zone and the zone itself name different servers. The commonest cause of edits without effect. */
export function zoneNsMismatch(facts: Facts): Finding[] {
  const { parentHosts, ownHosts, name, registrable } = facts.zone;
  if (parentHosts.length === 0 || ownHosts.length === 0 || isSameSet(parentHosts, ownHosts)) return [];
  return [
    {
      id: 'zone.ns-mismatch',
      axis: 'zone',
      severity: 'warn',
      message:
        `The parent zone points ${name} to ${listed(parentHosts)}, but the zone itself names ${listed(ownHosts)}: ` +
        'you may be editing records at the wrong provider. If you have just changed name servers, it takes up to 48 hours until everybody asks the new ones.',
      fix: {
        action: 'other',
        text: `Edit the records at the provider of ${listed(parentHosts)}, or enter the servers that you mean ${name === registrable ? 'at your registrar' : 'in the parent zone'}.`,
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
      ],
    },
  ];
}

function isSameSet(left: readonly string[], right: readonly string[]): boolean {
  const [one, other] = [left, right].map((hosts) => new Set(hosts.map((host) => host.toLowerCase())));
  return one?.size === other?.size && [...(one ?? [])].every((host) => other?.has(host));
}
