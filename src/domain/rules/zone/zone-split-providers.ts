import { digCommand, serverText } from '../../views/evidence.js';
import type { Facts, ServerFacts } from '../../facts/facts.js';
import type { Finding } from '../../finding/finding.js';
import { listed } from '../../finding/printable.js';
import { expectedText } from '../../records/fixes.js';
import { areSplit, laggingServers, decisiveServers, serverView } from '../../views/server-view.js';
import { serverListText } from './zone-lame-ns.js';

/**
 * `zone.split-providers`: servers of two providers serve different zones of the same name. A record at one provider is
 * never copied to the other.
 */
export function zoneSplitProviders(facts: Facts): Finding[] {
  const right = decisiveServers(facts).filter((server) => serverView(facts, server) === 'right');
  const [first] = right;
  const lacking = laggingServers(facts).filter((server) => right.every((one) => areSplit(one, server)));
  if (first === undefined || lacking.length === 0) return [];
  const { domain, zone } = facts;
  return [
    {
      id: 'zone.split-providers',
      axis: 'zone',
      severity: 'block',
      message:
        `Two providers serve ${zone.name}, each with its own records: ${zoneText(right)}, and ${zoneText(lacking)}. ` +
        `Only the first has the record of ${domain.unicode}. Waiting will not help.`,
      fix: {
        action: 'other',
        text: `At the provider of ${hostsText(lacking)}, add the same record: ${expectedText(facts)}. Or remove ${hostsText(lacking)} from the list of name servers ${serverListText(zone)}.`,
        records: [],
      },
      evidence: [...right, ...lacking].map((server) => ({
        text: `${serverText(server.server)}: SOA ${soaText(server)}`,
        command: digCommand(server.server, zone.name, 'SOA'),
      })),
    },
  ];
}

function zoneText(servers: readonly ServerFacts[]): string {
  return `${hostsText(servers)} (SOA ${listed([...new Set(servers.map(soaText))])})`;
}

function hostsText(servers: readonly ServerFacts[]): string {
  return listed([...new Set(servers.map(({ server }) => server.host ?? server.address))]);
}

function soaText({ zoneSoa }: ServerFacts): string {
  return zoneSoa === undefined ? 'unknown' : `${zoneSoa.primary}, serial ${String(zoneSoa.serial)}`;
}
