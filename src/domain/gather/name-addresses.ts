import { queryZone, type QueryName, walkAliases } from './alias-walk.js';
import { addressesIn } from '../facts/classify.js';
import { digCommand, evidenceOf } from '../views/evidence.js';
import type { Evidence } from '../finding/finding.js';
import type { CheckContext } from './check-context.js';
import { isKnown, type Lookup } from '../facts/lookup.js';
import type { FoundAddresses } from '../report/options.js';
import { printableEvidence } from '../finding/printable-finding.js';
import { registrableOf } from './zone.js';

/** Where a name leads, and what shows it. */
export interface NameAddresses extends FoundAddresses {
  /** What A and AAAA were answered with, and the commands that show it. Safe to show. */
  evidence: readonly Evidence[];
}

/**
 * Finds the addresses of a name.
 *
 * @param ask Default: the servers of each zone on the way. No resolver hears of the name, for it would remember its absence.
 */
export async function findAddresses(
  context: CheckContext,
  name: string,
  ask: QueryName = queryZone,
): Promise<NameAddresses> {
  // One after the other, so that the zones on the way are known to the second.
  const lookups = [await walkAliases(context, name, 'A', ask), await walkAliases(context, name, 'AAAA', ask)];
  const addresses = [...new Set(lookups.flatMap((lookup) => addressesIn(lookup?.records ?? [])))];
  const outcome = addresses.length > 0 ? 'found' : lookups.every(isKnown) ? 'missing' : 'unknown';
  const ranOut = outcome === 'unknown' && context.signal?.aborted === true;
  return {
    outcome,
    addresses,
    ...(ranOut && { ranOut }),
    evidence: lookups.map((lookup) => printableEvidence(evidenceFor(name, lookup))),
  };
}

function evidenceFor(name: string, lookup: Lookup | undefined): Evidence {
  if (lookup !== undefined) return evidenceOf(lookup);
  // Never a question for the name to the user's own resolver, which would remember its absence.
  const command = `${digCommand(undefined, registrableOf(name), 'NS')} +trace`;
  return { text: `${name}: no name server of its zone is known`, command };
}
