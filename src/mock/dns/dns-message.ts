import dnsPacket, { type DecodedPacket } from 'dns-packet';
import { nameAt, nameBytes } from './name.js';
import { TYPE_NUMBERS, type Question, type ZoneRecord } from './record.js';

/** A query that the mock can respond to. */
export interface Query {
  id: number;
  recursionDesired: boolean;
  checkingDisabled: boolean;
  /** RFC 6891: UDP payload size in bytes, version and DO. Missing if the query has no OPT record. */
  edns?: { udpBytesMax: number; version: number; dnssecOk: boolean };
  question: Question;
  /** The question as received, with its upper and lower case letters. The response repeats it. */
  questionBytes: Uint8Array;
}

/** Why a packet is not a query for this server. `ignore`: there is nothing to respond to. */
export type RejectedPacket = 'ignore' | QueryError;

interface QueryError {
  id: number;
  rcode: 'FORMERR' | 'NOTIMP' | 'REFUSED';
  /** Opcode and RD of the query, which the response copies (RFC 1035, section 4.1.1). */
  flags: number;
  questionBytes?: Uint8Array;
}

/** A response before it is encoded. */
export interface DnsResponse {
  rcode: Rcode;
  /** AA. */
  authoritative: boolean;
  answers: readonly ZoneRecord[];
  authority: readonly ZoneRecord[];
  additional: readonly ZoneRecord[];
}

export type Rcode = keyof typeof RCODES;

const RCODES = {
  NOERROR: 0,
  FORMERR: 1,
  SERVFAIL: 2,
  NXDOMAIN: 3,
  NOTIMP: 4,
  REFUSED: 5,
  BADVERS: 16,
} as const;

/** Fits through most paths without fragments (DNS flag day 2020). */
const UDP_BYTES_MAX = 1_232;
const UDP_BYTES_MIN = 512;
const HEADER_BYTES = 12;
const [QR, OPCODE, AA, TC, RD, RA, CD] = [0x8000, 0x7800, 0x0400, 0x0200, 0x0100, 0x0080, 0x0010];
/** DO, in the flags of an OPT record. */
const DNSSEC_OK = 0x80;

/** Reads a packet. Never throws. */
export function decodeQuery(packet: Uint8Array): Query | RejectedPacket {
  if (packet.length < HEADER_BYTES) return 'ignore';
  const bytes = Buffer.from(packet.buffer, packet.byteOffset, packet.byteLength);
  const [id, flags] = [bytes.readUInt16BE(0), bytes.readUInt16BE(2)];
  // A response to a response could make two servers send to each other without end.
  if ((flags & QR) !== 0) return 'ignore';
  const echo = { id, flags: flags & (OPCODE | RD) };
  if ((flags & OPCODE) !== 0) return { ...echo, rcode: 'NOTIMP' };
  const decoded = decode(bytes);
  const [question] = decoded?.questions ?? [];
  // dns-packet decodes names as UTF-8, which they are not.
  const owner = nameAt(bytes, HEADER_BYTES);
  if (decoded === undefined || question === undefined || owner === undefined) {
    return { ...echo, rcode: 'FORMERR' };
  }
  // A type and a class follow the name.
  const questionBytes = bytes.subarray(HEADER_BYTES, owner.end + 4);
  if (question.class !== 'IN') return { ...echo, rcode: 'REFUSED', questionBytes };
  const [opt] = optRecords(decoded);
  return {
    id,
    recursionDesired: decoded.flag_rd,
    checkingDisabled: decoded.flag_cd,
    ...(opt === undefined
      ? {}
      : { edns: { udpBytesMax: opt.udpPayloadSize, version: opt.ednsVersion, dnssecOk: opt.flag_do } }),
    question: { name: owner.name, type: typeName(question.type) },
    questionBytes,
  };
}

/** Decodes a query with one question, no records and at most one OPT record, which belongs to the root. */
function decode(bytes: Buffer): DecodedPacket | undefined {
  let decoded: DecodedPacket;
  try {
    decoded = dnsPacket.decode(bytes);
  } catch {
    return undefined;
  }
  const { questions = [], answers = [], authorities = [] } = decoded;
  const opts = optRecords(decoded);
  const isQuery = questions.length === 1 && answers.length === 0 && authorities.length === 0;
  const isEdns = opts.length <= 1 && opts.every(({ name }) => name === '.');
  return isQuery && isEdns ? decoded : undefined;
}

