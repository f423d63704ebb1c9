/** A domain name as the mock stores it: lower case, control characters and spaces as `\DDD`, no final dot. The root is empty. */
export type Name = string;

/** RFC 1035, section 2.3.4. */
const LABEL_BYTES_MAX = 63;
const NAME_BYTES_MAX = 255;

/**
 * Reads a name of a zone file (RFC 1035, section 5.1): `@` is the origin, and a name without a final dot is relative to it.
 * The only escapes are those of control characters and the space, such as `\032`.
 *
 * @throws TypeError if it is not a name.
 */
export function readName(text: string, origin: Name): Name {
  if (text === '@') return origin;
  if (text === '.') return '';
  if (!/^(?:[!-[\]-~]|\\0[0-2]\d|\\03[0-2]|\\127)*$/.test(text)) {
    throw new TypeError(`a name must be ASCII; write other letters as xn--: ${text}`);
  }
  const name = text.endsWith('.') ? text.slice(0, -1) : [text, ...labelsOf(origin)].join('.');
  const labels = name.split('.');
  if (labels.includes('')) throw new TypeError(`the name has an empty label: ${text}`);
  if (labels.some((label) => toWire(label).length > LABEL_BYTES_MAX)) {
    throw new TypeError(`a label of the name is longer than ${String(LABEL_BYTES_MAX)} bytes: ${text}`);
  }
  if (toWire(name).length + 2 > NAME_BYTES_MAX) {
    throw new TypeError(`the name is longer than ${String(NAME_BYTES_MAX)} bytes: ${text}`);
  }
  return name.toLowerCase();
}

/** Returns the name with control characters instead of their escapes, as dns-packet encodes it. */
export function toWire(name: Name): string {
  return name.replace(/\\(\d{3})/g, (_, decimal: string) => String.fromCharCode(Number(decimal)));
}

/** Returns the name that dns-packet decoded, or `undefined` if it has other characters than ASCII or a backslash. */
export function fromWire(name: string): Name | undefined {
  if (!/^[\0-[\]-\x7f]*$/.test(name)) return undefined;
  const escaped = name.replace(
    /[\0- \x7f]/g,
    (control) => `\\${String(control.charCodeAt(0)).padStart(3, '0')}`,
  );
  return escaped === '.' ? '' : escaped.toLowerCase();
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
  const labels = labelsOf(name);
  return [...labels.map((_, index) => labels.slice(index).join('.')), ''];
}
