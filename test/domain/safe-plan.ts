import { expect } from 'vitest';
import { expectedRecordsOf } from '../../src/domain/advice/advice.js';
import { todoLines, todoOf } from '../../src/domain/advice/plan.js';
import type { Facts } from '../../src/domain/gather/facts/facts.js';
import type { Finding, RecordFields, Todo } from '../../src/domain/report/finding.js';
import { printable } from '../../src/schema/control-characters.js';
import type { DnsRecord } from '../../src/domain/dns/dns.js';
import { diagnose } from '../../src/domain/diagnose/diagnose.js';
import { valueText } from '../../src/domain/gather/views/evidence.js';

/** The advice of a check, and the records that name servers returned. */
export interface Planned {
  findings: readonly Finding[];
  todo: readonly Todo[];
  expected: readonly RecordFields[];
  /** As {@link recordKey} writes them. */
  known: ReadonlySet<string>;
  /** The name servers of the zone at its parent. */
  parentHosts: readonly string[];
}

/** The advice about facts. */
export function planned(facts: Facts): Planned {
  const findings = diagnose(facts);
  const blocks = findings.filter(({ severity }) => severity === 'block');
  const records = recordsIn(facts);
  return {
    findings,
    todo: todoOf(facts, blocks),
    expected: expectedRecordsOf(facts),
    known: new Set(records.map(({ name, data }) => recordKey(name, valueText(data)))),
    parentHosts: facts.zone.parentHosts,
  };
}

/** Equal for the same record, whatever the case of its name is. */
export function recordKey(name: string, value: string): string {
  return printable(`${name} ${value}`).toLowerCase();
}

/** All records anywhere in a value. */
function recordsIn(value: unknown): DnsRecord[] {
  if (typeof value !== 'object' || value === null) return [];
  const isRecord = 'name' in value && 'data' in value && 'ttl' in value;
  // It is a value of the facts with the fields of a record.
  return isRecord ? [value as DnsRecord] : Object.values(value).flatMap(recordsIn);
}

/** Expects that no step of an advice makes things worse. */
export function expectSafePlan({ findings, todo, expected, known, parentHosts }: Planned): void {
  const removals = todo.flatMap(({ action, record, replaces = [] }) =>
    action === 'remove' ? [record] : replaces,
  );
  const all = [...removals, ...findings.flatMap(({ fix }) => fix?.remove ?? [])];
  const key = ({ type, name, value }: RecordFields): string => `${type} ${name} ${value}`.toLowerCase();
  const wanted = expected.map(key);
  expect(all.map(key).filter((one) => wanted.includes(one))).toEqual([]);
  // The parent's list has the NS records, and a typed NS comes in a referral.
  const seen = all
    .filter(({ type }) => type !== 'NS')
    .filter(({ name, value }) => !known.has(recordKey(name, value)));
  expect(seen, 'removes a record that no server returned').toEqual([]);
  const hosts = removals
    .filter(({ type, label }) => type === 'NS' && label === '@')
    .map(({ value }) => value);
  if (hosts.length > 0) expect(parentHosts.filter((host) => !hosts.includes(host))).not.toEqual([]);
  const places = todoLines({ findings, todo, expected })
    .filter(({ records }) => records.length > 0)
    .map(
      ({ text, records: [record] }) =>
        `${/ at ([^:]+):/.exec(text)?.[1] ?? ''} ${record?.name ?? ''} ${String(record?.type === 'CAA')}`,
    );
  expect(places).toEqual([...new Set(places)]);
  const set = todo.flatMap(({ action, record }) => (action === 'remove' ? [] : [record]));
  const aliased = set.filter(({ type }) => type === 'CNAME').map(({ name }) => name);
  const next = set.filter(({ type, name }) => type !== 'CNAME' && aliased.includes(name));
  expect(next, 'adds a record next to a CNAME').toEqual([]);
  // A removal alone leaves a right record, or records that no visitor looks up.
  for (const { action, record, replaces = [] } of todo)
    if (action === 'edit' && replaces.length > 0) expect(replaces.map(key)).not.toContain(key(record));
}
