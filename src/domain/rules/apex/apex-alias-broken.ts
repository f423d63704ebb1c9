import { evidenceOf, serverText, failureText } from '../../views/evidence.js';
import type { Facts, ServerFacts } from '../../facts/facts.js';
import type { Finding } from '../../finding/finding.js';
import { changeToWanted, wantedText } from '../../records/fixes.js';
import type { Lookup } from '../../facts/lookup.js';
import { listed } from '../../finding/printable.js';
import { isRecordRight } from '../../views/server-view.js';

/**
 * `apex.alias-broken`: a server that has the zone answers SERVFAIL for its addresses, as PowerDNS does for an ALIAS
 * whose target it can't resolve.
 */
export function apexAliasBroken(facts: Facts): Finding[] {
  if (facts.zone.kind !== 'apex') return [];
  const broken = facts.servers.flatMap((server) => failuresOf(server));
  if (broken.length === 0) return [];
  const words = broken.map(
    (lookup) => `${serverText(lookup.server)} answers ${failureText(lookup)} for ${lookup.question.type}`,
  );
  return [
    {
      id: 'apex.alias-broken',
      axis: 'record',
      severity: isRecordRight(facts) ? 'warn' : 'block',
      message: `The zone is served, but not the addresses of ${facts.domain.unicode}: ${listed(words)}. That is what an ALIAS does whose target can't be resolved.`,
      fix: changeToWanted(
        facts,
        `See that the record reads ${wantedText(facts)}. If it does, ask the DNS provider why it can't resolve the target.`,
      ),
      evidence: broken.map((lookup) => evidenceOf(lookup)),
    },
  ];
}

function failuresOf({ soa, a, aaaa }: ServerFacts): Lookup[] {
  if (soa.outcome !== 'value') return [];
  return [a, aaaa].filter(
    ({ outcome, exchange }) =>
      outcome === 'failed' && exchange.kind === 'response' && exchange.response.rcode === 'SERVFAIL',
  );
}
