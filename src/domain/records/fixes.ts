import { distinct, typeOf, valueText } from '../views/evidence.js';
import { expectedRecords, recordLabel } from './expected.js';
import type { Facts } from '../facts/facts.js';
import type { Fix, RecordFields } from '../finding/finding.js';
import { listed } from '../finding/printable.js';
import type { DnsRecord } from '../resolver/dns.js';

/** The records that the domain needs. */
export function expectedRecordsOf(facts: Facts): readonly RecordFields[] {
  const { domain, zone, target } = facts;
  return expectedRecords({ name: domain.ascii, kind: zone.kind, zone: zone.name, target });
}

/** A fix that adds the expected record. */
export function addExpectedRecord(facts: Facts): Fix {
  const records = expectedRecordsOf(facts);
  return { action: 'add', text: `Add ${expectedText(facts)}.`, records };
}

/**
 * A fix that changes records to the expected one.
 *
 * @param old the records that it replaces.
 */
export function changeToExpectedRecord(facts: Facts, text: string, old: readonly DnsRecord[] = []): Fix {
  const records = [
    ...distinct(old).map((record) => recordFields(facts, record)),
    ...expectedRecordsOf(facts),
  ];
  return { action: 'change', text, records };
}

/** A fix that removes records. */
export function removeRecords(facts: Facts, records: readonly DnsRecord[], text: string): Fix {
  return { action: 'remove', text, records: records.map((record) => recordFields(facts, record)) };
}

/** Returns the expected record in words: `CNAME shop -> cname.platform.test, TTL 3600`. */
export function expectedText(facts: Facts): string {
  return listed(expectedRecordsOf(facts).map(recordLine));
}

/** Returns a record in one line. */
export function recordLine({ type, label, value, ttl }: RecordFields): string {
  return `${type} ${label} -> ${value}${ttl === undefined ? '' : `, TTL ${ttl}`}`;
}

/** Converts a DNS record to the fields of a provider's form. */
export function recordFields(facts: Facts, { name, data }: DnsRecord): RecordFields {
  return { type: typeOf(data), name, label: recordLabel(name, facts.zone.name), value: valueText(data) };
}
