import dnsPacket, { type RecordType as PacketType } from 'dns-packet';
import { MESSAGE_BYTES_MAX } from '../transport/transport-result.js';
import type { DnsQuestion, DnsRecord, DnsResponse } from '../dns.js';
import { type EdnsFacts, readEdns } from './edns.js';
import { readRecordData, readTtl, TYPE_CODES } from './record-data.js';
import { responseCodeName } from './response-code.js';
import { MalformedMessage, readName } from './wire-name.js';

/** What comes through without fragments (DNS Flag Day 2020). */
const UDP_PAYLOAD_BYTES = 1232;

/** EDNS, in the shape of a record. */
const OPT_CODE = 41;
/** Class IN. */
const INTERNET = 1;
const HEADER_BYTES = 12;
/** Type, class, TTL and length of a record, after its owner. */
const RECORD_HEAD_BYTES = 10;
const NAME = /^[a-z0-9_*/-]{1,63}(?:\.[a-z0-9_*/-]{1,63})*$/i;
const NAME_LENGTH_MAX = 253;
const DOT = 0x2e;

/** What came of reading an answer. */
export type Decoded =
  | { kind: 'response'; response: DnsResponse }
  /** TC: well addressed, but cut short by the server. Its records are not looked at. */
  | { kind: 'truncated' }
  | { kind: 'malformed'; detail: string };

/** What keeps a question from being asked, in words; undefined for a good one. */
export function unqueryableReason({ name, type }: DnsQuestion): string | undefined {
  if (!Object.hasOwn(TYPE_CODES, type)) return `no such record type: ${type}`;
  if (name === '.') return undefined;
  if (name.length > NAME_LENGTH_MAX)
    return `a name longer than ${NAME_LENGTH_MAX} characters cannot be asked`;
  return NAME.test(name) ? undefined : 'not a name that can be asked';
}

/** A question for one server. */
export interface Query {
  question: DnsQuestion;
  id: number;
  /** RD. */
  recursive: boolean;
  /** CD. */
  checkingDisabled?: boolean | undefined;
  /** Whether to offer EDNS. */
  edns: boolean;
}

/**
 * Writes a question. Only for one without trouble.
 *
 * dns-packet writes all but the name: that it would take as it is, a label of 200 bytes as a pointer. And all but the
 * name is the same for many questions.
 */
export function encodeQuery({ question, id, edns, recursive, checkingDisabled }: Query): Buffer {
  const recursion = recursive ? dnsPacket.RECURSION_DESIRED : 0;
  const checking = checkingDisabled === true ? dnsPacket.CHECKING_DISABLED : 0;
  const frame = frameFor(TYPE_CODES[question.type], recursion | checking, edns);
  const { name } = question;
  // The frame has the name of the root, which is one byte.
  if (name === '.') return withId(id, Buffer.from(frame));
  const message = Buffer.allocUnsafe(frame.length + name.length + 1);
  frame.copy(message, 0, 0, HEADER_BYTES);
  frame.copy(message, writeName(message, name), HEADER_BYTES + 1);
  return withId(id, message);
}

function withId(id: number, message: Buffer): Buffer {
  message.writeUInt16BE(id, 0);
  return message;
}

const frames = new Map<number, Buffer>();

/** A question for the root. */
function frameFor(typeCode: number, flags: number, edns: boolean): Buffer {
  const key = (typeCode * 0x1_0000 + flags) * 2 + Number(edns);
  const known = frames.get(key);
  if (known !== undefined) return known;
  // The package knows a type that it has no name for by this one only; any other name is sent as type 0.
  const type = `UNKNOWN_${typeCode}` as PacketType;
  const frame = dnsPacket.encode({
    type: 'query',
    flags,
    questions: [{ name: '.', type, class: 'IN' }],
    additionals: edns ? [{ ...OPT_RECORD, options: [] }] : [],
  });
  frames.set(key, frame);
  return frame;
}

/** The size is given always: 0 would become 4096. */
const OPT_RECORD = {
  type: 'OPT',
  name: '.',
  udpPayloadSize: UDP_PAYLOAD_BYTES,
  extendedRcode: 0,
  ednsVersion: 0,
  flags: 0,
  flag_do: false,
} as const;

/** Writes the name behind the header. Returns where it ends. */
function writeName(message: Buffer, name: string): number {
  const end = HEADER_BYTES + name.length + 2;
  // Each dot becomes the length of what follows it, and one more stands before the first label.
  message.write(name, HEADER_BYTES + 1, 'latin1');
  message[end - 1] = 0;
  let next = end - 1;
  for (let at = next - 1; at > HEADER_BYTES; at -= 1) {
    if (message[at] !== DOT) continue;
    message[at] = next - at - 1;
    next = at;
  }
  message[HEADER_BYTES] = next - HEADER_BYTES - 1;
  return end;
}

