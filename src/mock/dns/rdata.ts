import { readName, type Name } from './name.js';
import { readIpv4, readIpv6 } from './ip-address.js';
import type { Rdata, ZoneRecordType } from './record.js';

/** A word of a zone file. */
export interface Word {
  /** Escapes are still in it. */
  text: string;
  quoted: boolean;
}

/**
 * Reads what stands after a record's type.
 *
 * @throws TypeError with a few words where it is wrong.
 */
export function readRdata(type: ZoneRecordType, words: readonly Word[], origin: Name): Rdata {
  const fields: Fields = { words, origin, used: 0, type };
  const data = READERS[type](fields);
  const surplus = words[fields.used];
  if (surplus !== undefined) throw new TypeError(`${type} has too much behind it: ${surplus.text}`);
  return data;
}

interface Fields {
  words: readonly Word[];
  origin: Name;
  used: number;
  type: ZoneRecordType;
}

const READERS: Readonly<Record<ZoneRecordType, (fields: Fields) => Rdata>> = {
  A: (fields) => [readIpv4(word(fields, 'an address'))],
  AAAA: (fields) => [readIpv6(word(fields, 'an address'))],
  NS: (fields) => [name(fields, true)],
  CNAME: (fields) => [name(fields, true)],
  DNAME: (fields) => [name(fields, false)],
  ALIAS: (fields) => [name(fields, false)],
  SOA: (fields) => [name(fields, true), name(fields, true), soaNumbers(fields)],
  MX: (fields) => [uint16(fields, 'a preference'), name(fields, true)],
  TXT: (fields) => [strings(fields)],
  SRV: (fields) => [
    uint16(fields, 'a priority'),
    uint16(fields, 'a weight'),
    uint16(fields, 'a port'),
    name(fields, false),
  ],
  CAA: (fields) => [caa(fields)],
  HTTPS: (fields) => [uint16(fields, 'a priority'), name(fields, false), serviceParameters(fields)],
};

function word(fields: Fields, what: string): string {
  const { text } = fields.words[fields.used] ?? {};
  if (text === undefined) throw new TypeError(`${fields.type} lacks ${what}`);
  fields.used += 1;
  return text;
}

function name(fields: Fields, compressed: boolean): { name: Name; compressed: boolean } {
  return { name: readName(word(fields, 'a name'), fields.origin), compressed };
}

function number(fields: Fields, what: string, max: number): number {
  return wholeNumber(fields.type, word(fields, what), what, max);
}

function wholeNumber(type: ZoneRecordType, text: string, what: string, max: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > max) {
    throw new TypeError(`${type}: not ${what} from 0 to ${String(max)}: ${text}`);
  }
  return value;
}

function uint16(fields: Fields, what: string): Uint8Array {
  return bytesOf(number(fields, what, 0xffff));
}

function bytesOf(value: number): Uint8Array {
  return Uint8Array.of(value >> 8, value & 0xff);
}

function soaNumbers(fields: Fields): Uint8Array {
  const bytes = new Uint8Array(20);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, number(fields, 'a serial', 0xffff_ffff));
  ['a refresh time', 'a retry time', 'an expire time', 'a minimum'].forEach((what, index) => {
    view.setUint32(4 * (index + 1), readSeconds(word(fields, what)));
  });
  return bytes;
}

const SECONDS_OF: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };

/**
 * Reads a time as zone files spell it: `3600`, `1h`, `1d12h`.
 *
 * @throws TypeError where it is none, or 2^31 or more (RFC 2181, section 8).
 */
export function readSeconds(text: string): number {
  if (!/^(?:\d+|(?:\d+[smhdw])+)$/i.test(text)) throw new TypeError(`not a time: ${text}`);
  let seconds = 0;
  for (const [, amount, unit = 's'] of text.toLowerCase().matchAll(/(\d+)([smhdw])?/g)) {
    seconds += Number(amount) * (SECONDS_OF[unit] ?? 1);
  }
  if (seconds >= 2 ** 31) throw new TypeError(`too long a time: ${text}`);
  return seconds;
}

/** Each with its length in front (RFC 1035, section 3.3.14). */
function strings(fields: Fields): Uint8Array {
  const parts: Uint8Array[] = [];
  do parts.push(string(word(fields, 'a text')));
  while (fields.used < fields.words.length);
  return joined(parts);
}

function string(text: string): Uint8Array {
  const bytes = unescaped(text);
  if (bytes.length > 255) throw new TypeError('a text is longer than 255 bytes; write it as several');
  return joined([Uint8Array.of(bytes.length), bytes]);
}

function caa(fields: Fields): Uint8Array {
  const flags = number(fields, 'flags', 255);
  const tag = word(fields, 'a tag');
  if (!/^[a-z0-9]{1,15}$/i.test(tag)) throw new TypeError(`CAA: not a tag: ${tag}`);
  return joined([Uint8Array.of(flags), string(tag), unescaped(word(fields, 'a value'))]);
}

/** Of RFC 9460 section 14.3.2 those that a browser acts upon. */
const SERVICE_KEYS: Readonly<Record<string, { key: number; read(value: string): Uint8Array }>> = {
  alpn: { key: 1, read: (value) => joined(value.split(',').map(string)) },
  port: { key: 3, read: (value) => bytesOf(wholeNumber('HTTPS', value, 'a port', 0xffff)) },
  ipv4hint: { key: 4, read: (value) => joined(value.split(',').map(readIpv4)) },
  ipv6hint: { key: 6, read: (value) => joined(value.split(',').map(readIpv6)) },
};

function serviceParameters(fields: Fields): Uint8Array {
  const parameters: { key: number; value: Uint8Array }[] = [];
  while (fields.used < fields.words.length) {
    const text = word(fields, 'a parameter');
    const [, keyName = '', value = ''] = /^([a-z0-9-]+)=(.+)$/.exec(text) ?? [];
    const known = Object.hasOwn(SERVICE_KEYS, keyName) ? SERVICE_KEYS[keyName] : undefined;
    if (known === undefined) {
      throw new TypeError(`HTTPS: not one of ${Object.keys(SERVICE_KEYS).join('=, ')}=: ${text}`);
    }
    parameters.push({ key: known.key, value: known.read(value) });
  }
  parameters.sort((one, other) => one.key - other.key);
  return joined(parameters.flatMap(({ key, value }) => [bytesOf(key), bytesOf(value.length), value]));
}

function unescaped(text: string): Uint8Array {
  const parts = [...text.matchAll(/\\(\d{3})|\\?([^])/gu)].map(([, decimal, plain = '']) => {
    if (decimal === undefined) return new TextEncoder().encode(plain);
    if (Number(decimal) > 255) throw new TypeError(`not a byte: \\${decimal}`);
    return Uint8Array.of(Number(decimal));
  });
  return joined(parts);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}
