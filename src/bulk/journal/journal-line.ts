import { crc32 } from 'node:zlib';

/** The start of a journal. The number is the version of the format. */
export const MAGIC = 'petstore-journal/1 ';

/**
 * Ends each line of a journal with a checksum of all lines so far. This detects an incomplete, changed, missing or
 * moved line.
 */
export class LineChecksum {
  #sum = 0;

  /** Returns the next line with its checksum and line break. */
  add(body: string): string {
    this.#sum = crc32(body, this.#sum);
    return `${body} ${this.#sum.toString(16).padStart(8, '0')}\n`;
  }

  /** Returns the next line without its checksum. If the checksum is wrong, returns `undefined` and keeps its state. */
  verify(line: string): string | undefined {
    const body = line.slice(0, -9);
    const sum = crc32(body, this.#sum);
    if (line.slice(-9) !== ` ${sum.toString(16).padStart(8, '0')}`) return undefined;
    this.#sum = sum;
    return body;
  }
}

/** A line of a file, without its line break. */
export interface JournalLine {
  text: string;
  /** From 1. */
  number: number;
  /** Start of the line in the file, in bytes. */
  offset: number;
  /** Whether the line has its line break. */
  isEnded: boolean;
}

/** Maximum length of a line in bytes. A write of an import is far shorter. */
export const LINE_MAX = 1 << 24;

/** Splits a file into lines. Keeps at most one line in memory. Ends early after a line that is too long. */
export async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<JournalLine[]> {
  let rest = '';
  let number = 1;
  let offset = 0;
  for await (const chunk of chunks) {
    const texts = Buffer.from(chunk).toString('latin1').split('\n');
    // Only a text with a line break is joined and scanned, so that time stays linear.
    rest += texts[0] ?? '';
    if (texts.length === 1 && rest.length <= LINE_MAX) continue;
    texts[0] = rest;
    rest = texts.pop() ?? '';
    const lines: JournalLine[] = [];
    for (const text of texts) {
      lines.push({ text, number, offset, isEnded: true });
      number += 1;
      offset += text.length + 1;
    }
    if (lines.length > 0) yield lines;
    if (rest.length > LINE_MAX) break;
  }
  if (rest !== '') yield [{ text: rest, number, offset, isEnded: false }];
}
