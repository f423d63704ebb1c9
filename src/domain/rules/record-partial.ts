import { evidenceOf, serverText } from '../evidence.js';
import type { Facts } from '../facts.js';
import type { Finding } from '../finding.js';
import { listed } from '../printable.js';
import { judgedServers, laggingServers } from '../server-view.js';

/** `record.partial`: some servers of the zone have it right, others not yet. */
export function recordPartial(facts: Facts): Finding[] {
  const lagging = laggingServers(facts);
  if (lagging.length === 0) return [];
  const names = (servers: readonly (typeof lagging)[number][]) =>
    listed(servers.map(({ server }) => serverText(server)));
  const right = judgedServers(facts);
  return [
    {
      id: 'record.partial',
      axis: 'record',
      severity: 'wait',
      message: `${names(right)} ${right.length === 1 ? 'has' : 'have'} the record; ${names(lagging)} ${lagging.length === 1 ? 'has' : 'have'} not.`,
      fix: {
        action: 'other',
        text: 'Wait until all have it. If they still differ after an hour, ask the DNS provider why its servers disagree.',
        records: [],
      },
      evidence: [...right, ...lagging].map((server) =>
        evidenceOf(facts.zone.kind === 'apex' ? server.a : server.cname),
      ),
    },
  ];
}
