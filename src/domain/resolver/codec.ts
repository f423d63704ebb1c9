import dnsPacket, { type RecordType as PacketType } from 'dns-packet';
import { MESSAGE_BYTES_MAX } from './delivery.js';
import type { AskOptions, DnsQuestion, DnsRecord, DnsReply } from './dns.js';
import { type EdnsFacts, readEdns } from './edns.js';
import { readRecordData, readTtl, TYPE_CODES } from './record-data.js';
import { responseCodeName } from './response-code.js';
import { Malformed, readName } from './wire-name.js';

/** What comes through without fragments (DNS Flag Day 2020). */
const UDP_PAYLOAD_BYTES = 1232;

/** EDNS, in the shape of a record. */
const OPT_CODE = 41;
/** Class IN. */
const INTERNET = 1;
const HEADER_BYTES = 12;
/** Type, class, TTL and length of a record, after its owner. */
const RECORD_HEAD_BYTES = 10;
const LABEL = /^[a-z0-9_*/-]{1,63}$/i;
const NAME_LENGTH_MAX = 253;
const DOT = 0x2e;

/** What came of reading an answer. */
export type Decoded =
  | { kind: 'reply'; reply: Omit<DnsReply, 'over'> }
  /** TC: well addressed, but cut short by the server. Its records are not looked at. */
  | { kind: 'truncated' }
  | { kind: 'malformed'; detail: string };

/** What keeps a question from being asked, in words; undefined for a good one. */
export function questionTrouble({ name, type }: DnsQuestion): string | undefined {
  if (!Object.hasOwn(TYPE_CODES, type)) return `no such record type: ${type}`;
  if (name === '.') return undefined;
  if (name.length > NAME_LENGTH_MAX)
    return `a name longer than ${NAME_LENGTH_MAX} characters cannot be asked`;
  return name.split('.').every((label) => LABEL.test(label)) ? undefined : 'not a name that can be asked';
}

/** A question for one server. */
export interface Query extends Omit<AskOptions, 'signal'> {
  question: DnsQuestion;
  id: number;
  /** Whether to offer EDNS. */
  edns: boolean;
}

/**
 * Writes a question. Only for one without trouble.
 *
 * dns-packet writes all but the name: that it would take as it is, a label of 200 bytes as a pointer. And all but the
 * name is the same for many questions.
 */
export function encodeQuestion({ question, id, edns, recursive, checkingDisabled }: Query): Buffer {
  const recursion = recursive ? dnsPacket.RECURSION_DESIRED : 0;
  const checking = checkingDisabled === true ? dnsPacket.CHECKING_DISABLED : 0;
  const frame = frameFor(TYPE_CODES[question.type], recursion | checking, edns);
  const name = writeName(question.name);
  const message = Buffer.concat([frame.subarray(0, HEADER_BYTES), name, frame.subarray(HEADER_BYTES + 1)]);
  message.writeUInt16BE(id, 0);
  return message;
}

const frames = new Map<string, Buffer>();

