import { digCommand, evidenceOf } from '../evidence.js';
import type { Facts, ZoneFacts } from '../facts.js';
import type { Finding } from '../finding.js';
import { listed } from '../printable.js';

/** `zone.no-delegation`: the name is registered, but leads to no name server. */
export function zoneNoDelegation({ zone, servers }: Facts): Finding[] {
  const hosts = zone.parentHosts.length > 0 ? zone.parentHosts : zone.ownHosts;
  const isDead = servers.length === 0 && hosts.length > 0 && hosts.every((host) => hasNoAddress(zone, host));
  if (zone.delegation?.outcome !== 'nodata' && !isDead) return [];
  return [
    {
      id: 'zone.no-delegation',
      axis: 'zone',
      severity: 'block',
      message: isDead
        ? `None of the name servers of ${zone.registrable} has an address: ${listed(hosts)}. Waiting will not help.`
        : `${zone.registrable} has no name servers, so no record of it can be found. Waiting will not help.`,
      fix: {
        action: 'other',
        text: `At your registrar, enter the name servers of the provider that has your DNS for ${zone.registrable}.`,
        records: [],
      },
      evidence:
        zone.delegation === undefined
          ? [
              {
                text: `Name servers: ${listed(hosts)}`,
                command: digCommand(undefined, zone.registrable, 'NS'),
              },
            ]
          : [evidenceOf(zone.delegation)],
    },
  ];
}

function hasNoAddress(zone: ZoneFacts, host: string): boolean {
  return zone.unresolvedHosts.includes(host);
}
