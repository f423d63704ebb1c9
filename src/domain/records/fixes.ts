import { typeOf, valueText } from '../views/evidence.js';
import { expectedRecords, recordLabel } from './expected.js';
import type { Facts } from '../facts/facts.js';
import type { Fix, RecordFields } from '../finding/finding.js';
import { listed } from '../finding/printable.js';
import type { DnsRecord } from '../resolver/dns.js';

/** The records that the domain must have. */
export function wantedRecords(facts: Facts): readonly RecordFields[] {
  const { domain, zone, target } = facts;
  return expectedRecords({ name: domain.ascii, kind: zone.kind, zone: zone.name, target });
}

/** To type the wanted record, with a sentence before it. */
export function addWanted(facts: Facts, before = ''): Fix {
  const records = wantedRecords(facts);
  return { action: 'add', text: `${before}Add ${wantedText(facts)}.`, records };
}

/** To type the wanted record in the place of another one. */
export function changeToWanted(facts: Facts, text: string): Fix {
  return { action: 'change', text, records: wantedRecords(facts) };
}

/** To delete records that were seen. */
export function removeSeen(facts: Facts, seen: readonly DnsRecord[], text: string): Fix {
  return { action: 'remove', text, records: seen.map((record) => recordFields(facts, record)) };
}

/** `CNAME shop -> cname.platform.test, TTL 3600`. */
export function wantedText(facts: Facts): string {
  return listed(wantedRecords(facts).map(typedText));
}

/** A record as one types it, in one line. */
export function typedText({ type, label, value, ttl }: RecordFields): string {
  return `${type} ${label} -> ${value}${ttl === undefined ? '' : `, TTL ${ttl}`}`;
}

/** A record that was seen, as a provider's form shows it. */
export function recordFields(facts: Facts, { name, data }: DnsRecord): RecordFields {
  return { type: typeOf(data), name, label: recordLabel(name, facts.zone.name), value: valueText(data) };
}
