/**
 * Checks an accepted message independently of the code under test: the records must fill it exactly. Knows only RFC 1035.
 */
export function findOverrun(message: Buffer): string | undefined {
  const counts = [4, 6, 8, 10].map((offset) => message.readUInt16BE(offset));
  let offset = 12;
  for (let index = 0; index < counts[0]!; index += 1) {
    const end = skipName(message, offset);
    if (end === undefined || end + 4 > message.length) return 'question';
    offset = end + 4;
  }
  for (let index = 0; index < counts[1]! + counts[2]! + counts[3]!; index += 1) {
    const head = skipName(message, offset);
    if (head === undefined || head + 10 > message.length) return `head of record ${index}`;
    const data = head + 10;
    const end = data + message.readUInt16BE(head + 8);
    if (end > message.length) return `length of record ${index}`;
    const type = message.readUInt16BE(head);
    if (!fits(message, type, data, end)) return `data of record ${index}, type ${type}`;
    offset = end;
  }
  return offset === message.length ? undefined : 'end';
}

/** The end of a name's own bytes; `undefined` if it, or its pointer's target, is not a name. */
function skipName(message: Buffer, start: number): number | undefined {
  let end: number | undefined;
  let length = 0;
  const seen = new Set<number>();
  for (let offset = start; ;) {
    if (seen.has(offset) || offset >= message.length) return undefined;
    seen.add(offset);
    const size = message[offset]!;
    if (size === 0) return length + 1 > 255 ? undefined : (end ?? offset + 1);
    if (size >= 0xc0) {
      if (offset + 1 >= message.length) return undefined;
      end ??= offset + 2;
      offset = ((size & 0x3f) << 8) | message[offset + 1]!;
      if (offset >= start) return undefined;
    } else {
      if (size > 63) return undefined;
      length += size + 1;
      offset += size + 1;
    }
  }
}

/** Of each type's data: bytes before the names, number of names, bytes after them. */
const SHAPES: Readonly<Record<number, readonly [before: number, names: number, after: number]>> = {
  1: [4, 0, 0],
  2: [0, 1, 0],
  5: [0, 1, 0],
  6: [0, 2, 20],
  15: [2, 1, 0],
  28: [16, 0, 0],
  33: [6, 1, 0],
  39: [0, 1, 0],
};

function fits(message: Buffer, type: number, start: number, end: number): boolean {
  if (type === 16) return end > start && chunksFill(message, start, end, 0, 1);
  if (type === 41) return chunksFill(message, start, end, 2, 2);
  if (type === 257) return start + 2 + (message[start + 1] ?? 0) <= end && end - start >= 2;
  if (type === 65) {
    const params = start + 3 > end ? undefined : skipName(message, start + 2);
    return params !== undefined && params <= end && chunksFill(message, params, end, 2, 2);
  }
  const shape = SHAPES[type];
  if (shape === undefined) return true;
  let offset: number | undefined = start + shape[0];
  for (let index = 0; index < shape[1] && offset !== undefined; index += 1) {
    offset = offset < end ? skipName(message, offset) : undefined;
  }
  return offset !== undefined && offset + shape[2] === end;
}

/** Whether a range consists of entries: `key` bytes, a length of `size` bytes, and that many bytes. */
function chunksFill(message: Buffer, start: number, end: number, key: number, size: number): boolean {
  let offset = start;
  while (offset < end) {
    if (offset + key + size > end) return false;
    offset += key + size + message.readUIntBE(offset + key, size);
  }
  return offset === end;
}
