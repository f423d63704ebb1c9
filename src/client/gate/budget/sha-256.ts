/**
 * SHA-256 (FIPS 180-4) of a text, in hexadecimal digits.
 *
 * By hand, because loading node:crypto takes a one-shot command 4 ms of the 60 that a list takes, and this 0.3. It only
 * names what is kept; nothing is signed by it.
 */
export function sha256(text: string): string {
  const blocks = padded(Buffer.from(text));
  // Section 5.3.3: the first 32 bits of the fractional parts of the square roots of the first 8 primes.
  const state = fractions(8, 1 / 2);
  // Section 4.2.2: of the cube roots of the first 64.
  const rounds = fractions(64, 1 / 3);
  const words = new Int32Array(64);
  for (let offset = 0; offset < blocks.length; offset += 64) {
    spread(blocks, offset, words);
    mix(state, rounds, words);
  }
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

function fractions(count: number, power: number): Int32Array {
  const found: number[] = [];
  for (let candidate = 2; found.length < count; candidate += 1) {
    if (found.every((prime) => candidate % prime !== 0)) found.push(candidate);
  }
  return Int32Array.from(found, (prime) => prime ** power * 2 ** 32);
}

/** Section 5.1.1: a one, noughts, and the length in bits, to whole blocks of 64 bytes. */
function padded(message: Buffer): Buffer {
  const blocks = Buffer.alloc(Math.ceil((message.length + 9) / 64) * 64);
  message.copy(blocks);
  blocks[message.length] = 0x80;
  blocks.writeUInt32BE(message.length * 8, blocks.length - 4);
  return blocks;
}

/** Section 6.2.2, step 1: the message schedule. */
function spread(blocks: Buffer, offset: number, words: Int32Array): void {
  for (let index = 0; index < 16; index += 1) words[index] = blocks.readInt32BE(offset + index * 4);
  for (let index = 16; index < 64; index += 1) {
    const early = words[index - 15] ?? 0;
    const late = words[index - 2] ?? 0;
    const one = rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3);
    const other = rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10);
    words[index] = (words[index - 16] ?? 0) + one + (words[index - 7] ?? 0) + other;
  }
}

/** Section 6.2.2, steps 2 to 4. */
function mix(state: Int32Array, rounds: Int32Array, words: Int32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let index = 0; index < 64; index += 1) {
    const choice = (e & f) ^ (~e & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const first =
      h +
      (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) +
      choice +
      (rounds[index] ?? 0) +
      (words[index] ?? 0);
    const second = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + majority;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) state[index] = (state[index] ?? 0) + word;
}

function rotated(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}
