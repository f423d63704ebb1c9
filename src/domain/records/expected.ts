import type { RecordFields } from '../finding/finding.js';

/** Seconds. The service's specification names it for the CNAME. */
export const EXPECTED_TTL = 3600;

/** What decides which record a domain must have. */
export interface RecordsWanted {
  /** The domain: ASCII, lower case, without the final dot. */
  name: string;
  kind: 'subdomain' | 'apex';
  /** The zone that the record is typed in. */
  zone: string;
  /** The value that the dashboard shows. */
  target: string;
}

/**
 * The records to have: a CNAME for a subdomain; for the apex of a zone, where no CNAME can be, an ALIAS (which some
 * providers call ANAME).
 */
export function expectedRecords({ name, kind, zone, target }: RecordsWanted): readonly RecordFields[] {
  const type = kind === 'apex' ? 'ALIAS' : 'CNAME';
  return [{ type, name, label: recordLabel(name, zone), value: target, ttl: EXPECTED_TTL }];
}

/** A name as a provider's form wants it: relative to its zone, `@` for the zone itself. */
export function recordLabel(name: string, zone: string): string {
  if (name === zone) return '@';
  return name.endsWith(`.${zone}`) ? name.slice(0, -zone.length - 1) : name;
}
