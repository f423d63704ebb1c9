/**
 * A domain name as the mock stores it: lower case, no final dot. Each byte that is not visible ASCII, and each dot or
 * backslash in a label, is written as `\DDD`. The root is empty.
 */
export type Name = string;

/** RFC 1035, section 2.3.4. */
const LABEL_BYTES_MAX = 63;
const NAME_BYTES_MAX = 255;

/**
 * Reads a name of a zone file (RFC 1035, section 5.1): `@` is the origin, and a name without a final dot is relative to it.
 * `\DDD` is a byte, and `\X` the character X, also a dot.
 *
 * @throws TypeError if it is not a name.
 */
export function readName(text: string, origin: Name): Name {
  if (text === '@') return origin;
  if (text === '.') return '';
  if (!/^(?:[!-[\]-~]|\\\d{3}|\\[ -/:-~])*$/.test(text)) {
    throw new TypeError(`a name must be ASCII; write other letters as xn--, and bytes as \\DDD: ${text}`);
  }
  const escaped = text.replace(/\\(\d{3}|.)/g, (_, code: string) =>
    byteText(code.length === 3 ? Number(code) : code.charCodeAt(0)),
  );
  const name = escaped.endsWith('.') ? escaped.slice(0, -1) : [escaped, ...labelsOf(origin)].join('.');
  const labels = name.split('.');
  if (labels.includes('')) throw new TypeError(`the name has an empty label: ${text}`);
  if (labels.some((label) => labelBytes(label).length > LABEL_BYTES_MAX)) {
    throw new TypeError(`a label of the name is longer than ${String(LABEL_BYTES_MAX)} bytes: ${text}`);
  }
  if (nameBytes(name).length > NAME_BYTES_MAX) {
    throw new TypeError(`the name is longer than ${String(NAME_BYTES_MAX)} bytes: ${text}`);
  }
  return name.toLowerCase();
}

function byteText(byte: number): string {
  if (byte > 0xff) throw new TypeError(`not a byte: \\${String(byte)}`);
  const character = String.fromCharCode(byte);
  return /[!--/-[\]-~]/.test(character) ? character : `\\${String(byte).padStart(3, '0')}`;
}

function labelBytes(label: string): Buffer {
  const bytes = label.replace(/\\(\d{3})/g, (_, decimal: string) => String.fromCharCode(Number(decimal)));
  return Buffer.from(bytes, 'latin1');
}

/** Encodes a name (RFC 1035, section 3.1), without compression. */
export function nameBytes(name: Name): Buffer {
  const labels = labelsOf(name).map(labelBytes);
  return Buffer.concat([...labels.flatMap((label) => [Buffer.of(label.length), label]), Buffer.of(0)]);
}

/** Reads an encoded name. Returns `undefined` if it is compressed or cut off. */
export function nameAt(message: Uint8Array, start: number): { name: Name; end: number } | undefined {
  const labels: string[] = [];
  for (let at = start; ;) {
    const length = message[at];
    if (length === undefined || length > LABEL_BYTES_MAX) return undefined;
    at += 1 + length;
    if (length === 0) return { name: labels.join('.').toLowerCase(), end: at };
    const label = String.fromCharCode(...message.subarray(at - length, at));
    labels.push(label.replace(/[^!--/-[\]-~]/g, (character) => byteText(character.charCodeAt(0))));
  }
}

export function labelsOf(name: Name): string[] {
  return name === '' ? [] : name.split('.');
}

/** Whether the name is the zone's own or one below it. */
export function isWithin(name: Name, zone: Name): boolean {
  return zone === '' || name === zone || name.endsWith(`.${zone}`);
}

/** Lists the name and its ancestors up to the root. */
export function withAncestors(name: Name): Name[] {
  const names: Name[] = [];
  let start = 0;
  while (start < name.length) {
    names.push(name.slice(start));
    const dot = name.indexOf('.', start);
    start = dot === -1 ? name.length : dot + 1;
  }
  return [...names, ''];
}
