import { requireFields } from '../../options/check-argument.js';
import { type Check, mustBeOneOf, mustBeText } from '../../options/check-options.js';
import type { RecordToAdd } from '../report/finding.js';

/** Seconds (interface specification, "What the service does", 4). */
export const EXPECTED_TTL = 3600;

/** Input of {@link expectedRecords}. */
export interface RecordsWanted {
  /** The domain in ASCII, lower case, without the final dot. */
  name: string;
  kind: 'subdomain' | 'apex';
  /** The zone of the record. */
  zone: string;
  /** The value that the dashboard shows for the CNAME. */
  target: string;
}

/**
 * Returns the records that a domain needs: a CNAME for a subdomain, an ALIAS (some providers call it ANAME) for an apex.
 *
 * @throws InvalidInputError if a field is missing or invalid.
 * @example
 * expectedRecords({ name: 'shop.example.com', kind: 'subdomain', zone: 'example.com', target: 'cname.example.net' });
 */
export function expectedRecords(wanted: RecordsWanted): readonly RecordToAdd[] {
  requireFields(wanted, WANTED, 'The records wanted');
  const { name, kind, zone, target } = wanted;
  const type = kind === 'apex' ? 'ALIAS' : 'CNAME';
  return [{ type, name, label: recordLabel(name, zone), value: target, ttl: EXPECTED_TTL }];
}

const WANTED = {
  name: mustBeText,
  kind: mustBeOneOf('apex', 'subdomain'),
  zone: mustBeText,
  target: mustBeText,
} satisfies Record<keyof RecordsWanted, Check>;

/** A name relative to its zone, as in a provider's form; `@` for the zone itself. */
export function recordLabel(name: string, zone: string): string {
  if (name === zone) return '@';
  return name.endsWith(`.${zone}`) ? name.slice(0, -zone.length - 1) : name;
}
