/**
 * Reads an IPv4 (4 bytes) or IPv6 (16 bytes) address. IPv6 in the one spelling of RFC 5952, so that addresses from
 * different places can be compared as strings.
 */
export function readAddress(message: Buffer, start: number, size: 4 | 16): string {
  if (size === 4) return message.subarray(start, start + 4).join('.');
  const groups = Array.from({ length: 8 }, (_, index) => message.readUInt16BE(start + 2 * index));
  const zeros = longestZeros(groups);
  const text = (part: number[]): string => part.map((group) => group.toString(16)).join(':');
  if (zeros.length < 2) return text(groups);
  return `${text(groups.slice(0, zeros.start))}::${text(groups.slice(zeros.start + zeros.length))}`;
}

/** The first of the longest runs. */
function longestZeros(groups: readonly number[]): { start: number; length: number } {
  let longest = { start: 0, length: 0 };
  let length = 0;
  groups.forEach((group, index) => {
    length = group === 0 ? length + 1 : 0;
    if (length > longest.length) longest = { start: index - length + 1, length };
  });
  return longest;
}
