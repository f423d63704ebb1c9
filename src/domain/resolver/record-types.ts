import type { RecordType } from './dns.js';

/** Numbers of the record types (IANA, "DNS Parameters"). */
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
} as const satisfies Record<RecordType, number>;

/** EDNS (RFC 6891), in the shape of a record. */
export const OPT_CODE = 41;

/** Class IN. */
export const INTERNET = 1;
