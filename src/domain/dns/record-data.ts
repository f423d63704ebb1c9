import type { RecordData, RecordType } from './dns.js';
import { readDnskey, readDs, readRrsig } from './dnssec-data.js';
import { escapeText, MalformedMessage, readName } from './names.js';

const IPV4_HINT = 4;
const IPV6_HINT = 6;

/** IANA, "Resource Record (RR) TYPEs". */
export const TYPE_CODES = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  SRV: 33,
  NAPTR: 35,
  DNAME: 39,
  DS: 43,
  SSHFP: 44,
  RRSIG: 46,
  DNSKEY: 48,
  TLSA: 52,
  HTTPS: 65,
  CAA: 257,
  TYPE65401: 65_401,
} as const satisfies Record<RecordType, number>;

/** Reads the value of a record. Its data must fill the bytes from `start` to `end` exactly. */
export function readRecordData(message: Buffer, typeCode: number, start: number, end: number): RecordData {
  const size = end - start;
  switch (typeCode) {
    case TYPE_CODES.A:
      return { type: 'A', address: readAddress(message, exactly(start, size, 4), 4) };
    case TYPE_CODES.AAAA:
      return { type: 'AAAA', address: readAddress(message, exactly(start, size, 16), 16) };
    case TYPE_CODES.CNAME:
      return { type: 'CNAME', target: readLastName(message, start, end) };
    case TYPE_CODES.DNAME:
      return { type: 'DNAME', target: readLastName(message, start, end) };
    case TYPE_CODES.NS:
      return { type: 'NS', target: readLastName(message, start, end) };
    case TYPE_CODES.MX: {
      const [preference] = readNumbers(message, start, end, 1);
      return { type: 'MX', preference: preference ?? 0, target: readLastName(message, start + 2, end) };
    }
    case TYPE_CODES.SRV: {
      const [priority = 0, weight = 0, port = 0] = readNumbers(message, start, end, 3);
      return { type: 'SRV', priority, weight, port, target: readLastName(message, start + 6, end) };
    }
    case TYPE_CODES.TXT:
      return { type: 'TXT', text: readStrings(message, start, end) };
    case TYPE_CODES.CAA:
      return readCaa(message, start, end);
    case TYPE_CODES.SOA:
      return readSoa(message, start, end);
    case TYPE_CODES.DS:
      return readDs(message, start, end);
    case TYPE_CODES.DNSKEY:
      return readDnskey(message, start, end);
    case TYPE_CODES.RRSIG:
      return readRrsig(message, start, end);
    case TYPE_CODES.NAPTR:
      return { type: 'NAPTR' };
    case TYPE_CODES.TYPE65401:
      return { type: 'TYPE65401' };
    case TYPE_CODES.SSHFP:
      return { type: 'SSHFP' };
    case TYPE_CODES.TLSA:
      return { type: 'TLSA' };
    case TYPE_CODES.HTTPS:
      return readServiceBinding(message, start, end);
    default:
      return { type: 'OTHER', code: typeCode };
  }
}

/** Reads a TTL in seconds; 0 if the top bit is set (RFC 2181, section 8). */
export function readTtl(message: Buffer, offset: number): number {
  const seconds = message.readUInt32BE(offset);
  return seconds >= 2 ** 31 ? 0 : seconds;
}

function exactly(start: number, size: number, wanted: number): number {
  if (size !== wanted) throw new MalformedMessage(`an address of ${size} bytes`);
  return start;
}

function readLastName(message: Buffer, start: number, end: number): string {
  const name = readName(message, start, end);
  if (name.end !== end) throw new MalformedMessage('bytes after the name in a record');
  return name.text;
}

function readNumbers(message: Buffer, start: number, end: number, count: number): number[] {
  if (start + 2 * count > end) throw new MalformedMessage('a truncated record');
  return Array.from({ length: count }, (_, index) => message.readUInt16BE(start + 2 * index));
}

/** Joins the character strings of a TXT record, at least one (RFC 1035, section 3.3.14). */
function readStrings(message: Buffer, start: number, end: number): string {
  const parts: string[] = [];
  let offset = start;
  do {
    const length = offset < end ? message.readUInt8(offset) : undefined;
    if (length === undefined || offset + 1 + length > end)
      throw new MalformedMessage('a string extends past its record');
    parts.push(escapeText(message.subarray(offset + 1, offset + 1 + length)));
    offset += 1 + length;
  } while (offset < end);
  return parts.join('');
}

