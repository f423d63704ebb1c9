import dnsPacket, { type Answer, type DecodedPacket, type Question as PacketQuestion } from 'dns-packet';
import { fromWire, toWire } from './name.js';
import type { Question, ZoneRecord } from './record.js';

/** A query that the mock can respond to. */
export interface Query {
  id: number;
  recursionDesired: boolean;
  checkingDisabled: boolean;
  /** RFC 6891: UDP payload size in bytes, version and DO. Missing if the query has no OPT record. */
  edns?: { udpBytesMax: number; version: number; dnssecOk: boolean };
  question: Question;
  /** The question as received, with its upper and lower case letters. The response repeats it. */
  packetQuestion: PacketQuestion;
}

/** Why a packet is not a query for this server. `ignore`: there is nothing to respond to. */
export type RejectedPacket = 'ignore' | QueryError;

interface QueryError {
  id: number;
  rcode: 'FORMERR' | 'NOTIMP' | 'REFUSED';
  /** Opcode and RD of the query, which the response copies (RFC 1035, section 4.1.1). */
  flags: number;
  packetQuestion?: PacketQuestion;
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
const [QR, OPCODE, RD] = [0x8000, 0x7800, 0x0100];

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
  const name = fromWire(question?.name ?? '');
  if (decoded === undefined || question === undefined || name === undefined) {
    return { ...echo, rcode: 'FORMERR' };
  }
  if (question.class !== 'IN') return { ...echo, rcode: 'REFUSED', packetQuestion: question };
  const [opt] = optRecords(decoded);
  return {
    id,
    recursionDesired: decoded.flag_rd,
    checkingDisabled: decoded.flag_cd,
    ...(opt === undefined
      ? {}
      : { edns: { udpBytesMax: opt.udpPayloadSize, version: opt.ednsVersion, dnssecOk: opt.flag_do } }),
    question: { name, type: typeName(question.type) },
    packetQuestion: question,
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
const HTTPS = 'UNKNOWN_65';

/** The types whose data are bytes: dns-packet would write a CAA value as UTF-8. */
const TYPES_OF_BYTES: Readonly<Record<string, string>> = { CAA: 'UNKNOWN_257', HTTPS };

function typeName(packetType: string): string {
  return packetType === HTTPS ? 'HTTPS' : packetType.replace(/^UNKNOWN_/, 'TYPE');
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
  const rcode = RCODES[response.rcode];
  return dnsPacket.encode({
    type: 'response',
    id: query.id,
    flags:
      (response.authoritative ? dnsPacket.AUTHORITATIVE_ANSWER : 0) |
      (truncated ? dnsPacket.TRUNCATED_RESPONSE : 0) |
      (query.recursionDesired ? dnsPacket.RECURSION_DESIRED : 0) |
      (form.recursionAvailable ? dnsPacket.RECURSION_AVAILABLE : 0) |
      (query.checkingDisabled ? dnsPacket.CHECKING_DISABLED : 0) |
      (rcode & 0xf),
    questions: [query.packetQuestion],
    answers: response.answers.map(packetRecord),
    authorities: response.authority
      .filter(({ type }) => type !== 'DS' || query.edns?.dnssecOk === true)
      .map(packetRecord),
    additionals: [
      ...response.additional.map(packetRecord),
      ...(query.edns === undefined || form.plain === true ? [] : [optRecord(query.edns, rcode)]),
    ],
  });
}

function packetRecord(record: ZoneRecord): Answer {
  const { name, type, ttl, data } = record;
  // dns-packet encodes a type that it does not know from bytes; its types do not say so.
  return {
    name: toWire(name),
    type: TYPES_OF_BYTES[type] ?? type,
    ttl,
    data: type === 'TXT' || type in TYPES_OF_BYTES ? data : withWireNames(data),
  } as Answer;
}

function withWireNames(data: string | object): string | object {
  if (typeof data === 'string') return toWire(data);
  const fields = Object.entries(data).map(([field, value]: [string, unknown]) => [
    field,
    typeof value === 'string' ? toWire(value) : value,
  ]);
  return Object.fromEntries(fields) as object;
}

/** RFC 3225, section 3: DO is copied, although nothing here is signed. */
function optRecord({ dnssecOk }: NonNullable<Query['edns']>, rcode: number): Answer {
  return {
    type: 'OPT',
    name: '.',
    udpPayloadSize: UDP_BYTES_MAX,
    extendedRcode: rcode >> 4,
    ednsVersion: 0,
    flags: dnssecOk ? dnsPacket.DNSSEC_OK : 0,
    flag_do: dnssecOk,
    options: [],
  };
}

/** Encodes the response to a packet that is not a query for this server. */
export function encodeError({ id, rcode, flags, packetQuestion }: QueryError): Uint8Array {
  return dnsPacket.encode({
    type: 'response',
    id,
    flags: flags | RCODES[rcode],
    questions: packetQuestion === undefined ? [] : [packetQuestion],
  });
}
