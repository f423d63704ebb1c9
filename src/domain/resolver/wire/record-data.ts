import { readAddress } from './address.js';
import type { RecordData, RecordType } from '../dns.js';
import { escapeText } from './escape.js';
import { readServiceBinding } from './service-binding.js';
import { MalformedMessage, readName } from './wire-name.js';

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
  NAPTR: 35,
  DNAME: 39,
  SSHFP: 44,
  TLSA: 52,
  HTTPS: 65,
  CAA: 257,
} as const satisfies Record<RecordType, number>;

/** Reads what a record says. Its data must fill the bytes from `start` to `end` exactly, and use no others but names. */
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
      return readAuthorization(message, start, end);
    case TYPE_CODES.SOA:
      return readStart(message, start, end);
    case TYPE_CODES.NAPTR:
      return { type: 'NAPTR' };
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

/** Seconds, 0 where the top bit is set (RFC 2181, section 8). */
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
  if (start + 2 * count > end) throw new MalformedMessage('a record cut short');
  return Array.from({ length: count }, (_, index) => message.readUInt16BE(start + 2 * index));
}

/** The character strings of a TXT record, joined; there is at least one (RFC 1035, section 3.3.14). */
function readStrings(message: Buffer, start: number, end: number): string {
  const parts: string[] = [];
  let offset = start;
  do {
    const length = offset < end ? message.readUInt8(offset) : undefined;
    if (length === undefined || offset + 1 + length > end)
      throw new MalformedMessage('a text that runs past its record');
    parts.push(escapeText(message.subarray(offset + 1, offset + 1 + length)));
    offset += 1 + length;
  } while (offset < end);
  return parts.join('');
}

/** CAA (RFC 8659, section 4.1). Tags are compared without case, so they come in lower case. */
function readAuthorization(message: Buffer, start: number, end: number): RecordData {
  if (end - start < 2) throw new MalformedMessage('a CAA record cut short');
  const tagEnd = start + 2 + message.readUInt8(start + 1);
  if (tagEnd > end) throw new MalformedMessage('a CAA tag that runs past its record');
  const tag = message.toString('latin1', start + 2, tagEnd);
  if (!/^[a-z0-9]+$/i.test(tag)) throw new MalformedMessage('a CAA tag that is not letters and digits');
  const value = escapeText(message.subarray(tagEnd, end));
  return { type: 'CAA', flags: message.readUInt8(start), tag: tag.toLowerCase(), value };
}

function readStart(message: Buffer, start: number, end: number): RecordData {
  const primary = readName(message, start, end);
  const numbers = readName(message, primary.end, end).end;
  if (numbers + 20 !== end) throw new MalformedMessage('an SOA record of a wrong size');
  return {
    type: 'SOA',
    primary: primary.text,
    serial: message.readUInt32BE(numbers),
    refresh: message.readUInt32BE(numbers + 4),
    minimum: readTtl(message, numbers + 16),
  };
}