/** A question for the root, whose name is one byte. */
function frameFor(typeCode: number, flags: number, edns: boolean): Buffer {
  const key = `${typeCode} ${flags} ${edns}`;
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

function writeName(name: string): Buffer {
  if (name === '.') return Buffer.alloc(1);
  // Each dot becomes the length of what follows it, and one more stands before the first label.
  const bytes = Buffer.from(`.${name}.`, 'latin1');
  let end = bytes.length - 1;
  bytes[end] = 0;
  for (let at = end - 1; at >= 0; at -= 1) {
    if (bytes[at] !== DOT) continue;
    bytes[at] = end - at - 1;
    end = at;
  }
  return bytes;
}

/**
 * Whether a message is an answer to the question, the id aside. A server that could not read the question may leave it
 * out, provided that it then says nothing else.
 */
export function answersQuestion(message: Buffer, question: DnsQuestion): boolean {
  try {
    return questionEnd(message, question) !== undefined;
  } catch (error) {
    if (error instanceof Malformed) return false;
    throw error;
  }
}

/**
 * Reads an answer, byte by byte: what is not exactly in the format is `malformed`, however plausible.
 *
 * @param id The question's, where the transport has not matched it already.
 */
export function decodeAnswer(message: Buffer, question: DnsQuestion, id?: number): Decoded {
  try {
    if (message.length > MESSAGE_BYTES_MAX) throw new Malformed(`more than ${MESSAGE_BYTES_MAX} bytes`);
    const offset = questionEnd(message, question);
    if (offset === undefined || (id ?? message.readUInt16BE(0)) !== message.readUInt16BE(0))
      throw new Malformed('not an answer to the question');
    if ((message.readUInt8(2) & 0x02) !== 0) return { kind: 'truncated' };
    return { kind: 'reply', reply: readReply(message, offset) };
  } catch (error) {
    if (error instanceof Malformed) return { kind: 'malformed', detail: error.message };
    throw error;
  }
}

/** Where the question ends; undefined where the message does not answer it. */
function questionEnd(message: Buffer, question: DnsQuestion): number | undefined {
  if (message.length < HEADER_BYTES) return undefined;
  // QR set, opcode QUERY.
  if ((message.readUInt8(2) & 0xf8) !== 0x80) return undefined;
  const questions = message.readUInt16BE(4);
  if (questions === 0) return saysNothing(message) ? HEADER_BYTES : undefined;
  if (questions !== 1) return undefined;
  const name = readName(message, HEADER_BYTES, message.length);
  if (name.end + 4 > message.length || name.text !== question.name.toLowerCase()) return undefined;
  const sameType = message.readUInt16BE(name.end) === TYPE_CODES[question.type];
  return sameType && message.readUInt16BE(name.end + 2) === INTERNET ? name.end + 4 : undefined;
}

/** An error without an answer and without an authority. NXDOMAIN is a statement about the question. */
function saysNothing(message: Buffer): boolean {
  const rcode = message.readUInt8(3) & 0x0f;
  return rcode !== 0 && rcode !== 3 && message.readUInt32BE(6) === 0;
}

function readReply(message: Buffer, start: number): Omit<DnsReply, 'over'> {
  const answers = readSection(message, start, message.readUInt16BE(6));
  const authority = readSection(message, answers.end, message.readUInt16BE(8));
  const additional = readSection(message, authority.end, message.readUInt16BE(10));
  if (additional.end !== message.length) throw new Malformed('bytes after the last record');
  if (answers.edns.length + authority.edns.length > 0) throw new Malformed('an OPT record out of place');
  if (additional.edns.length > 1) throw new Malformed('two OPT records');
  const edns = additional.edns[0];
  return {
    rcode: responseCodeName(((edns?.rcodeHigh ?? 0) << 4) | (message.readUInt8(3) & 0x0f)),
    authoritative: (message.readUInt8(2) & 0x04) !== 0,
    recursionAvailable: (message.readUInt8(3) & 0x80) !== 0,
    answers: answers.records,
    authority: authority.records,
    additional: additional.records,
    extendedErrors: edns?.extendedErrors ?? [],
  };
}

interface Section {
  records: DnsRecord[];
  edns: EdnsFacts[];
  end: number;
}

function readSection(message: Buffer, start: number, count: number): Section {
  const section: Section = { records: [], edns: [], end: start };
  for (let index = 0; index < count; index += 1) section.end = readRecord(message, section);
  return section;
}

/** Reads the record at the section's end into it. Returns where the record ends. */
function readRecord(message: Buffer, section: Section): number {
  const owner = readName(message, section.end, message.length);
  const head = owner.end;
  const start = head + RECORD_HEAD_BYTES;
  if (start > message.length) throw new Malformed('a record cut short');
  const typeCode = message.readUInt16BE(head);
  const end = start + message.readUInt16BE(head + 8);
  if (end > message.length) throw new Malformed('a record that runs past the end');
  if (typeCode === OPT_CODE) {
    if (owner.text !== '.') throw new Malformed('an OPT record with an owner');
    section.edns.push(readEdns(message, head + 4, start, end));
    return end;
  }
  // The top bit of the class is not multicast DNS's here: all of it counts.
  if (message.readUInt16BE(head + 2) !== INTERNET) throw new Malformed('a record of another class');
  const data = readRecordData(message, typeCode, start, end);
  section.records.push({ name: owner.text, ttl: readTtl(message, head + 4), data });
  return end;
}
