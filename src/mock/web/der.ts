/** A value in DER (X.690). */
export type Der = Buffer;

/** A tag, the length and the parts. */
function value(tag: number, ...parts: readonly Uint8Array[]): Der {
  const content = Buffer.concat(parts);
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.of(tag, length), content]);
  const bytes = length < 0x100 ? [length] : [length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, 0x80 | bytes.length, ...bytes), content]);
}

export const sequence = (...parts: readonly Der[]): Der => value(0x30, ...parts);
export const set = (...parts: readonly Der[]): Der => value(0x31, ...parts);
export const octets = (content: Uint8Array): Der => value(0x04, content);
export const utf8 = (text: string): Der => value(0x0c, Buffer.from(text));
export const TRUE: Der = value(0x01, Buffer.of(0xff));

/** A field with a context-specific tag: constructed, around other values. */
export const field = (number: number, ...parts: readonly Der[]): Der => value(0xa0 | number, ...parts);
/** The same, with bytes as its content. */
export const primitiveField = (number: number, content: Uint8Array): Der => value(0x80 | number, content);

/** A whole number of 0 or more, in big-endian bytes. */
export function integer(bytes: Uint8Array): Der {
  // A first bit of 1 would make it negative.
  return value(0x02, ...((bytes[0] ?? 0) >= 0x80 ? [Buffer.of(0)] : []), bytes);
}

/** @param unusedBits at the end of the last byte. */
export function bits(content: Uint8Array, unusedBits = 0): Der {
  return value(0x03, Buffer.of(unusedBits), content);
}

/** An object identifier, such as `2.5.4.3`. */
export function objectId(text: string): Der {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  return value(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(number: number): number[] {
  const bytes = [number & 0x7f];
  for (let left = number >>> 7; left > 0; left >>>= 7) bytes.unshift((left & 0x7f) | 0x80);
  return bytes;
}

/** A time in whole seconds: UTCTime until 2049, then GeneralizedTime (RFC 5280, section 4.1.2.5). */
export function time(at: number): Der {
  const date = new Date(at);
  const text = `${date.toISOString().slice(0, 19).replace(/\D/g, '')}Z`;
  const isShort = date.getUTCFullYear() >= 1950 && date.getUTCFullYear() < 2050;
  return isShort ? value(0x17, Buffer.from(text.slice(2))) : value(0x18, Buffer.from(text));
}
