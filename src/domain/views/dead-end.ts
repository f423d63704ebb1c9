import type { Facts } from '../facts/facts.js';
import type { Lookup } from '../facts/lookup.js';
import { aliasTarget, judgedServers } from './server-view.js';

/** A name without an address, to which the aliases lead. */
export interface DeadEnd {
  name: string;
  /** The zone that it would lie in, where that does not exist. */
  missingZone?: string;
  lookups: readonly Lookup[];
}

/** Where the domain's aliases end, if that is nowhere. */
export function deadEndOf(facts: Facts): DeadEnd | undefined {
  return endsAtServer(facts) ?? endsOnTheWay(facts);
}

/** The zone's own servers tell of ends that they are responsible for. */
function endsAtServer(facts: Facts): DeadEnd | undefined {
  for (const { a, aaaa } of judgedServers(facts)) {
    const name = a.chain.map(aliasTarget).at(-1);
    const isInZone = name !== undefined && (name === facts.zone.name || name.endsWith(`.${facts.zone.name}`));
    if (isInZone && !leadsBelow(a) && isEmpty(a) && isEmpty(aaaa)) return { name, lookups: [a, aaaa] };
  }
  return undefined;
}

/** The aliases lead into a zone below, whose servers are named beside them (RFC 1034, section 4.3.2, step 3b). */
function leadsBelow({ exchange }: Lookup): boolean {
  return exchange.kind === 'response' && exchange.response.authority.some(({ data }) => data.type === 'NS');
}

/** Of a zone that does not exist nobody can be asked: its parent was, for its name servers. */
function endsOnTheWay({ relatedNames: { chain, chainEnd } }: Facts): DeadEnd | undefined {
  if (chainEnd?.outcome !== 'nxdomain') return undefined;
  const { name, type } = chainEnd.question;
  const lookups = [chainEnd];
  return type === 'NS' ? { name: chain.at(-1)?.to ?? name, missingZone: name, lookups } : { name, lookups };
}

/** Whether there is nothing of the asked type, for certain. */
export function isEmpty({ outcome }: Lookup): boolean {
  return outcome === 'nodata' || outcome === 'nxdomain';
}
