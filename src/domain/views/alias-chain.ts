import type { ChainStep, Facts } from '../facts/facts.js';
import type { Lookup } from '../facts/lookup.js';
import { aliasesAt, aliasTarget, decisiveServers } from './server-view.js';

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

/** A name without an address at the end of the aliases. */
export interface DeadEnd {
  name: string;
  /** The zone of the name, if that does not exist. */
  missingZone?: string;
  lookups: readonly Lookup[];
}

/** Returns the end of the domain's aliases if it has no address. */
export function deadEndOf(facts: Facts): DeadEnd | undefined {
  return endAtServers(facts) ?? endOfChain(facts);
}

/** An end within the zone, as the zone's servers report it. */
function endAtServers(facts: Facts): DeadEnd | undefined {
  for (const { a, aaaa } of decisiveServers(facts)) {
    const name = a.chain.map(aliasTarget).at(-1);
    const isInZone = name !== undefined && (name === facts.zone.name || name.endsWith(`.${facts.zone.name}`));
    if (isInZone && !endsBelowZone(a) && isEmpty(a) && isEmpty(aaaa)) return { name, lookups: [a, aaaa] };
  }
  return undefined;
}

/** Whether the aliases end in a zone below. Then the response has a referral (RFC 1034, section 4.3.2, step 3b). */
function endsBelowZone({ exchange }: Lookup): boolean {
  return exchange.kind === 'response' && exchange.response.authority.some(({ data }) => data.type === 'NS');
}

/** An end outside the zone. If its zone does not exist, the lookup is the NS query to the parent. */
function endOfChain({ relatedNames: { chain, chainEnd } }: Facts): DeadEnd | undefined {
  if (chainEnd?.outcome !== 'nxdomain') return undefined;
  const { name, type } = chainEnd.question;
  const lookups = [chainEnd];
  return type === 'NS' ? { name: chain.at(-1)?.to ?? name, missingZone: name, lookups } : { name, lookups };
}

/** Whether there is certainly no record of the queried type. */
export function isEmpty({ outcome }: Lookup): boolean {
  return outcome === 'nodata' || outcome === 'nxdomain';
}
