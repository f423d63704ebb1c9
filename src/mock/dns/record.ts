import { nameAt, nameBytes, type Name } from './name.js';

/** The record types that a zone file can contain, with their numbers. */
export const TYPE_NUMBERS = {
  A: 1,
  AAAA: 28,
  /** PowerDNS's pseudo-type. It never leaves the server: address records are made from it. */
  ALIAS: 65_401,
  CAA: 257,
  CNAME: 5,
  DNAME: 39,
  DS: 43,
  HTTPS: 65,
  MX: 15,
  NS: 2,
  SOA: 6,
  SRV: 33,
  TXT: 16,
} as const;

export type ZoneRecordType = keyof typeof TYPE_NUMBERS;

/** A record of a zone. */
export interface ZoneRecord {
  name: Name;
  type: ZoneRecordType;
  /** In seconds. */
  ttl: number;
  /** As encoded, with names that are not compressed. */
  data: Buffer;
}

/** The question of a query. The type is a name such as `A`, or `TYPE99`. */
export interface Question {
  name: Name;
  type: string;
}

export function isZoneRecordType(type: string): type is ZoneRecordType {
  return Object.hasOwn(TYPE_NUMBERS, type);
}

/** Returns the name that an ALIAS, CNAME, DNAME or NS record points to. */
export function targetOf({ data }: ZoneRecord): Name {
  return nameAt(data, 0)?.name ?? '';
}

/** Returns the address of an A record. */
export function ipv4Of({ data }: ZoneRecord): string {
  return data.join('.');
}

export function addressRecord(name: Name, ttl: number, address: string): ZoneRecord {
  return { name, type: 'A', ttl, data: Buffer.from(address.split('.').map(Number)) };
}

export function aliasRecord(name: Name, ttl: number, target: Name): ZoneRecord {
  return { name, type: 'CNAME', ttl, data: nameBytes(target) };
}

/** Returns for how many seconds the absence of a record may be cached (RFC 2308, section 5). */
export function negativeTtl({ ttl, data }: ZoneRecord): number {
  // The minimum is the last field of a SOA record (RFC 1035, section 3.3.13).
  return Math.min(ttl, data.readUInt32BE(data.length - 4));
}

/** Copies a zone's SOA record with the next serial number. */
export function withNextSerial(soa: ZoneRecord): ZoneRecord {
  const data = Buffer.from(soa.data);
  const serialAt = data.length - 20;
  data.writeUInt32BE((data.readUInt32BE(serialAt) + 1) >>> 0, serialAt);
  return { ...soa, data };
}
