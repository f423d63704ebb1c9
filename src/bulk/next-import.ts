import { constants } from 'node:fs';
import { copyFile, open, rm, stat } from 'node:fs/promises';
import { BulkError, unwritable } from './job/bulk-error.js';
import type { ImportOptions } from './job/import-job.js';
import type { CheckedInput } from './input/check-input.js';
import { findLineOfRow, inputChanged } from './input/input-digest.js';
import { Int64Map } from './journal/int64-map.js';
import { syncFolder } from './journal/journal-file.js';
import type { Journal } from './journal/journal.js';
import type { LoadedJournal } from './journal/load-journal.js';
import type { RowSource } from './rows/row-reader.js';
import { systemErrorCode } from '../security/system-error.js';

/** Rows of an input that equal created rows, with the ids of their pets; 0 for an unknown id. */
export type DoneRows = ReadonlyMap<number, bigint>;

type NextOptions = Pick<ImportOptions, 'journal' | 'doneRows' | 'keyFingerprint'>;

/**
 * Compares an input with the journal.
 *
 * @returns `undefined` if the journal is for the same rows. Otherwise the journal is finished, and a new import starts
 * without the returned rows.
 * @throws BulkError `input-changed` if the journal has unfinished rows; `rows-done` if its import created some of the
 * rows, and `doneRows` does not say what to do with them.
 */
export async function compareWithJournal(
  { digest }: CheckedInput,
  source: RowSource,
  found: LoadedJournal | undefined,
  { journal, doneRows = 'stop', keyFingerprint }: NextOptions,
): Promise<DoneRows | undefined> {
  const row = found?.digest.firstDifference(digest);
  if (found === undefined || row === undefined) return undefined;
  const done = findDoneRows(found, digest);
  // Short keys show only that no row is equal.
  if (!isFinished(found) || (done.size > 0 && !found.digest.hasLongTags))
    // A stream can't be read again to find the line.
    throw inputChanged(source.name, source.path === '' ? undefined : await findLineOfRow(source, row));
  if (doneRows === 'send') return new Map();
  if (done.size === 0 || doneRows === 'skip') return done;
  const [count, rows] = [String(done.size), String(digest.rows)];
  const key = isOtherKey(found.keyFingerprint, keyFingerprint) ? ' with another API key' : '';
  throw new BulkError(
    'rows-done',
    `${count} of ${rows} rows in ${source.path === '' ? 'the input' : source.name} equal rows that the import of ${await finishDate(journal, true)} created${key} (journal ${journal})`,
  );
}

/** Compares the fingerprints of two API keys. An unknown key is no other key. */
export function isOtherKey(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && one !== other;
}

/**
 * Finds the rows that any import of the journal created. Equal rows count as often as they occur: of three rows, two are
 * done if two equal pets were created.
 */
function findDoneRows(found: LoadedJournal, next: CheckedInput['digest']): DoneRows {
  const imports = importsOf(found);
  const isShort = imports.some(({ digest }) => !digest.hasLongTags);
  const size = imports.reduce((sum, { states }) => sum + states.count('already-done'), 0);
  const ids = new BigInt64Array(size + 1);
  const first = new Int64Map(size);
  const following = new Uint32Array(size + 1);
  /** Replaces the last row of a key: 0 would free its place, and hide keys that are found after it. */
  const allFound = size + 1;
  let count = 0;
  for (const [index, { digest, states, createdIds }] of imports.entries()) {
    const keys = digest.rowKeys(isShort);
    const idOf = new BigInt64Array(digest.rows + 1);
    for (const [id, row] of createdIds.entries()) idOf[row] = id;
    for (let row = 1; row <= digest.rows; row += 1) {
      const [id = 0n, key = 0n] = [idOf[row], keys[row - 1]];
      // A later import has the rows that it took from this one, too.
      const isTaken = imports.slice(0, index).some((later) => later.createdIds.get(id) !== 0);
      if (states.get(row) !== 'already-done' || isTaken) continue;
      count += 1;
      ids[count] = id;
      following[count] = first.get(key);
      first.set(key, count);
    }
  }
  const done = new Map<number, bigint>();
  for (const [index, key] of next.rowKeys(isShort).entries()) {
    const created = first.get(key);
    if (created === 0 || created === allFound) continue;
    done.set(index + 1, ids[created] ?? 0n);
    const equal = following[created] ?? 0;
    first.set(key, equal === 0 ? allFound : equal);
  }
  return done;
}

/** The imports of a journal, the last one first. */
function importsOf(last: LoadedJournal): LoadedJournal[] {
  return [last, ...(last.earlier === undefined ? [] : importsOf(last.earlier))];
}

function isFinished({ states }: LoadedJournal): boolean {
  return states.count('left') + states.count('unknown') + states.count('rejected') === 0;
}

/** Returns the local date of the last record, such as `2026-11-16`, or `2026-11-16 14:05`. */
async function finishDate(journal: string, withTime = false): Promise<string> {
  const { mtime } = await stat(journal);
  const joined = (parts: readonly number[], separator: string): string =>
    parts.map((part) => String(part).padStart(2, '0')).join(separator);
  const date = joined([mtime.getFullYear(), mtime.getMonth() + 1, mtime.getDate()], '-');
  return withTime ? `${date} ${joined([mtime.getHours(), mtime.getMinutes()], ':')}` : date;
}

/**
 * Starts the next import in a journal that is finished. With rows that are done, appends its plan, so that a crash can
 * never lose them. Otherwise keeps the finished import in another file.
 *
 * @param empty removes the content of the journal.
 * @returns the path of that file.
 */
export async function startNextImport(
  journal: Journal,
  done: DoneRows,
  empty: () => Promise<void>,
  {
    service,
    keyFingerprint,
    digest,
  }: Pick<ImportOptions, 'service' | 'keyFingerprint'> & Pick<CheckedInput, 'digest'>,
): Promise<string | undefined> {
  if (done.size > 0) {
    await journal.start(service, digest, { keyFingerprint, created: done });
    return undefined;
  }
  const kept = await keepCopy(journal.path);
  await empty();
  await journal.start(service, digest, { keyFingerprint });
  return kept;
}

/**
 * Copies a journal to a new file with the date in its name. A copy, because the journal is locked, and an import with the
 * same journal could start between a `rename` and the new file.
 */
async function keepCopy(journal: string): Promise<string> {
  const date = await finishDate(journal);
  for (let number = 1; ; number += 1) {
    const copy = `${journal}.${date}${number === 1 ? '' : `-${String(number)}`}`;
    try {
      await copyFile(journal, copy, constants.COPYFILE_EXCL);
    } catch (error) {
      if (systemErrorCode(error) === 'EEXIST') continue;
      await rm(copy, { force: true });
      throw unwritable(`the copy of the journal, ${copy}`, error);
    }
    const file = await open(copy, 'r+');
    try {
      await file.sync();
    } finally {
      await file.close();
    }
    await syncFolder(copy);
    return copy;
  }
}
