import dnsPacket from 'dns-packet';
import { nameBytes, readName, type Name } from './name.js';
import type { ZoneRecordType } from './record.js';

/** A word of a zone file. */
export interface Word {
  /** Escapes are not decoded. */
  text: string;
  quoted: boolean;
}

/**
 * Reads the words after a record's type.
 *
 * @returns the data as a response has it.
 * @throws TypeError if they are invalid.
 */
export function readRdata(type: ZoneRecordType, words: readonly Word[], origin: Name): Buffer {
  const fields: Fields = { words, origin, used: 0, type };
  const data = Buffer.concat([READERS[type](fields)].flat());
  const surplus = words[fields.used];
  if (surplus !== undefined) throw new TypeError(`${type} has too many values: ${surplus.text}`);
  if (data.length > 0xffff) throw new TypeError(`${type} is longer than 65535 bytes`);
  return data;
}

interface Fields {
  words: readonly Word[];
  origin: Name;
  used: number;
  type: ZoneRecordType;
}

const READERS: Readonly<Record<ZoneRecordType, (fields: Fields) => Buffer | Buffer[]>> = {
  A: (fields) => ipv4Bytes(word(fields, 'an address')),
  AAAA: (fields) => ipv6Bytes(word(fields, 'an address')),
  NS: name,
  CNAME: name,
  DNAME: name,
  ALIAS: name,
  SOA: (fields) => [
    name(fields),
    name(fields),
    number(fields, 'a serial', 4),
    ...['a refresh time', 'a retry time', 'an expire time', 'a minimum'].map((what) =>
      bigEndian(readSeconds(word(fields, what)), 4),
    ),
  ],
  MX: (fields) => [number(fields, 'a preference', 2), name(fields)],
  TXT: texts,
  SRV: (fields) => [
    ...['a priority', 'a weight', 'a port'].map((what) => number(fields, what, 2)),
    name(fields),
  ],
  CAA: caa,
  DS: (fields) => [
    number(fields, 'a key tag', 2),
    number(fields, 'an algorithm', 1),
    number(fields, 'a digest type', 1),
    hex(fields),
  ],
  HTTPS: (fields) => [number(fields, 'a priority', 2), name(fields), ...serviceParameters(fields)],
};

function word(fields: Fields, what: string): string {
  const { text } = fields.words[fields.used] ?? {};
  if (text === undefined) throw new TypeError(`${fields.type} lacks ${what}`);
  fields.used += 1;
  return text;
}

function name(fields: Fields): Buffer {
  return nameBytes(readName(word(fields, 'a name'), fields.origin));
}

function number(fields: Fields, what: string, bytes: number): Buffer {
  return wholeNumber(fields.type, word(fields, what), what, bytes);
}

/** Hexadecimal digits up to the end, which may have blanks between them (RFC 4034, section 5.3). */
function hex(fields: Fields): Buffer {
  let digits = word(fields, 'a digest');
  while (fields.used < fields.words.length) digits += word(fields, 'a digest');
  if (!/^(?:[\da-f]{2})+$/i.test(digits)) throw new TypeError(`${fields.type}: not hexadecimal: ${digits}`);
  return Buffer.from(digits, 'hex');
}

function wholeNumber(type: ZoneRecordType, text: string, what: string, bytes: number): Buffer {
  const max = 256 ** bytes - 1;
  if (!/^\d+$/.test(text) || Number(text) > max) {
    throw new TypeError(`${type}: not ${what} from 0 to ${String(max)}: ${text}`);
  }
  return bigEndian(Number(text), bytes);
}

function bigEndian(value: number, bytes: number): Buffer {
  const encoded = Buffer.alloc(bytes);
  encoded.writeUIntBE(value, 0, bytes);
  return encoded;
}

function ipv4Bytes(text: string): Buffer {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)) {
    throw new TypeError(`not an IPv4 address: ${text}`);
  }
  return Buffer.from(parts.map(Number));
}

