import { aliasChain } from '../../views/alias-chain.js';
import { deadEndOf } from '../../views/dead-end.js';
import { evidenceOf } from '../../views/evidence.js';
import type { Facts, ServerFacts } from '../../facts/facts.js';
import type { Finding } from '../../finding/finding.js';
import { changeToWanted, wantedText } from '../../records/fixes.js';
import { aliasesAt, aliasTarget, judgedServers, serverView } from '../../views/server-view.js';
import { editDistance } from '../edit-distance.js';

/**
 * `record.missing-dot`, `record.typo-target`, `record.wrong-target`: a CNAME that leads elsewhere, and why it may. One that
 * leads nowhere, without a reason to be seen, is `record.dangling`.
 */
export function recordWrongTarget(facts: Facts): Finding[] {
  const isDeadEnd = deadEndOf(facts) !== undefined;
  return aliasMistakes(facts).filter(({ id }) => !isDeadEnd || id !== 'record.wrong-target');
}

/** All aliases that lead elsewhere, whatever is there. */
export function aliasMistakes(facts: Facts): Finding[] {
  if (facts.zone.kind === 'apex' || aliasChain(facts).loop !== undefined) return [];
  const seen = new Map<string, ServerFacts>();
  for (const server of judgedServers(facts)) {
    const aliases = aliasesAt(facts, server);
    const isElsewhere = aliases.length === 1 && serverView(facts, server) === 'wrong';
    for (const target of isElsewhere ? aliases.map(aliasTarget) : []) {
      if (target !== facts.target && !passesTarget(facts, target) && !seen.has(target))
        seen.set(target, server);
    }
  }
  return [...seen].map(([value, server]) => ({
    ...mistakeOf(facts, value),
    axis: 'record',
    severity: 'block',
    evidence: [evidenceOf(server.cname)],
  }));
}

function passesTarget(facts: Facts, first: string): boolean {
  const { steps } = aliasChain(facts);
  return steps[0]?.to.toLowerCase() === first && steps.some(({ to }) => to.toLowerCase() === facts.target);
}

function mistakeOf(facts: Facts, value: string): Pick<Finding, 'id' | 'message' | 'fix'> {
  const { domain, target } = facts;
  if (hasZoneAppended(facts, value)) {
    return {
      id: 'record.missing-dot',
      message: `The CNAME of ${domain.unicode} points to ${value}: your provider has appended the zone to the value.`,
      fix: changeToWanted(facts, `End the value with a dot: ${target}.`),
    };
  }
  const change = `Change the value from ${value} to ${target}, so that the record reads ${wantedText(facts)}.`;
  if (editDistance(value, target, SLIPS_MAX + 1) <= SLIPS_MAX) {
    return {
      id: 'record.typo-target',
      message: `The CNAME of ${domain.unicode} points to ${value}. Did you mean ${target}?`,
      fix: changeToWanted(facts, change),
    };
  }
  const isAddress = /^https?\b|[/:\\]/.test(value);
  return {
    id: 'record.wrong-target',
    message: `The CNAME of ${domain.unicode} points to ${value}, not to ${target}. Waiting will not help.`,
    fix: changeToWanted(
      facts,
      isAddress ? `${change} The value is a host name alone, without https:// and path.` : change,
    ),
  };
}

const SLIPS_MAX = 2;

/** `target.zone`, or any parent of the domain behind the target. */
function hasZoneAppended({ domain, target }: Facts, value: string): boolean {
  if (!value.startsWith(`${target}.`)) return false;
  const appended = value.slice(target.length + 1);
  return domain.ascii === appended || domain.ascii.endsWith(`.${appended}`);
}
