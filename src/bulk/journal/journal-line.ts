import { crc32 } from 'node:zlib';

/** What the first line of a journal begins with; the number is the version of the format. */
export const MAGIC = 'petstore-journal/1 ';

const CHECKSUM = / ([0-9a-f]{8})$/;

/**
 * Ends the lines of a journal with a checksum of all that came before, so that a line that was torn, changed, lost or
 * moved is noticed.
 */
export class LineSeal {
  #sum = 0;

  /** The next line, with its checksum and its end. */
  seal(body: string): string {
    this.#sum = crc32(body, this.#sum);
    return `${body} ${this.#sum.toString(16).padStart(8, '0')}\n`;
  }

  /** The next line without its checksum; `undefined` where that is not right, and then the seal stays where it was. */
  open(line: string): string | undefined {
    const body = line.slice(0, -9);
    const sum = crc32(body, this.#sum);
    if (CHECKSUM.exec(line)?.[1] !== sum.toString(16).padStart(8, '0')) return undefined;
    this.#sum = sum;
    return body;
  }
}

/** A line of a file: its text without its end, and where it begins, in bytes. */
export interface PlacedLine {
  text: string;
  /** From 1. */
  number: number;
  offset: number;
  /** False for what stands behind the last line end. */
  isEnded: boolean;
}

/** Splits a file into lines, holding no more than one of them. */
export async function* splitLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<PlacedLine[]> {
  let rest = '';
  let number = 1;
  let offset = 0;
  for await (const piece of pieces) {
    const texts = (rest + Buffer.from(piece).toString('latin1')).split('\n');
    rest = texts.pop() ?? '';
    const lines: PlacedLine[] = [];
    for (const text of texts) {
      lines.push({ text, number, offset, isEnded: true });
      number += 1;
      offset += text.length + 1;
    }
    yield lines;
  }
  if (rest !== '') yield [{ text: rest, number, offset, isEnded: false }];
}
