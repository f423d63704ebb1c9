import dnsPacket, { type RecordType as PacketType } from 'dns-packet';
import type { DnsQuestion } from './dns.js';
import { DOT, HEADER_BYTES } from './names.js';
import { TYPE_CODES } from './record-data.js';

/** The largest UDP payload that avoids fragmentation (DNS Flag Day 2020). */
const UDP_PAYLOAD_BYTES = 1232;
const NAME = /^[a-z0-9_*/-]{1,63}(?:\.[a-z0-9_*/-]{1,63})*$/i;
const NAME_LENGTH_MAX = 253;

/** The reason why a question can't be encoded; `undefined` if it is valid. */
export function invalidQuestionReason({ name, type }: DnsQuestion): string | undefined {
  if (!Object.hasOwn(TYPE_CODES, type)) return `unknown record type: ${type}`;
  if (name === '.') return undefined;
  if (name.length > NAME_LENGTH_MAX) return `the name is longer than ${NAME_LENGTH_MAX} characters`;
  return NAME.test(name) ? undefined : 'not a valid DNS name';
}

export interface Query {
  question: DnsQuestion;
  id: number;
  /** The RD flag. */
  recursive: boolean;
  /** The CD flag. */
  checkingDisabled?: boolean | undefined;
  /** The DO flag. Needs `edns`. */
  dnssec?: boolean | undefined;
  /** Whether to add an OPT record (RFC 6891). */
  edns: boolean;
}

/**
 * Encodes a query with a valid question.
 *
 * dns-packet encodes everything except the name. It does not validate names: a label of 200 bytes would become a
 * compression pointer. The rest is the same for many queries, and cached.
 */
export function encodeQuery({ question, id, edns, recursive, checkingDisabled, dnssec }: Query): Buffer {
  const recursion = recursive ? dnsPacket.RECURSION_DESIRED : 0;
  const checking = checkingDisabled === true ? dnsPacket.CHECKING_DISABLED : 0;
  const opt = edns ? (dnssec === true ? 'dnssec' : 'plain') : 'none';
  const frame = frameFor(TYPE_CODES[question.type], recursion | checking, opt);
  const { name } = question;
  if (name === '.') return withId(id, Buffer.from(frame));
  // The root name in the frame is one byte.
  const message = Buffer.allocUnsafe(frame.length + name.length + 1);
  frame.copy(message, 0, 0, HEADER_BYTES);
  frame.copy(message, writeName(message, name), HEADER_BYTES + 1);
  return withId(id, message);
}

function withId(id: number, message: Buffer): Buffer {
  message.writeUInt16BE(id, 0);
  return message;
}

const frames = new Map<string, Buffer>();

/** Returns a query for the root name. */
function frameFor(typeCode: number, flags: number, opt: 'none' | 'plain' | 'dnssec'): Buffer {
  const key = `${typeCode} ${flags} ${opt}`;
  const known = frames.get(key);
  if (known !== undefined) return known;
  // dns-packet encodes a type that it does not know by this name only; any other name becomes type 0.
  const type = `UNKNOWN_${typeCode}` as PacketType;
  const frame = dnsPacket.encode({
    type: 'query',
    flags,
    questions: [{ name: '.', type, class: 'IN' }],
    additionals: opt === 'none' ? [] : [{ ...OPT_RECORD, ...(opt === 'dnssec' && DO_FLAG), options: [] }],
  });
  frames.set(key, frame);
  return frame;
}

/** dns-packet turns a payload size of 0 into 4096, so the size is always set. */
const OPT_RECORD = {
  type: 'OPT',
  name: '.',
  udpPayloadSize: UDP_PAYLOAD_BYTES,
  extendedRcode: 0,
  ednsVersion: 0,
  flags: 0,
  flag_do: false,
} as const;

/** RFC 3225, section 3. */
const DO_FLAG = { flags: 0x8000, flag_do: true } as const;

/** Writes the name after the header. Returns its end. */
function writeName(message: Buffer, name: string): number {
  const end = HEADER_BYTES + name.length + 2;
  // Each dot becomes the length of the label after it. The first label's length goes before it.
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