/** Reads a CAA record (RFC 8659, section 4.1). Tags are case-insensitive, so they are returned in lower case. */
function readCaa(message: Buffer, start: number, end: number): RecordData {
  if (end - start < 2) throw new MalformedMessage('a truncated CAA record');
  const tagEnd = start + 2 + message.readUInt8(start + 1);
  if (tagEnd > end) throw new MalformedMessage('a CAA tag extends past its record');
  const tag = message.toString('latin1', start + 2, tagEnd);
  if (!/^[a-z0-9]+$/i.test(tag))
    throw new MalformedMessage('a CAA tag with characters other than letters and digits');
  const value = escapeText(message.subarray(tagEnd, end));
  return { type: 'CAA', flags: message.readUInt8(start), tag: tag.toLowerCase(), value };
}

function readSoa(message: Buffer, start: number, end: number): RecordData {
  const primary = readName(message, start, end);
  const numbers = readName(message, primary.end, end).end;
  if (numbers + 20 !== end) throw new MalformedMessage('an SOA record of an invalid size');
  return {
    type: 'SOA',
    primary: primary.text,
    serial: message.readUInt32BE(numbers),
    refresh: message.readUInt32BE(numbers + 4),
    minimum: readTtl(message, numbers + 16),
  };
}

/** Reads an HTTPS record (RFC 9460, section 2.2). Its name is never compressed; its keys ascend, each at most once. */
export function readServiceBinding(message: Buffer, start: number, end: number): RecordData {
  if (end - start < 3) throw new MalformedMessage('a truncated HTTPS record');
  const priority = message.readUInt16BE(start);
  const target = readName(message, start + 2, end, 'refused');
  const addressHints: string[] = [];
  let offset = target.end;
  let previousKey = -1;
  while (offset < end) {
    if (offset + 4 > end) throw new MalformedMessage('a truncated HTTPS parameter');
    const key = message.readUInt16BE(offset);
    const valueEnd = offset + 4 + message.readUInt16BE(offset + 2);
    if (valueEnd > end) throw new MalformedMessage('an HTTPS parameter extends past its record');
    if (key <= previousKey) throw new MalformedMessage('HTTPS parameters out of order');
    addressHints.push(...readHints(message, key, offset + 4, valueEnd));
    previousKey = key;
    offset = valueEnd;
  }
  return { type: 'HTTPS', priority, target: target.text, addressHints };
}

function readHints(message: Buffer, key: number, start: number, end: number): string[] {
  if (key !== IPV4_HINT && key !== IPV6_HINT) return [];
  const size = key === IPV4_HINT ? 4 : 16;
  if (start === end || (end - start) % size !== 0)
    throw new MalformedMessage('address hints of an invalid size');
  const hints: string[] = [];
  for (let offset = start; offset < end; offset += size) hints.push(readAddress(message, offset, size));
  return hints;
}

/**
 * Reads an IPv4 (4 bytes) or IPv6 (16 bytes) address. IPv6 in the canonical form of RFC 5952, so that addresses can be
 * compared as strings.
 */
export function readAddress(message: Buffer, start: number, size: 4 | 16): string {
  if (size === 4) return message.subarray(start, start + 4).join('.');
  const groups = Array.from({ length: 8 }, (_, index) => message.readUInt16BE(start + 2 * index));
  const zeros = longestZeros(groups);
  const text = (part: number[]): string => part.map((group) => group.toString(16)).join(':');
  if (zeros.length < 2) return text(groups);
  return `${text(groups.slice(0, zeros.start))}::${text(groups.slice(zeros.start + zeros.length))}`;
}

/** The first of the longest runs of zero groups (RFC 5952, section 4.2.3). */
function longestZeros(groups: readonly number[]): { start: number; length: number } {
  let longest = { start: 0, length: 0 };
  let length = 0;
  groups.forEach((group, index) => {
    length = group === 0 ? length + 1 : 0;
    if (length > longest.length) longest = { start: index - length + 1, length };
  });
  return longest;
}
