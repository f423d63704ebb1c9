import type { Stats } from 'node:fs';
import { lstat, readFile } from 'node:fs/promises';
import type { LockedFiles } from '../../security/locked-files.js';
import { REASON_FIELD } from './check-row.js';
import { formatOfName, type Row, type RowFormat } from './row.js';
import { type RowLayout, writeRows } from './row-writer.js';

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
 * Writes rows with their reasons to a draft. The file can be fixed and imported. Only its owner can read it, like the
 * journal.
 *
 * @returns the path of the draft.
 * @throws LockLostError; errors of node:fs and of the rows.
 */
export async function draftRejected(
  files: LockedFiles,
  rows: AsyncIterable<Row>,
  reasonOf: (row: number) => string,
  layout: RowLayout,
): Promise<string> {
  const columns = [...layout.columns.filter((column) => column !== REASON_FIELD), REASON_FIELD];
  return files.writeDraft('rejected', writeRows(withReasons(rows, reasonOf), { ...layout, columns }));
}

/**
 * Names a draft by the first unused path. Replaces nothing, even if another import chooses the same path. The file is on
 * the disk when the promise resolves.
 *
 * @param announce called with each path before it is tried.
 * @returns the path of the file.
 * @throws LockLostError; errors of node:fs and of `announce`.
 */
export async function publishRejected(
  files: LockedFiles,
  draft: string,
  path: string,
  announce: (path: string) => Promise<void>,
): Promise<string> {
  for (;;) {
    const candidate = await findUnusedPath(path);
    await announce(candidate);
    if (files.publishNew(draft, candidate)) return candidate;
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
