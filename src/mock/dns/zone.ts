import { labelsOf, withAncestors, type Name } from './name.js';
import { aliasRecord, targetOf, type Question, type ZoneRecord } from './record.js';

/** A zone with an index by name. */
export interface Zone {
  readonly name: Name;
  readonly soa: ZoneRecord;
  /** Whether a record exists at the name or below it (RFC 4592, section 2.2.2). */
  has(name: Name): boolean;
  /** Returns all records at a name, in the order of the file. */
  at(name: Name): readonly ZoneRecord[];
  records(): ZoneRecord[];
  /** Replaces the records of some types at a name. */
  replace(name: Name, types: readonly string[], records: readonly ZoneRecord[]): void;
}

/** The result of a lookup in one zone. */
export type ZoneLookup =
  | { kind: 'records'; records: readonly ZoneRecord[] }
  /** The lookup continues at `target`. Several CNAME records are invalid, but are all returned. */
  | { kind: 'cname'; records: readonly ZoneRecord[]; target: Name }
  /** The addresses are those of the target. */
  | { kind: 'alias'; target: Name }
  /** The name is in a delegated zone with these name servers. */
  | { kind: 'referral'; records: readonly ZoneRecord[] }
  | { kind: 'nodata' | 'nxdomain' };

/** @param initial must include the zone's SOA record. */
export function createZone(name: Name, initial: readonly ZoneRecord[]): Zone {
  let nodes = nodesOf(name, initial);
  const at = (owner: Name): readonly ZoneRecord[] => nodes.get(owner) ?? [];
  const records = (): ZoneRecord[] => [...nodes.values()].flat();
  return {
    name,
    get soa() {
      return at(name).find(({ type }) => type === 'SOA') as ZoneRecord;
    },
    has: (owner) => nodes.has(owner),
    at,
    records,
    replace(owner, types, next) {
      const others = records().filter((record) => record.name !== owner || !types.includes(record.type));
      nodes = nodesOf(name, [...others, ...next]);
    },
  };
}

/** Returns the records by name, with the names that have records only below them. */
function nodesOf(zone: Name, records: readonly ZoneRecord[]): Map<Name, ZoneRecord[]> {
  const nodes = new Map<Name, ZoneRecord[]>();
  const depth = labelsOf(zone).length;
  for (const record of records) {
    const known = nodes.get(record.name);
    if (known !== undefined) {
      known.push(record);
      continue;
    }
    const ancestors = withAncestors(record.name);
    for (const ancestor of ancestors.slice(1, Math.max(1, ancestors.length - depth)))
      if (!nodes.has(ancestor)) nodes.set(ancestor, []);
    nodes.set(record.name, [record]);
  }
  return nodes;
}

/** Looks up a question (RFC 1034, section 4.3.2), with wildcards and DNAME. */
export function lookUpInZone(zone: Zone, question: Question): ZoneLookup {
  const { name } = question;
  const ancestors = withAncestors(name);
  const depth = labelsOf(name).length - labelsOf(zone.name).length;
  // From the child of the apex down to the queried name.
  for (const node of ancestors.slice(0, depth).reverse()) {
    const records = zone.at(node);
    const delegation = records.filter(({ type }) => type === 'NS');
    if (delegation.length > 0 && !(node === name && question.type === 'DS'))
      return { kind: 'referral', records: delegation };
  }
  for (const node of ancestors.slice(1, depth + 1).reverse()) {
    const dname = zone.at(node).find(({ type }) => type === 'DNAME');
    if (dname !== undefined) return synthesizedCname(name, node, dname);
  }
  if (zone.has(name)) return atNode(zone.at(name), question);
  const encloser = ancestors.find((ancestor) => zone.has(ancestor)) ?? zone.name;
  const wildcard = encloser === '' ? '*' : `*.${encloser}`;
  if (!zone.has(wildcard)) return { kind: 'nxdomain' };
  return atNode(
    zone.at(wildcard).map((record) => ({ ...record, name })),
    question,
  );
}

function atNode(node: readonly ZoneRecord[], { type }: Question): ZoneLookup {
  const records = node.filter((record) => record.type === type && record.type !== 'ALIAS');
  // A CNAME with other records at its name is invalid. Checked second, so that queries can find both.
  if (records.length > 0) return { kind: 'records', records };
  const cnames = node.filter((record) => record.type === 'CNAME');
  const [cname] = cnames;
  if (cname !== undefined) return { kind: 'cname', records: cnames, target: targetOf(cname) };
  const alias = node.find((record) => record.type === 'ALIAS');
  if (alias !== undefined && (type === 'A' || type === 'AAAA'))
    return { kind: 'alias', target: targetOf(alias) };
  return { kind: 'nodata' };
}

/** RFC 6672, section 3.1: adds a CNAME for resolvers without DNAME support. */
function synthesizedCname(name: Name, owner: Name, dname: ZoneRecord): ZoneLookup {
  const target = `${name.slice(0, -owner.length)}${targetOf(dname)}`;
  return { kind: 'cname', records: [dname, aliasRecord(name, dname.ttl, target)], target };
}