/**
 * Whether a message is an answer to the question, the id aside. A server that could not read the question may leave it
 * out, provided that it then says nothing else.
 */
export function isResponseTo(message: Buffer, question: DnsQuestion): boolean {
  return questionEnd(message, question) !== undefined;
}

/** How an answer came. */
export interface Arrival {
  over: DnsResponse['over'];
  /** The question's id, where the transport has not matched it already. */
  id?: number;
}

/** Reads an answer, byte by byte: what is not exactly in the format is `malformed`, however plausible. */
export function decodeResponse(message: Buffer, question: DnsQuestion, { over, id }: Arrival): Decoded {
  try {
    if (message.length > MESSAGE_BYTES_MAX)
      throw new MalformedMessage(`more than ${MESSAGE_BYTES_MAX} bytes`);
    const offset = questionEnd(message, question);
    if (offset === undefined || (id !== undefined && id !== message.readUInt16BE(0)))
      throw new MalformedMessage('not an answer to the question');
    if ((message.readUInt8(2) & 0x02) !== 0) return { kind: 'truncated' };
    return { kind: 'response', response: readResponse(message, offset, over) };
  } catch (error) {
    if (error instanceof MalformedMessage) return { kind: 'malformed', detail: error.message };
    throw error;
  }
}

/** Where the question ends; undefined where the message does not answer it. */
function questionEnd(message: Buffer, question: DnsQuestion): number | undefined {
  if (message.length < HEADER_BYTES) return undefined;
  // QR set, opcode QUERY.
  if ((message.readUInt8(2) & 0xf8) !== 0x80) return undefined;
  const questions = message.readUInt16BE(4);
  if (questions === 0) return isBareError(message) ? HEADER_BYTES : undefined;
  if (questions !== 1) return undefined;
  const end = nameEnd(message, question.name);
  if (end === undefined || end + 4 > message.length) return undefined;
  const sameType = message.readUInt16BE(end) === TYPE_CODES[question.type];
  return sameType && message.readUInt16BE(end + 2) === INTERNET ? end + 4 : undefined;
}

/** Where the name behind the header ends; undefined where it is another one. Nothing lies before it to point to. */
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

/** ASCII alone. */
function lowerCase(code: number): number {
  return code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
}

/** An error without an answer and without an authority. NXDOMAIN is a statement about the question. */
function isBareError(message: Buffer): boolean {
  const rcode = message.readUInt8(3) & 0x0f;
  return rcode !== 0 && rcode !== 3 && message.readUInt32BE(6) === 0;
}

function readResponse(message: Buffer, start: number, over: DnsResponse['over']): DnsResponse {
  const reading: Reading = { message, offset: start, edns: undefined };
  const answers = readRecords(reading, message.readUInt16BE(6));
  const authority = readRecords(reading, message.readUInt16BE(8));
  if (reading.edns !== undefined) throw new MalformedMessage('an OPT record out of place');
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

const NO_EDNS: EdnsFacts = { rcodeHigh: 0, extendedErrors: [] };

/** How far a message has been read. */
interface Reading {
  readonly message: Buffer;
  offset: number;
  edns: EdnsFacts | undefined;
}

function readRecords(reading: Reading, count: number): DnsRecord[] {
  const records: DnsRecord[] = [];
  for (let index = 0; index < count; index += 1) {
    const record = readRecord(reading);
    if (record !== undefined) records.push(record);
  }
  return records;
}

/** Undefined for EDNS's, which is none. */
function readRecord(reading: Reading): DnsRecord | undefined {
  const { message, offset } = reading;
  const { text: name, end: head } = readName(message, offset, message.length);
  const start = head + RECORD_HEAD_BYTES;
  if (start > message.length) throw new MalformedMessage('a record cut short');
  const typeCode = message.readUInt16BE(head);
  const end = start + message.readUInt16BE(head + 8);
  if (end > message.length) throw new MalformedMessage('a record that runs past the end');
  reading.offset = end;
  if (typeCode === OPT_CODE) {
    if (name !== '.') throw new MalformedMessage('an OPT record with an owner');
    if (reading.edns !== undefined) throw new MalformedMessage('two OPT records');
    reading.edns = readEdns(message, head + 4, start, end);
    return undefined;
  }
  // The top bit of the class is not multicast DNS's here: all of it counts.
  if (message.readUInt16BE(head + 2) !== INTERNET) throw new MalformedMessage('a record of another class');
  return { name, ttl: readTtl(message, head + 4), data: readRecordData(message, typeCode, start, end) };
}
