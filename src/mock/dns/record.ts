import type { Name } from './name.js';

/** A record type that a zone file can hold. */
export type ZoneRecordType = keyof typeof TYPE_CODES;

/** Of the record types that the mock knows by name, the number on the wire. */
export const TYPE_CODES = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  SRV: 33,
  DNAME: 39,
  HTTPS: 65,
  CAA: 257,
  /** The number that PowerDNS keeps it under. Never sent: addresses are made of it. */
  ALIAS: 65401,
} as const;

const TYPE_NAMES: ReadonlyMap<number, ZoneRecordType> = new Map(
  Object.entries(TYPE_CODES).map(([name, code]) => [code, name as ZoneRecordType]),
);

/**
 * What a record says, as it goes onto the wire. Names stand apart, since some may be compressed (RFC 3597, section 4).
 */
export type Rdata = readonly (Uint8Array | { name: Name; compressed: boolean })[];

/** A record of a zone. */
export interface ZoneRecord {
  name: Name;
  type: ZoneRecordType;
  /** Seconds. */
  ttl: number;
  data: Rdata;
}

/** One question. */
export interface Question {
  name: Name;
  /** Such as `A`; `TYPE99` where the mock knows no name for it. */
  type: string;
}

export function isZoneRecordType(type: string): type is ZoneRecordType {
  return Object.hasOwn(TYPE_CODES, type);
}

/** Such as `A` or `TYPE99`. */
export function typeName(code: number): string {
  return TYPE_NAMES.get(code) ?? `TYPE${String(code)}`;
}

/** The name that a record leads to: of an alias, a name server, a mail server. */
export function targetOf({ data }: ZoneRecord): Name {
  for (const part of data) if ('name' in part) return part.name;
  return '';
}

/** The address of an A record. */
export function ipv4Of({ data: [bytes] }: ZoneRecord): string {
  return bytes instanceof Uint8Array ? bytes.join('.') : '';
}

/** A record that answers with an IPv4 address. */
export function addressRecord(name: Name, ttl: number, address: string): ZoneRecord {
  return { name, type: 'A', ttl, data: [Uint8Array.from(address.split('.'), Number)] };
}

/** A CNAME record. */
export function aliasRecord(name: Name, ttl: number, target: Name): ZoneRecord {
  return { name, type: 'CNAME', ttl, data: [{ name: target, compressed: true }] };
}

/** Seconds that the absence of a record may be remembered (RFC 2308, section 5). */
export function negativeTtl(soa: ZoneRecord): number {
  return Math.min(soa.ttl, soaNumber(soa, SOA_MINIMUM));
}

/** A copy of a zone's start of authority, with the serial one higher. */
export function withNextSerial(soa: ZoneRecord): ZoneRecord {
  const numbers = soaNumbers(soa).slice();
  const view = new DataView(numbers.buffer);
  view.setUint32(SOA_SERIAL, view.getUint32(SOA_SERIAL) + 1);
  return { ...soa, data: [...soa.data.slice(0, -1), numbers] };
}

/** Byte offsets within the five numbers (RFC 1035, section 3.3.13). */
const SOA_SERIAL = 0;
const SOA_MINIMUM = 16;

function soaNumber(soa: ZoneRecord, offset: number): number {
  const { buffer, byteOffset } = soaNumbers(soa);
  return new DataView(buffer, byteOffset).getUint32(offset);
}

function soaNumbers({ data }: ZoneRecord): Uint8Array {
  const last = data.at(-1);
  return last instanceof Uint8Array ? last : new Uint8Array(20);
}
