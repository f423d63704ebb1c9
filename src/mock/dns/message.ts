import { labelBytes, labelsOf, nameOfLabels, type Name } from './name.js';
import { TYPE_CODES, typeName, type Question, type Rdata, type ZoneRecord } from './record.js';

/** A query as it came. */
export interface Query {
  id: number;
  recursionDesired: boolean;
  checkingDisabled: boolean;
  /** RFC 6891: what the other end takes over UDP, which version it speaks, and DO. Absent without EDNS. */
  edns?: { udpBytesMax: number; version: number; dnssecOk: boolean };
  question: Question;
  /** The question section, byte for byte: it goes back as it came, upper and lower case too. */
  questionBytes: Uint8Array;
}

/** What can be said to a query that is none, or none for this server: `ignore` where even that much is missing. */
export type Unreadable = 'ignore' | Refusal;

interface Refusal {
  id: number;
  rcode: 'FORMERR' | 'NOTIMP' | 'REFUSED';
  /** The opcode and RD, which go back as they came (RFC 1035, section 4.1.1). */
  flags: number;
  /** Where it could be read. */
  questionBytes?: Uint8Array;
}

/** An answer, before it is bytes. */
export interface Reply {
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

/** What fits through most paths in one piece (the DNS flag day of 2020). */
const UDP_BYTES_MAX = 1_232;
const UDP_BYTES_MIN = 512;
const HEADER_BYTES = 12;
const OPT = 41;
const CLASS_IN = 1;
/** DO, in the upper half of EDNS's flags. */
const DNSSEC_OK = 0x80;

/** Reads a query, whatever was sent. */
export function readQuery(packet: Uint8Array): Query | Unreadable {
  const view = new DataView(packet.buffer, packet.byteOffset, packet.byteLength);
  if (packet.length < HEADER_BYTES) return 'ignore';
  const [id, flags] = [view.getUint16(0), view.getUint16(2)];
  // Never answer an answer: two servers would go on for ever.
  if ((flags & 0x8000) !== 0) return 'ignore';
  const echo = { id, flags: flags & 0x7900 };
  if ((flags & 0x7800) !== 0) return { ...echo, rcode: 'NOTIMP' };
  const malformed = { ...echo, rcode: 'FORMERR' } as const;
  if (view.getUint16(4) !== 1 || view.getUint16(6) !== 0 || view.getUint16(8) !== 0) return malformed;
  const asked = readLabels(packet, HEADER_BYTES);
  if (asked === undefined || asked.end + 4 > packet.length) return malformed;
  const questionEnd = asked.end + 4;
  const questionBytes = packet.slice(HEADER_BYTES, questionEnd);
  if (view.getUint16(asked.end + 2) !== CLASS_IN) return { ...echo, rcode: 'REFUSED', questionBytes };
  const edns = readEdns(packet, view, questionEnd);
  if (edns === 'malformed') return malformed;
  return {
    id,
    recursionDesired: (flags & 0x0100) !== 0,
    checkingDisabled: (flags & 0x0010) !== 0,
    ...(edns === undefined ? {} : { edns }),
    question: { name: nameOfLabels(asked.labels), type: typeName(view.getUint16(asked.end)) },
    questionBytes,
  };
}

/** The labels of a name without compression, which no question needs. */
function readLabels(packet: Uint8Array, start: number): { labels: Uint8Array[]; end: number } | undefined {
  const labels: Uint8Array[] = [];
  let offset = start;
  for (;;) {
    const length = packet[offset];
    if (length === undefined || length > 63 || offset - start > 254) return undefined;
    offset += 1;
    if (length === 0) return { labels, end: offset };
    labels.push(packet.slice(offset, offset + length));
    offset += length;
  }
}

function readEdns(packet: Uint8Array, view: DataView, start: number): Query['edns'] | 'malformed' {
  const records = view.getUint16(10);
  let offset = start;
  let edns: Query['edns'];
  for (let index = 0; index < records; index += 1) {
    const owner = readLabels(packet, offset);
    if (owner === undefined || owner.end + 10 > packet.length) return 'malformed';
    const dataStart = owner.end + 10;
    offset = dataStart + view.getUint16(owner.end + 8);
    if (offset > packet.length) return 'malformed';
    if (view.getUint16(owner.end) !== OPT) continue;
    // RFC 6891, section 6.1.1: one only, and at the root.
    if (edns !== undefined || owner.labels.length > 0) return 'malformed';
    edns = {
      udpBytesMax: view.getUint16(owner.end + 2),
      version: packet[owner.end + 5] ?? 0,
      dnssecOk: ((packet[owner.end + 6] ?? 0) & DNSSEC_OK) !== 0,
    };
  }
  return edns;
}

/** How an answer leaves. */
export interface ReplyForm {
  over: 'udp' | 'tcp';
  /** RA. */
  recursionAvailable: boolean;
  /** Sent without its records, and with TC, even if they would fit. */
  truncated?: boolean;
  /** Without EDNS, though the query has it, as by a server that knows none. */
  plain?: boolean;
}

/** An answer in its wire form; over UDP without its records and with TC where it would be too long. */
export function writeReply(query: Query, reply: Reply, form: ReplyForm): Uint8Array {
  const edns = form.plain === true ? undefined : query.edns;
  const bytesMax =
    form.over === 'tcp' ? 0xffff : Math.min(Math.max(edns?.udpBytesMax ?? 0, UDP_BYTES_MIN), UDP_BYTES_MAX);
  const whole = form.truncated === true ? undefined : write(query, reply, form, edns !== undefined, false);
  if (whole !== undefined && whole.length <= bytesMax) return whole;
  const empty = { ...reply, answers: [], authority: [], additional: [] };
  return write(query, empty, form, edns !== undefined, true);
}

function write(query: Query, reply: Reply, form: ReplyForm, edns: boolean, truncated: boolean): Uint8Array {
  const { answers, authority, additional } = reply;
  const rcode = RCODES[reply.rcode];
  const flags =
    0x8000 |
    (reply.authoritative ? 0x0400 : 0) |
    (truncated ? 0x0200 : 0) |
    (query.recursionDesired ? 0x0100 : 0) |
    (form.recursionAvailable ? 0x0080 : 0) |
    (query.checkingDisabled ? 0x0010 : 0) |
    (rcode & 0xf);
  const output: Output = { bytes: [], offsets: new Map() };
  const counts = [1, answers.length, authority.length, additional.length + (edns ? 1 : 0)];
  for (const value of [query.id, flags, ...counts]) pushUint16(output, value);
  rememberName(output, query.question.name);
  pushBytes(output, query.questionBytes);
  for (const record of [...answers, ...authority, ...additional]) pushRecord(output, record);
  // RFC 3225, section 3: DO goes back, though nothing here is signed.
  const dnssecOk = query.edns?.dnssecOk === true ? DNSSEC_OK : 0;
  if (edns)
    output.bytes.push(0, 0, OPT, UDP_BYTES_MAX >> 8, UDP_BYTES_MAX & 0xff, rcode >> 4, 0, dnssecOk, 0, 0, 0);
  return Uint8Array.from(output.bytes);
}

/** The bare refusal of something that is no query, or none for this server. */
export function writeRefusal({ id, rcode, flags, questionBytes = new Uint8Array() }: Refusal): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES + questionBytes.length);
  bytes.set([id >> 8, id & 0xff, 0x80 | (flags >> 8), RCODES[rcode], 0, questionBytes.length === 0 ? 0 : 1]);
  bytes.set(questionBytes, HEADER_BYTES);
  return bytes;
}

