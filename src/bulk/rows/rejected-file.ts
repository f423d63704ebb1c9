import { randomUUID } from 'node:crypto';
import { createWriteStream, type Stats } from 'node:fs';
import { lstat, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { REASON_FIELD } from './check-row.js';
import { formatOfName } from './row-format.js';
import { type RowLayout, writeRows } from './row-writer.js';
import type { Row, RowFormat } from './row.js';

/** A file of rejected rows, with the reason of each. */
export interface RejectedFile {
  /** Absolute. */
  path: string;
  rows: number;
}

/** Returns the default path for rejected rows: `pets.rejected.csv` for `pets.csv`. */
export function rejectedPathOf(inputPath: string, format: RowFormat, delimiter: string | undefined): string {
  const extension = /\.[a-z]+$/i.exec(inputPath)?.[0] ?? '';
  if (formatOfName(inputPath)?.format === format)
    return `${inputPath.slice(0, -extension.length)}.rejected${extension}`;
  return `${inputPath.replace(/\.input$/, '')}.rejected.${format === 'csv' && delimiter === '\t' ? 'tsv' : format}`;
}

/**
 * Returns the first of `pets.rejected.csv`, `pets.rejected-2.csv`, … that does not exist. A user may be editing the
 * others. A symbolic link counts as existing, even if it is broken.
 */
export async function findUnusedPath(path: string): Promise<string> {
  const [, start = path, extension = ''] = /^(.*?)(\.[a-z]+)?$/is.exec(path) ?? [];
  for (let number = 2, candidate = path; ; number += 1) {
    if ((await statsOf(candidate)) === undefined) return candidate;
    candidate = `${start}-${String(number)}${extension}`;
  }
}

/** Checks whether a file of rejected rows was written. A link at its path does not count. */
export async function isWritten(path: string): Promise<boolean> {
  return (await statsOf(path))?.isFile() === true;
}

/**
 * Writes rows with their reasons, completely or not at all. The file can be fixed and imported. Only its owner can
 * read it, like the journal. Replaces a link at the path.
 */
export async function writeRejected(
  path: string,
  rows: AsyncIterable<Row>,
  reasonOf: (row: number) => string,
  layout: RowLayout,
): Promise<void> {
  const columns = [...layout.columns.filter((column) => column !== REASON_FIELD), REASON_FIELD];
  // A random name and the flag wx, so that an existing link is not followed.
  const draft = join(dirname(path), `.${randomUUID()}.tmp`);
  try {
    const text = writeRows(withReasons(rows, reasonOf), { ...layout, columns });
    await pipeline(Readable.from(text), createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }));
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

function statsOf(path: string): Promise<Stats | undefined> {
  return lstat(path).catch(() => undefined);
}

async function* withReasons(
  rows: AsyncIterable<Row>,
  reasonOf: (row: number) => string,
): AsyncGenerator<Record<string, unknown>> {
  for await (const { row, pet } of rows) yield { ...pet, [REASON_FIELD]: reasonOf(row) };
}
