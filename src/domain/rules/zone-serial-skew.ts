import { digCommand, serverText } from '../evidence.js';
import { durationText } from '../estimate.js';
import type { Facts, ServerFacts } from '../facts.js';
import type { Finding } from '../finding.js';
import { listed } from '../printable.js';
import { isNewerSerial, judgedServers, laggingServers } from '../server-view.js';

/** `zone.serial-skew`: a secondary with an older copy of the zone does not have the record yet. */
export function zoneSerialSkew(facts: Facts): Finding[] {
  const newest = judgedServers(facts).find((server) => server.zoneSoa !== undefined);
  if (newest?.zoneSoa === undefined) return [];
  const { serial, refresh } = newest.zoneSoa;
  const behind = laggingServers(facts).filter(
    ({ zoneSoa }) => zoneSoa !== undefined && isNewerSerial(serial, zoneSoa.serial),
  );
  if (behind.length === 0) return [];
  return [
    {
      id: 'zone.serial-skew',
      axis: 'zone',
      severity: 'wait',
      message:
        `${listed(behind.map(serialText))}; ${serialText(newest)}. ` +
        `The older copy normally catches up within ${durationText(refresh)}.`,
      evidence: [...behind, newest].map((server) => ({
        text: serialText(server),
        command: digCommand(server.server, facts.zone.name, 'SOA'),
      })),
    },
  ];
}

function serialText({ server, zoneSoa }: ServerFacts): string {
  return `${serverText(server)} has serial ${zoneSoa?.serial ?? 'unknown'}`;
}
