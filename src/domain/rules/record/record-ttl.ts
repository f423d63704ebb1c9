import { evidenceOf } from '../../views/evidence.js';
import { durationText } from '../../verdict/estimate.js';
import { EXPECTED_TTL } from '../../records/expected.js';
import type { Facts } from '../../facts/facts.js';
import type { Finding } from '../../finding/finding.js';
import { changeToWanted } from '../../records/fixes.js';
import { aliasesAt, judgedServers } from '../../views/server-view.js';

/** Seconds. Above, a mistake lasts for days; below, every visit waits for DNS. */
const TTL_MAX = 86_400;
const TTL_MIN = 30;

/** `record.ttl`: a CNAME whose time to live is not the recommended one. */
export function recordTtl(facts: Facts): Finding[] {
  if (facts.zone.kind === 'apex') return [];
  for (const server of judgedServers(facts)) {
    const ttl = aliasesAt(facts, server)[0]?.ttl;
    if (ttl === undefined || ttl === EXPECTED_TTL) continue;
    const isExtreme = ttl > TTL_MAX || ttl < TTL_MIN;
    return [
      {
        id: 'record.ttl',
        axis: 'record',
        severity: isExtreme ? 'warn' : 'info',
        message: `The TTL is ${ttl} s (${durationText(ttl)}); ${EXPECTED_TTL} s is recommended.${ttl > TTL_MAX ? ' A change will take that long to be seen.' : ''}`,
        fix: changeToWanted(facts, `Set the TTL to ${EXPECTED_TTL}.`),
        evidence: [evidenceOf(server.cname)],
      },
    ];
  }
  return [];
}
