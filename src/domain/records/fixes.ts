import { typeOf, valueText } from '../views/evidence.js';
import { expectedRecords, recordLabel } from './expected.js';
import type { Facts } from '../facts/facts.js';
import type { Fix, RecordFields } from '../finding/finding.js';
import { listed } from '../finding/printable.js';
import type { DnsRecord } from '../resolver/dns.js';

/** The records that the domain needs. */
export function wantedRecords(facts: Facts): readonly RecordFields[] {
  const { domain, zone, target } = facts;
  return expectedRecords({ name: domain.ascii, kind: zone.kind, zone: zone.name, target });
}

/** A fix that adds the wanted record. */
export function addWanted(facts: Facts): Fix {
  const records = wantedRecords(facts);
  return { action: 'add', text: `Add ${wantedText(facts)}.`, records };
}

/** A fix that changes a record to the wanted one. */
export function changeToWanted(facts: Facts, text: string): Fix {
  return { action: 'change', text, records: wantedRecords(facts) };
}

/** A fix that removes records that were seen. */
export function removeSeen(facts: Facts, seen: readonly DnsRecord[], text: string): Fix {
  return { action: 'remove', text, records: seen.map((record) => recordFields(facts, record)) };
}

/** `CNAME shop -> cname.platform.test, TTL 3600`. */
export function wantedText(facts: Facts): string {
  return listed(wantedRecords(facts).map(typedText));
}

/** A record in one line. */
export function typedText({ type, label, value, ttl }: RecordFields): string {
  return `${type} ${label} -> ${value}${ttl === undefined ? '' : `, TTL ${ttl}`}`;
}

/** A record that was seen, as in a provider's form. */
export function recordFields(facts: Facts, { name, data }: DnsRecord): RecordFields {
  return { type: typeOf(data), name, label: recordLabel(name, facts.zone.name), value: valueText(data) };
}
