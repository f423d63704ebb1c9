/** Builds DNS messages by hand, invalid ones too, independently of packages and of the code under test. */

export type Bytes = Buffer | readonly number[] | string;

export interface MessageParts {
  id?: number;
  /** QR, AA and RD are set by default. */
  flags?: number;
  /** The question section; one for `shop.example.test` A by default. */
  question?: Bytes;
  /** Question count in the header. Default 1, or 0 without a question. */
  questions?: number;
  answers?: readonly Bytes[];
  authority?: readonly Bytes[];
  additional?: readonly Bytes[];
  /** Counts of answers, authority and additional records in the header, if they are wrong. */
  counts?: readonly [number, number, number];
  trailing?: Bytes;
}

export const TYPES = {
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
  OPT: 41,
  DS: 43,
  SSHFP: 44,
  RRSIG: 46,
  DNSKEY: 48,
  TLSA: 52,
  HTTPS: 65,
  CAA: 257,
} as const;

export type TypeName = keyof typeof TYPES;

/** QR, AA. */
export const ANSWER = 0x8400;
export const TRUNCATED = 0x0200;
/** A pointer to the name of the question. */
const QUESTION_NAME = Buffer.from([0xc0, 0x0c]);

export function message(parts: MessageParts = {}): Buffer {
  const { answers = [], authority = [], additional = [], trailing = [] } = parts;
  const question = bytes(parts.question ?? questionOf('shop.example.test', 'A'));
  const questions = parts.questions ?? (question.length === 0 ? 0 : 1);
  const counts = parts.counts ?? [answers.length, authority.length, additional.length];
  const header = [parts.id ?? 0, parts.flags ?? ANSWER, questions, ...counts].map(u16);
  return Buffer.concat([
    ...header,
    question,
    ...[...answers, ...authority, ...additional, trailing].map(bytes),
  ]);
}

export function questionOf(domain: string, type: TypeName): Buffer {
  return Buffer.concat([name(domain), u16(TYPES[type]), u16(1)]);
}

export interface RecordParts {
  owner?: Bytes;
  ttl?: number;
  class?: number;
  /** The RDLENGTH, if it is wrong. */
  length?: number;
}

export function record(type: TypeName | number, data: Bytes, parts: RecordParts = {}): Buffer {
  const rdata = bytes(data);
  return Buffer.concat([
    bytes(parts.owner ?? QUESTION_NAME),
    u16(typeof type === 'number' ? type : TYPES[type]),
    u16(parts.class ?? 1),
    u32(parts.ttl ?? 300),
    u16(parts.length ?? rdata.length),
    rdata,
  ]);
}

export function opt(options: Bytes = [], { rcodeHigh = 0, version = 0, owner = [0] as Bytes } = {}): Buffer {
  return record(TYPES.OPT, options, { owner, class: 1232, ttl: ((rcodeHigh << 24) | (version << 16)) >>> 0 });
}

export function option(code: number, data: Bytes, length = bytes(data).length): Buffer {
  return Buffer.concat([u16(code), u16(length), bytes(data)]);
}

/** An ordinary name. */
export function name(text: string): Buffer {
  return labels(...(text === '.' ? [] : text.split('.')));
}

/** A name of the given labels, unchecked. */
export function labels(...parts: readonly Bytes[]): Buffer {
  return Buffer.concat([
    ...parts.flatMap((part) => [Buffer.from([bytes(part).length]), bytes(part)]),
    Buffer.alloc(1),
  ]);
}

export function pointer(offset: number): Buffer {
  return u16(0xc000 | offset);
}

export function u16(value: number): Buffer {
  return Buffer.from([value >> 8, value & 0xff]);
}

export function u32(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32BE(value);
  return buffer;
}

function bytes(given: Bytes): Buffer {
  return typeof given === 'string' ? Buffer.from(given, 'latin1') : Buffer.from(given);
}

export function join(...parts: readonly Bytes[]): Buffer {
  return Buffer.concat(parts.map(bytes));
}
