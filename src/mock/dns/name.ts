/**
 * A domain name as the mock keeps it: lower case, without the final dot, the root empty, and every byte that is not plain
 * as `\DDD`, a dot within a label too, so that each `.` separates two labels.
 */
export type Name = string;

/** RFC 1035, section 2.3.4. */
const LABEL_BYTES_MAX = 63;
const NAME_BYTES_MAX = 255;

/**
 * Reads a name as zone files spell it (RFC 1035, section 5.1): `@` is the origin, without a final dot it is relative to it.
 *
 * @throws TypeError with a few words where it is no name.
 */
export function readName(text: string, origin: Name): Name {
  if (text === '@') return origin;
  if (text === '.') return '';
  const labels: string[] = [];
  let label = '';
  let rest = text;
  while (rest !== '') {
    const [token = ''] = /^(?:\\\d{3}|\\?[^])/.exec(rest) ?? [];
    rest = rest.slice(token.length);
    if (token === '.') {
      labels.push(label);
      label = '';
    } else label += escapeByte(byteOf(token, text));
  }
  const absolute = text.endsWith('.') && label === '';
  if (!absolute) labels.push(label);
  const name = [...labels, ...(absolute ? [] : labelsOf(origin))].join('.');
  checkLengths(labels, name, text);
  return name;
}

/** The name in its wire form, one label after the other, without the final zero. */
export function labelBytes(name: Name): Uint8Array[] {
  return labelsOf(name).map((label) =>
    Uint8Array.from([...label.matchAll(/\\(\d{3})|([^])/g)], ([, decimal, plain = '']) =>
      decimal === undefined ? plain.charCodeAt(0) : Number(decimal),
    ),
  );
}

/** The name of labels as they come on the wire. */
export function nameOfLabels(labels: readonly Uint8Array[]): Name {
  return labels.map((bytes) => Array.from(bytes, escapeByte).join('')).join('.');
}

export function labelsOf(name: Name): string[] {
  return name === '' ? [] : name.split('.');
}

/** Whether it is the zone's own name or one below it. */
export function isWithin(name: Name, zone: Name): boolean {
  return zone === '' || name === zone || name.endsWith(`.${zone}`);
}

/** The names from it up to the root, itself first. */
export function withAncestors(name: Name): Name[] {
  const labels = labelsOf(name);
  return [...labels.map((_, index) => labels.slice(index).join('.')), ''];
}

function escapeByte(byte: number): string {
  const character = String.fromCharCode(byte);
  if (/^[!-~]$/.test(character) && !/[.\\]/.test(character)) return character.toLowerCase();
  return `\\${String(byte).padStart(3, '0')}`;
}

function byteOf(token: string, text: string): number {
  const byte = /^\\\d{3}$/.test(token) ? Number(token.slice(1)) : (token.at(-1) ?? '').charCodeAt(0);
  if (byte > 255 || (byte > 126 && !token.startsWith('\\'))) {
    throw new TypeError(`a name is written in ASCII, with xn-- for other letters: ${text}`);
  }
  return byte;
}

function checkLengths(labels: readonly string[], name: Name, text: string): void {
  if (labels.includes('')) throw new TypeError(`a label of the name is empty: ${text}`);
  const lengths = labelBytes(name).map((bytes) => bytes.length);
  if (lengths.some((length) => length > LABEL_BYTES_MAX)) {
    throw new TypeError(`a label of the name is longer than ${String(LABEL_BYTES_MAX)} bytes: ${text}`);
  }
  if (lengths.reduce((sum, length) => sum + length + 1, 1) > NAME_BYTES_MAX) {
    throw new TypeError(`the name is longer than ${String(NAME_BYTES_MAX)} bytes: ${text}`);
  }
}