interface Output {
  bytes: number[];
  /** Where names begin that can be pointed at (RFC 1035, section 4.1.4). */
  offsets: Map<Name, number>;
}

const POINTER_MAX = 0x3fff;

function pushRecord(output: Output, { name, type, ttl, data }: ZoneRecord): void {
  pushName(output, name, true);
  pushUint16(output, TYPE_CODES[type]);
  pushUint16(output, CLASS_IN);
  pushUint16(output, ttl >>> 16);
  pushUint16(output, ttl & 0xffff);
  const lengthAt = output.bytes.length;
  pushUint16(output, 0);
  pushRdata(output, data);
  const length = output.bytes.length - lengthAt - 2;
  output.bytes[lengthAt] = length >> 8;
  output.bytes[lengthAt + 1] = length & 0xff;
}

function pushRdata(output: Output, data: Rdata): void {
  for (const part of data) {
    if ('name' in part) pushName(output, part.name, part.compressed);
    else pushBytes(output, part);
  }
}

function pushName(output: Output, name: Name, compressed: boolean): void {
  const labels = labelsOf(name);
  const bytes = labelBytes(name);
  for (const [index, label] of bytes.entries()) {
    const suffix = labels.slice(index).join('.');
    const known = compressed ? output.offsets.get(suffix) : undefined;
    if (known !== undefined) {
      pushUint16(output, 0xc000 | known);
      return;
    }
    rememberSuffix(output, suffix, output.bytes.length);
    output.bytes.push(label.length);
    pushBytes(output, label);
  }
  output.bytes.push(0);
}

/** Of a name that is about to be written as it is. */
function rememberName(output: Output, name: Name): void {
  let offset = output.bytes.length;
  labelBytes(name).forEach((label, index) => {
    rememberSuffix(output, labelsOf(name).slice(index).join('.'), offset);
    offset += label.length + 1;
  });
}

function rememberSuffix({ offsets }: Output, suffix: Name, offset: number): void {
  if (offset <= POINTER_MAX && !offsets.has(suffix)) offsets.set(suffix, offset);
}

function pushUint16(output: Output, value: number): void {
  output.bytes.push((value >> 8) & 0xff, value & 0xff);
}

function pushBytes(output: Output, bytes: Uint8Array): void {
  for (const byte of bytes) output.bytes.push(byte);
}
