/**
 * Reads `192.0.2.1`.
 *
 * @returns its four bytes.
 * @throws TypeError where it is no IPv4 address.
 */
export function readIpv4(text: string): Uint8Array {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)) {
    throw new TypeError(`not an IPv4 address: ${text}`);
  }
  return Uint8Array.from(parts, Number);
}

/**
 * Reads `2001:db8::1`, also with an IPv4 address at its end.
 *
 * @returns its sixteen bytes.
 * @throws TypeError where it is no IPv6 address.
 */
export function readIpv6(text: string): Uint8Array {
  const refuse = (): never => {
    throw new TypeError(`not an IPv6 address: ${text}`);
  };
  const [, last] = /:(\d+\.\d+\.\d+\.\d+)$/.exec(text) ?? [];
  const hex = last === undefined ? text : text.slice(0, -last.length) + groupsOfIpv4(last).join(':');
  const halves = hex.split('::');
  if (halves.length > 2) refuse();
  const [front = [], back = []] = halves.map((half) => (half === '' ? [] : half.split(':')));
  const missing = 8 - front.length - back.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) refuse();
  const groups = [...front, ...Array.from({ length: missing }, () => '0'), ...back];
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) refuse();
  return Uint8Array.from(groups.flatMap((group) => [parseInt(group, 16) >> 8, parseInt(group, 16) & 0xff]));
}

function groupsOfIpv4(text: string): string[] {
  const [one = 0, two = 0, three = 0, four = 0] = readIpv4(text);
  return [one * 256 + two, three * 256 + four].map((group) => group.toString(16));
}