function optRecords({ additionals = [] }: DecodedPacket) {
  return additionals.filter((record) => record.type === 'OPT');
}

/** HTTPS has no name in dns-packet. */
function typeName(packetType: string): string {
  return packetType === `UNKNOWN_${String(TYPE_NUMBERS.HTTPS)}`
    ? 'HTTPS'
    : packetType.replace(/^UNKNOWN_/, 'TYPE');
}

/** How a response is sent. */
export interface ResponseForm {
  over: 'udp' | 'tcp';
  /** RA. */
  recursionAvailable: boolean;
  /** Send no records and TC, even if the records would fit. */
  truncated?: boolean;
  /** Send no OPT record, as a server without EDNS does. */
  plain?: boolean;
}

/** Encodes a response. Over UDP, one that is too long is sent without records and with TC. */
export function encodeResponse(query: Query, response: DnsResponse, form: ResponseForm): Uint8Array {
  const edns = form.plain === true ? undefined : query.edns;
  const bytesMax =
    form.over === 'tcp' ? 0xffff : Math.min(Math.max(edns?.udpBytesMax ?? 0, UDP_BYTES_MIN), UDP_BYTES_MAX);
  const whole = form.truncated === true ? undefined : encode(query, response, form, false);
  if (whole !== undefined && whole.length <= bytesMax) return whole;
  return encode(query, { ...response, answers: [], authority: [], additional: [] }, form, true);
}

function encode(query: Query, response: DnsResponse, form: ResponseForm, truncated: boolean): Uint8Array {
  const { id, edns, questionBytes } = query;
  const rcode = RCODES[response.rcode];
  const flags =
    (response.authoritative ? AA : 0) |
    (truncated ? TC : 0) |
    (query.recursionDesired ? RD : 0) |
    (form.recursionAvailable ? RA : 0) |
    (query.checkingDisabled ? CD : 0) |
    (rcode & 0xf);
  const authority = response.authority.filter(({ type }) => type !== 'DS' || edns?.dnssecOk === true);
  const additional = response.additional.map(recordBytes);
  if (edns !== undefined && form.plain !== true) additional.push(optBytes(edns, rcode));
  const sections = [response.answers.map(recordBytes), authority.map(recordBytes), additional];
  return messageBytes(id, flags, questionBytes, ...sections);
}

function messageBytes(
  id: number,
  flags: number,
  question: Uint8Array | undefined,
  ...sections: readonly (readonly Buffer[])[]
): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  const counts = [question === undefined ? 0 : 1, ...sections.map(({ length }) => length)];
  [id, QR | flags, ...counts].forEach((value, index) => header.writeUInt16BE(value, 2 * index));
  return Buffer.concat([header, ...(question === undefined ? [] : [question]), ...sections.flat()]);
}

/** RFC 1035, section 4.1.3. */
function recordBytes({ name, type, ttl, data }: ZoneRecord): Buffer {
  const fields = Buffer.alloc(10);
  fields.writeUInt16BE(TYPE_NUMBERS[type], 0);
  fields.writeUInt16BE(CLASS_IN, 2);
  fields.writeUInt32BE(ttl, 4);
  fields.writeUInt16BE(data.length, 8);
  return Buffer.concat([nameBytes(name), fields, data]);
}

const CLASS_IN = 1;

/** RFC 6891, section 6.1.2. RFC 3225, section 3: DO is copied, although nothing here is signed. */
function optBytes({ dnssecOk }: NonNullable<Query['edns']>, rcode: number): Buffer {
  const udpBytesMax = [UDP_BYTES_MAX >> 8, UDP_BYTES_MAX & 0xff];
  return Buffer.of(0, 0, 41, ...udpBytesMax, rcode >> 4, 0, dnssecOk ? DNSSEC_OK : 0, 0, 0, 0);
}

/** Encodes the response to a packet that is not a query for this server. */
export function encodeError({ id, rcode, flags, questionBytes }: QueryError): Uint8Array {
  return messageBytes(id, flags | RCODES[rcode], questionBytes, [], [], []);
}