function ipv6Bytes(text: string): Buffer {
  if (!/^[\d.a-f:]+$/i.test(text) || !URL.canParse(`http://[${text}]`))
    throw new TypeError(`not an IPv6 address: ${text}`);
  const record = { type: 'AAAA', name: '.', data: text } as const;
  return dnsPacket.encode({ type: 'response', answers: [record] }).subarray(-16);
}

const SECONDS_OF: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };

/**
 * Reads a time of a zone file in seconds: `3600`, `1h`, `1d12h`.
 *
 * @throws TypeError if it is not a time, or is 2^31 or more (RFC 2181, section 8).
 */
export function readSeconds(text: string): number {
  if (!/^(?:\d+|(?:\d+[smhdw])+)$/i.test(text)) throw new TypeError(`not a time: ${text}`);
  let seconds = 0;
  for (const [, amount, unit = 's'] of text.toLowerCase().matchAll(/(\d+)([smhdw])?/g)) {
    seconds += Number(amount) * (SECONDS_OF[unit] ?? 1);
  }
  if (seconds >= 2 ** 31) throw new TypeError(`the time is too long: ${text}`);
  return seconds;
}

function texts(fields: Fields): Buffer[] {
  const parts: Buffer[] = [];
  do parts.push(characterString(word(fields, 'a string')));
  while (fields.used < fields.words.length);
  return parts;
}

function caa(fields: Fields): Buffer[] {
  const flags = number(fields, 'flags', 1);
  const tag = word(fields, 'a tag');
  // RFC 8659, section 4.1: letters and digits; the length is one byte.
  if (!/^[a-z0-9]{1,255}$/i.test(tag)) throw new TypeError(`CAA: not a tag: ${tag}`);
  return [flags, characterString(tag), unescaped(word(fields, 'a value'))];
}

/** The parameters of RFC 9460, section 14.3.2, that browsers use. */
const SERVICE_KEYS: Readonly<Record<string, { key: number; read(value: string): Buffer }>> = {
  alpn: { key: 1, read: (value) => Buffer.concat(value.split(',').map(characterString)) },
  port: { key: 3, read: (value) => wholeNumber('HTTPS', value, 'a port', 2) },
  ipv4hint: { key: 4, read: (value) => Buffer.concat(value.split(',').map(ipv4Bytes)) },
  ipv6hint: { key: 6, read: (value) => Buffer.concat(value.split(',').map(ipv6Bytes)) },
};

function serviceParameters(fields: Fields): Buffer[] {
  const parameters: { key: number; value: Buffer }[] = [];
  while (fields.used < fields.words.length) {
    const text = word(fields, 'a parameter');
    const [, keyName = '', value = ''] = /^([a-z0-9-]+)=(.+)$/.exec(text) ?? [];
    const known = Object.hasOwn(SERVICE_KEYS, keyName) ? SERVICE_KEYS[keyName] : undefined;
    if (known === undefined) {
      throw new TypeError(`HTTPS: not one of ${Object.keys(SERVICE_KEYS).join('=, ')}=: ${text}`);
    }
    parameters.push({ key: known.key, value: known.read(value) });
  }
  // RFC 9460, section 2.2: in ascending order of their keys.
  parameters.sort((one, other) => one.key - other.key);
  return parameters.flatMap(({ key, value }) => [bigEndian(key, 2), bigEndian(value.length, 2), value]);
}

/** A string with its length in front (RFC 1035, section 3.3). */
function characterString(text: string): Buffer {
  const bytes = unescaped(text);
  if (bytes.length > 255) throw new TypeError('a string is longer than 255 bytes; split it');
  return Buffer.concat([Buffer.of(bytes.length), bytes]);
}

function unescaped(text: string): Buffer {
  const parts = [...text.matchAll(/\\(\d{3})|\\?([^])/gu)].map(([, decimal, plain = '']) => {
    if (decimal === undefined) return Buffer.from(plain);
    if (Number(decimal) > 255) throw new TypeError(`not a byte: \\${decimal}`);
    return Buffer.of(Number(decimal));
  });
  return Buffer.concat(parts);
}
