import type { ChainStep, Facts } from '../facts/facts.js';
import { aliasesAt } from './server-view.js';

/** The aliases from the domain on. */
export interface AliasChain {
  steps: readonly ChainStep[];
  /** The names of a loop in order, its first name again at the end. Absent without a loop. */
  loop?: readonly string[];
}

/** Returns the aliases of the domain, and their loop if they have one. */
export function aliasChain(facts: Facts): AliasChain {
  const steps = facts.relatedNames.chain.length > 0 ? facts.relatedNames.chain : stepsOfServers(facts);
  const visited: string[] = [];
  for (const { from, to } of steps) {
    visited.push(from.toLowerCase());
    const start = visited.indexOf(to.toLowerCase());
    if (start >= 0) return { steps, loop: [...visited.slice(start), to.toLowerCase()] };
  }
  return { steps };
}

/** The aliases in the responses of the zone's own servers. */
function stepsOfServers(facts: Facts): ChainStep[] {
  for (const server of facts.servers) {
    const records = server.a.chain.length > 0 ? server.a.chain : aliasesAt(facts, server).slice(0, 1);
    const steps = records.flatMap(({ name, ttl, data }) =>
      data.type === 'CNAME' ? [{ from: name, to: data.target, ttl, server: server.server }] : [],
    );
    if (steps.length > 0) return steps;
  }
  return [];
}
