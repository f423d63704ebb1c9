import type { DnsQuestion, DnsRecord, DnsResponse } from './dns.js';
import { MESSAGE_BYTES_MAX } from './transport-result.js';
import { type EdnsData, readEdns, responseCodeName } from './edns.js';
import { DOT, HEADER_BYTES, MalformedMessage, readName } from './names.js';
import { readRecordData, readTtl, TYPE_CODES } from './record-data.js';

/** Type code of the OPT record (RFC 6891). */
const OPT_CODE = 41;
/** Class IN. */
const INTERNET = 1;
/** Type, class, TTL and length of a record, after its owner. */
const RECORD_HEAD_BYTES = 10;

export type DecodedResponse =
  | { kind: 'response'; response: DnsResponse }
  /** The TC flag is set. The records are not read. */
  | { kind: 'truncated' }
  | { kind: 'malformed'; detail: string };

/** How a message arrived. */
export interface Arrival {
  over: DnsResponse['over'];
  /** The id of the query, unless the transport has compared it already. */
  id?: number;
}

/** Decodes a response strictly: any deviation from the format is `malformed`. */
export function decodeResponse(
  message: Buffer,
  question: DnsQuestion,
  { over, id }: Arrival,
): DecodedResponse {
  try {
    if (message.length > MESSAGE_BYTES_MAX)
      throw new MalformedMessage(`more than ${MESSAGE_BYTES_MAX} bytes`);
    const offset = questionEnd(message, question);
    if (offset === undefined || (id !== undefined && id !== message.readUInt16BE(0)))
      throw new MalformedMessage('does not match the query');
    if ((message.readUInt8(2) & 0x02) !== 0) return { kind: 'truncated' };
    return { kind: 'response', response: readResponse(message, offset, over) };
  } catch (error) {
    if (error instanceof MalformedMessage) return { kind: 'malformed', detail: error.message };
    throw error;
  }
}

/**
 * Whether a message is a response to the question, apart from its id. A server that can't read a query may omit the
 * question section, but only if the other sections are empty too.
 */
export function isResponseTo(message: Buffer, question: DnsQuestion): boolean {
  return questionEnd(message, question) !== undefined;
}

/** The end of the question section; `undefined` if the message is not a response to the question. */
function questionEnd(message: Buffer, question: DnsQuestion): number | undefined {
  if (message.length < HEADER_BYTES) return undefined;
  // QR set, opcode QUERY.
  if ((message.readUInt8(2) & 0xf8) !== 0x80) return undefined;
  const questions = message.readUInt16BE(4);
  if (questions === 0) return isBareError(message) ? HEADER_BYTES : undefined;
  if (questions !== 1) return undefined;
  const end = nameEnd(message, question.name);
  if (end === undefined || end + 4 > message.length) return undefined;
  const isSameType = message.readUInt16BE(end) === TYPE_CODES[question.type];
  return isSameType && message.readUInt16BE(end + 2) === INTERNET ? end + 4 : undefined;
}

/**
 * The end of the name after the header; `undefined` if it is another name. It can't be compressed: nothing precedes it.
 */
function nameEnd(message: Buffer, name: string): number | undefined {
  let lengthAt = HEADER_BYTES;
  for (let index = 0; name !== '.' && index <= name.length; index += 1) {
    const at = HEADER_BYTES + 1 + index;
    const code = index === name.length ? DOT : name.charCodeAt(index);
    if (code === DOT) {
      if (message[lengthAt] !== at - lengthAt - 1) return undefined;
      lengthAt = at;
    } else if (lowerCase(code) !== lowerCase(message[at] ?? 0)) {
      return undefined;
    }
  }
  return message[lengthAt] === 0 ? lengthAt + 1 : undefined;
}

/** ASCII only. */
function lowerCase(code: number): number {
  return code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
}

/** Whether it is an error without records. NXDOMAIN does not count: it is a statement about the question. */
function isBareError(message: Buffer): boolean {
  const rcode = message.readUInt8(3) & 0x0f;
  return rcode !== 0 && rcode !== 3 && message.readUInt32BE(6) === 0;
}

function readResponse(message: Buffer, start: number, over: DnsResponse['over']): DnsResponse {
  const reading: Reading = { message, offset: start, edns: undefined };
  const answers = readRecords(reading, message.readUInt16BE(6));
  const authority = readRecords(reading, message.readUInt16BE(8));
  if (reading.edns !== undefined) throw new MalformedMessage('an OPT record outside the additional section');
  const additional = readRecords(reading, message.readUInt16BE(10));
  if (reading.offset !== message.length) throw new MalformedMessage('bytes after the last record');
  const { rcodeHigh, extendedErrors } = reading.edns ?? NO_EDNS;
  return {
    rcode: responseCodeName((rcodeHigh << 4) | (message.readUInt8(3) & 0x0f)),
    authoritative: (message.readUInt8(2) & 0x04) !== 0,
    recursionAvailable: (message.readUInt8(3) & 0x80) !== 0,
    answers,
    authority,
    additional,
    extendedErrors,
    over,
  };
}

const NO_EDNS: EdnsData = { rcodeHigh: 0, extendedErrors: [] };

/** The read position in a message. */
interface Reading {
  readonly message: Buffer;
  offset: number;
  edns: EdnsData | undefined;
}

function readRecords(reading: Reading, count: number): DnsRecord[] {
  const records: DnsRecord[] = [];
  for (let index = 0; index < count; index += 1) {
    const record = readRecord(reading);
    if (record !== undefined) records.push(record);
  }
  return records;
}

/** Reads one record. An OPT record goes into `reading.edns`, and the result is `undefined`. */
function readRecord(reading: Reading): DnsRecord | undefined {
  const { message, offset } = reading;
  const { text: name, end: head } = readName(message, offset, message.length);
  const start = head + RECORD_HEAD_BYTES;
  if (start > message.length) throw new MalformedMessage('a truncated record');
  const typeCode = message.readUInt16BE(head);
  const end = start + message.readUInt16BE(head + 8);
  if (end > message.length) throw new MalformedMessage('a record extends past the message');
  reading.offset = end;
  if (typeCode === OPT_CODE) {
    if (name !== '.') throw new MalformedMessage('an OPT record whose owner is not the root');
    if (reading.edns !== undefined) throw new MalformedMessage('two OPT records');
    reading.edns = readEdns(message, head + 4, start, end);
    return undefined;
  }
  // All 16 bits of the class count: the top bit has a meaning in multicast DNS only.
  if (message.readUInt16BE(head + 2) !== INTERNET)
    throw new MalformedMessage('a record of a class other than IN');
  return { name, ttl: readTtl(message, head + 4), data: readRecordData(message, typeCode, start, end) };
}
