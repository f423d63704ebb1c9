import type { Name } from './name.js';

/** The record types that a zone file can contain. */
export const ZONE_RECORD_TYPES = [
  'A',
  'AAAA',
  /** PowerDNS's pseudo-type. It never leaves the server: address records are made from it. */
  'ALIAS',
  'CAA',
  'CNAME',
  'DNAME',
  'DS',
  'HTTPS',
  'MX',
  'NS',
  'SOA',
  'SRV',
  'TXT',
] as const;

export type ZoneRecordType = (typeof ZONE_RECORD_TYPES)[number];

/** The data of each record type, in the form that dns-packet encodes. HTTPS and CAA are bytes. */
export interface RecordData {
  A: string;
  AAAA: string;
  ALIAS: Name;
  CAA: Buffer;
  CNAME: Name;
  DNAME: Name;
  DS: { keyTag: number; algorithm: number; digestType: number; digest: Buffer };
  HTTPS: Buffer;
  MX: { preference: number; exchange: Name };
  NS: Name;
  SOA: {
    mname: Name;
    rname: Name;
    serial: number;
    refresh: number;
    retry: number;
    expire: number;
    minimum: number;
  };
  SRV: { priority: number; weight: number; port: number; target: Name };
  TXT: Buffer[];
}

/** A record of a zone. The TTL is in seconds. */
export type ZoneRecord = {
  [Type in ZoneRecordType]: { name: Name; type: Type; ttl: number; data: RecordData[Type] };
}[ZoneRecordType];

export type SoaRecord = Extract<ZoneRecord, { type: 'SOA' }>;

/** The question of a query. The type is a name such as `A`, or `TYPE99`. */
export interface Question {
  name: Name;
  type: string;
}

export function isSoa(record: ZoneRecord): record is SoaRecord {
  return record.type === 'SOA';
}

export function isZoneRecordType(type: string): type is ZoneRecordType {
  return (ZONE_RECORD_TYPES as readonly string[]).includes(type);
}

/** Returns the name that a record points to: of an alias, a name server or a mail server; otherwise the root. */
export function targetOf(record: ZoneRecord): Name {
  switch (record.type) {
    case 'ALIAS':
    case 'CNAME':
    case 'DNAME':
    case 'NS':
      return record.data;
    case 'MX':
      return record.data.exchange;
    case 'SOA':
      return record.data.mname;
    case 'SRV':
      return record.data.target;
    default:
      return '';
  }
}

/** Returns the address of an A record, or '' for other types. */
export function ipv4Of(record: ZoneRecord): string {
  return record.type === 'A' ? record.data : '';
}

export function addressRecord(name: Name, ttl: number, address: string): ZoneRecord {
  return { name, type: 'A', ttl, data: address };
}

export function aliasRecord(name: Name, ttl: number, target: Name): ZoneRecord {
  return { name, type: 'CNAME', ttl, data: target };
}

/** Returns for how many seconds the absence of a record may be cached (RFC 2308, section 5). */
export function negativeTtl(soa: SoaRecord): number {
  return Math.min(soa.ttl, soa.data.minimum);
}

/** Copies a zone's SOA record with the next serial number. */
export function withNextSerial(soa: SoaRecord): SoaRecord {
  return { ...soa, data: { ...soa.data, serial: (soa.data.serial + 1) >>> 0 } };
}
