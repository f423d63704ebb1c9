import { evidenceOf, recordText } from '../../views/evidence.js';
import type { Facts, ServerFacts } from '../../facts/facts.js';
import type { Evidence, Finding, Fix } from '../../finding/finding.js';
import { addWanted } from '../../records/fixes.js';
import { clipped, listed } from '../../finding/printable.js';
import { judgedServers, serverView } from '../../views/server-view.js';
import { isFromWildcard } from '../../views/wildcard.js';
import { conflictOtherTypes } from './conflict-other-types.js';
import { isDoubled } from './record-doubled-label.js';

/**
 * `record.missing`: a subdomain with neither an alias nor an address of its own. Where other records must go first,
 * `conflict.other-types` says so, and what to add then.
 */
export function recordMissing(facts: Facts): Finding[] {
  const judged = judgedServers(facts);
  const isMissing = judged.length > 0 && judged.every((server) => serverView(facts, server) === 'absent');
  if (facts.zone.kind === 'apex' || !isMissing || isDoubled(facts)) return [];
  if (conflictOtherTypes(facts).length > 0) return [];
  return [
    {
      id: 'record.missing',
      axis: 'record',
      severity: 'block',
      ...(behindWildcard(facts, judged) ?? nothingThere(facts, judged)),
    },
  ];
}

interface Absence {
  message: string;
  fix: Fix;
  evidence: readonly Evidence[];
}

/** The wildcard may be meant for other names: nothing of it is to be removed. */
function behindWildcard(facts: Facts, judged: readonly ServerFacts[]): Absence | undefined {
  const { wildcard } = facts.relatedNames;
  if (wildcard === undefined || !judged.some(({ server }) => isFromWildcard(facts, server))) return undefined;
  const { chain, records } = wildcard.lookup;
  const texts = (chain.length > 0 ? chain.slice(0, 1) : records).map(({ data }) => recordText(data));
  const { text, ...fix } = addWanted(facts);
  return {
    message: `${facts.domain.unicode} has no record of its own: a wildcard, ${wildcard.name}, answers ${clipped(listed(texts), 80)} for it. Waiting will not help.`,
    fix: { ...fix, text: `${text} It takes precedence over the wildcard, which may stay.` },
    evidence: [evidenceOf(wildcard.lookup)],
  };
}

function nothingThere(facts: Facts, judged: readonly ServerFacts[]): Absence {
  return {
    message: `${facts.domain.unicode} has no record yet. Waiting will not help until it exists.`,
    fix: addWanted(facts),
    evidence: judged.map((server) => evidenceOf(server.cname)),
  };
}
