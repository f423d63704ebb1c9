import type { ChainStep, Facts } from '../facts/facts.js';
import { aliasesAt } from './server-view.js';

/** The aliases from the domain on, and where they lead. */
export interface AliasChain {
  steps: readonly ChainStep[];
  /** The names of the cycle in order, its first name again at the end; absent where there is none. */
  loop?: readonly string[];
}

/** Follows the aliases that were seen; empty where the domain has none. */
export function aliasChain(facts: Facts): AliasChain {
  const steps = facts.relatedNames.chain.length > 0 ? facts.relatedNames.chain : stepsOfAnswers(facts);
  const visited: string[] = [];
  for (const { from, to } of steps) {
    visited.push(from.toLowerCase());
    const start = visited.indexOf(to.toLowerCase());
    if (start >= 0) return { steps, loop: [...visited.slice(start), to.toLowerCase()] };
  }
  return { steps };
}

/** What the zone's own servers say, where nobody followed the chain beyond them. */
function stepsOfAnswers(facts: Facts): ChainStep[] {
  for (const server of facts.servers) {
    const records = server.a.chain.length > 0 ? server.a.chain : aliasesAt(facts, server).slice(0, 1);
    const steps = records.flatMap(({ name, ttl, data }) =>
      data.type === 'CNAME' ? [{ from: name, to: data.target, ttl, server: server.server }] : [],
    );
    if (steps.length > 0) return steps;
  }
  return [];
}
