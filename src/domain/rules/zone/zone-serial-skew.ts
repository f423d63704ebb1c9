import { digCommand, serverText } from '../../views/evidence.js';
import { durationText } from '../../verdict/estimate.js';
import type { Facts, ServerFacts } from '../../facts/facts.js';
import type { Finding } from '../../finding/finding.js';
import { listed } from '../../finding/printable.js';
import { areCopies, isOlderCopy, decisiveServers, laggingServers } from '../../views/server-view.js';

/** `zone.serial-skew`: a secondary with an older copy of the zone does not have the record yet. */
export function zoneSerialSkew(facts: Facts): Finding[] {
  const outdated = laggingServers(facts).filter((server) => newerCopyOf(facts, server) !== undefined);
  const newest = outdated[0] && newerCopyOf(facts, outdated[0]);
  if (newest?.zoneSoa === undefined) return [];
  const { refresh } = newest.zoneSoa;
  return [
    {
      id: 'zone.serial-skew',
      axis: 'zone',
      severity: 'wait',
      message:
        `${listed(outdated.map(serialText))}, but ${serialText(newest)}. ` +
        `The older copy of the zone is normally updated within ${durationText(refresh)}.`,
      fix: {
        action: 'other',
        text: `Wait. If it is not updated after ${durationText(refresh)}, ask the DNS provider why ${listed(outdated.map(({ server }) => serverText(server)))} does not update the zone.`,
        records: [],
      },
      evidence: [...outdated, newest].map((server) => ({
        text: serialText(server),
        command: digCommand(server.server, facts.zone.name, 'SOA'),
      })),
    },
  ];
}

/** The server with a newer copy of the same zone. A server of another provider has another zone. */
function newerCopyOf(facts: Facts, server: ServerFacts): ServerFacts | undefined {
  return decisiveServers(facts).find((one) => areCopies(facts, one, server) && isOlderCopy(server, one));
}

function serialText({ server, zoneSoa }: ServerFacts): string {
  return `${serverText(server)} has serial ${zoneSoa?.serial ?? 'unknown'}`;
}
