import { queryZone, type QueryName, walkAliases } from './aliases.js';
import { addressesIn } from '../facts/classify.js';
import { digCommand, evidenceOf } from '../views/evidence.js';
import type { Evidence } from '../finding/finding.js';
import type { CheckContext } from './check-context.js';
import { isKnown, type Lookup } from '../facts/lookup.js';
import type { FoundAddresses } from '../report/options.js';
import { withPrintableTexts } from '../finding/finding.js';
import { registrableOf } from '../name/name.js';

/** The addresses of a name, with evidence. */
export interface NameAddresses extends FoundAddresses {
  /** Results of the A and AAAA queries, with `dig` commands that show them. Safe to print. */
  evidence: readonly Evidence[];
}

/**
 * Finds the addresses of a name.
 *
 * @param query By default queries only the servers of each zone on the path, because a resolver would cache an absence.
 */
export async function findAddresses(
  context: CheckContext,
  name: string,
  query: QueryName = queryZone,
): Promise<NameAddresses> {
  // In sequence, so that the second query finds the zones on the path in the cache.
  const lookups = [
    await walkAliases(context, name, 'A', query),
    await walkAliases(context, name, 'AAAA', query),
  ];
  const addresses = [...new Set(lookups.flatMap((lookup) => addressesIn(lookup?.records ?? [])))];
  const outcome = addresses.length > 0 ? 'found' : lookups.every(isKnown) ? 'missing' : 'unknown';
  const ranOut = outcome === 'unknown' && context.signal?.aborted === true;
  return {
    outcome,
    addresses,
    ...(ranOut && { ranOut }),
    evidence: withPrintableTexts(lookups.map((lookup) => evidenceFor(name, lookup))),
  };
}

function evidenceFor(name: string, lookup: Lookup | undefined): Evidence {
  if (lookup !== undefined) return evidenceOf(lookup);
  // The command must not query the user's own resolver for the name: it would cache an absence.
  const command = `${digCommand(undefined, registrableOf(name), 'NS')} +trace`;
  return { text: `${name}: no name servers known for its zone`, command };
}
