import { randomUUID } from 'node:crypto';
import { constants, createWriteStream, type Stats } from 'node:fs';
import { copyFile, link, lstat, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { REASON_FIELD } from './check-row.js';
import { formatOfName, type Row, type RowFormat } from './row.js';
import { type RowLayout, writeRows } from './row-writer.js';
import { systemErrorCode } from '../../security/system-error.js';

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

/** Checks whether two files have the same content. */
export async function isSameContent(path: string, other: string): Promise<boolean> {
  if ((await statsOf(path))?.size !== (await statsOf(other))?.size) return false;
  return (await readFile(path)).equals(await readFile(other));
}

/**
 * Writes rows with their reasons to a file with a random name next to `path`. The file can be fixed and imported. Only
 * its owner can read it, like the journal.
 *
 * @returns the path of the written file.
 */
export async function draftRejected(
  path: string,
  rows: AsyncIterable<Row>,
  reasonOf: (row: number) => string,
  layout: RowLayout,
): Promise<string> {
  const columns = [...layout.columns.filter((column) => column !== REASON_FIELD), REASON_FIELD];
  // A random name and the flag wx, so that an existing link is not followed.
  const draft = join(dirname(path), `.${randomUUID()}.tmp`);
  try {
    const text = writeRows(withReasons(rows, reasonOf), { ...layout, columns });
    await pipeline(Readable.from(text), createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }));
    return draft;
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/**
 * Names a draft by the first unused path. Replaces nothing, even if another import chooses the same path.
 *
 * @param announce called with each path before it is tried.
 * @returns the path of the file.
 */
export async function publishRejected(
  draft: string,
  path: string,
  announce: (path: string) => Promise<void>,
): Promise<string> {
  try {
    for (;;) {
      const candidate = await findUnusedPath(path);
      await announce(candidate);
      if (await linkNew(draft, candidate)) return candidate;
    }
  } finally {
    await rm(draft, { force: true });
  }
}

/** Returns whether the path was unused. Some file systems have no links. */
async function linkNew(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to).catch((error: unknown) =>
      systemErrorCode(error) === 'EEXIST'
        ? Promise.reject(error as Error)
        : copyFile(from, to, constants.COPYFILE_EXCL),
    );
    return true;
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') return false;
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
