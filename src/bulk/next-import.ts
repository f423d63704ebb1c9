import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { BulkError, unwritable } from './job/bulk-error.js';
import type { OpenImportOptions } from './job/import-job.js';
import type { CheckedInput } from './input/check-input.js';
import { copyPathOf } from './input/input-file.js';
import { findLineOfRow, inputChanged } from './input/input-digest.js';
import { Int64Map } from './journal/int64-map.js';
import { openJournalToRead } from './journal/journal-file.js';
import { type LoadedJournal, readJournal } from './journal/load-journal.js';
import type { RowSource } from './rows/row.js';
import { LockLostError } from '../security/locked-file.js';
import type { LockedFiles } from '../security/locked-files.js';

/** Rows of an input that equal created rows, with the ids of their pets; 0 for an unknown id. */
export type DoneRows = ReadonlyMap<number, bigint>;

type NextOptions = Pick<
  OpenImportOptions,
  'journal' | 'resume' | 'doneRows' | 'comparesFolder' | 'keyFingerprint' | 'userId'
> & { service?: string | undefined };

/**
 * Compares an input with the journal, and with the finished journals that were kept under other names.
 *
 * @param found `undefined` if the journal is missing or of an import that sent no row.
 * @returns `undefined` if the journal is for the same rows. Otherwise a new import starts without the returned rows.
 * @throws BulkError `input-changed` if the journal has unfinished rows; `rows-elsewhere` with `comparesFolder`;
 * `rows-done` if imports created some of the rows, and `doneRows` does not say what to do with them;
 * `journal-of-other-service` if an import sent the same rows to another service; errors of a journal that can't be read.
 */
export async function compareWithJournal(
  { digest }: CheckedInput,
  source: RowSource,
  found: LoadedJournal | undefined,
  options: NextOptions,
): Promise<DoneRows | undefined> {
  const row = found?.digest.firstDifference(digest);
  if (found !== undefined) {
    if (row === undefined) {
      if (options.service !== undefined) assertSameService(found, { ...options, service: options.service });
      return undefined;
    }
    // A stream can't be read again to find the line.
    if (!isFinished(found))
      throw inputChanged(source.name, source.path === '' ? undefined : await findLineOfRow(source, row));
  }
  const { journal, doneRows = 'stop', keyFingerprint } = options;
  const service = options.service ?? found?.service;
  if (options.comparesFolder === true) await rejectRowsElsewhere(service, digest, options);
  if (doneRows === 'send') return new Map();
  const isOfService = service !== undefined && found !== undefined && isSameService(found.service, service);
  const last = isOfService ? [{ path: journal, loaded: found }] : [];
  const kept = await findKeptJournals(service, digest, options);
  const sources = findDoneRows(last, digest).size === 0 ? kept : [...last, ...kept];
  const done = findDoneRows(sources, digest);
  if (done.size === 0) {
    // There is nothing to resume at this service.
    if (found !== undefined && service !== undefined && isResumed(options))
      assertSameService(found, { journal, service });
    return done;
  }
  if (doneRows === 'skip') return done;
  const dates = await Promise.all(sources.map(({ path }) => finishDate(path, true)));
  const hasOtherKey = sources.some(({ loaded }) => isOtherKey(loaded.keyFingerprint, keyFingerprint));
  const paths = sources.map(({ path }) => path).join(', ');
  throw new BulkError(
    'rows-done',
    `${String(done.size)} of ${String(digest.rows)} rows in ${source.name} equal rows that the import of ${dates.join(' and ')} created${hasOtherKey ? ' with another API key' : ''} (journal ${paths})`,
  );
}

/** A journal that is finished. */
interface FinishedJournal {
  path: string;
  loaded: LoadedJournal;
}

/** The end of the name of a journal that was kept under another name. */
const KEPT = /^\.\d{4}-\d\d-\d\d(-\d+)?$/;

/**
 * Reads the journals of the same service that were kept under other names when another import started. Only those whose
 * imports created some of the rows stay in memory.
 *
 * @throws BulkError if one of them is damaged or can't be trusted.
 */
async function findKeptJournals(
  service: string | undefined,
  next: CheckedInput['digest'],
  options: NextOptions,
): Promise<FinishedJournal[]> {
  const kept: FinishedJournal[] = [];
  const name = basename(options.journal);
  const isKept = (file: string): boolean => file.startsWith(name) && KEPT.test(file.slice(name.length));
  for await (const { path, loaded } of journalsInFolder(service, options, isKept))
    if (loaded !== undefined && findDoneRows([{ path, loaded }], next).size > 0) kept.push({ path, loaded });
  return kept;
}

/**
 * Compares an input with the other imports of the folder. One that was killed, or stopped by the rate limit, has its
 * journal there. If the same rows are read again, they would get another journal, and would be sent again.
 *
 * @throws BulkError `rows-elsewhere`; errors of a journal that can't be read.
 */
async function rejectRowsElsewhere(
  service: string | undefined,
  next: CheckedInput['digest'],
  options: NextOptions,
): Promise<void> {
  const name = basename(options.journal);
  const isOther = (file: string): boolean => file.endsWith('.journal') && file !== name;
  const journals: string[] = [];
  const rows = new Set<number>();
  for await (const { path, loaded, unstarted } of journalsInFolder(service, options, isOther)) {
    // Nothing was sent, and nothing can be: the rows were lost before the first request.
    if (loaded === undefined && !existsSync(copyPathOf(path))) continue;
    const size = rows.size;
    addRowsOf(loaded ?? unstarted, next, rows);
    if (rows.size > size) journals.push(path);
  }
  if (journals.length === 0) return;
  const dates = await Promise.all(journals.map((path) => finishDate(path, true)));
  throw new BulkError(
    'rows-elsewhere',
    `${String(rows.size)} of ${String(next.rows)} rows are also in the import of ${dates.join(' and ')} (journal ${journals.join(', ')})`,
    { journals },
  );
}

/** Adds the rows of an input that equal rows of another import. Rejected rows don't count: they are not sent again. */
function addRowsOf(other: LoadedJournal | undefined, next: CheckedInput['digest'], rows: Set<number>): void {
  if (other === undefined) return;
  const { digest, states } = other;
  const keys = new Int64Map(digest.rows);
  for (const [index, key] of digest.rowKeys().entries()) {
    const state = states.get(index + 1);
    if (state !== 'rejected' && state !== 'rejected-saved') keys.set(key, index + 1);
  }
  for (const [index, key] of next.rowKeys().entries()) if (keys.get(key) !== 0) rows.add(index + 1);
}

/** Reads the journals of a service in the folder of a journal, the last name first. */
async function* journalsInFolder(
  service: string | undefined,
  { journal, userId }: NextOptions,
  isWanted: (file: string) => boolean,
): AsyncGenerator<{ path: string } & Pick<Awaited<ReturnType<typeof readJournal>>, 'loaded' | 'unstarted'>> {
  if (service === undefined) return;
  const folder = dirname(journal);
  for (const file of (await readdir(folder)).filter(isWanted).sort().reverse()) {
    const path = join(folder, file);
    const opened = await openJournalToRead(path, userId);
    if (opened === undefined) continue;
    try {
      const { loaded, unstarted } = await readJournal(opened, path);
      const found = loaded ?? unstarted;
      if (found !== undefined && isSameService(found.service, service)) yield { path, loaded, unstarted };
    } finally {
      opened.close();
    }
  }
}

/** Whether an import may continue another one. */
export function isResumed({ resume = false }: Pick<OpenImportOptions, 'resume'>): boolean {
  return resume !== false;
}

/** @throws BulkError `journal-of-other-service` */
export function assertSameService(
  found: Pick<LoadedJournal, 'service'>,
  { journal, service }: Pick<OpenImportOptions, 'journal' | 'service'>,
): void {
  if (isSameService(found.service, service)) return;
  const message = `Journal ${journal} is for ${found.service}, not for ${service}`;
  throw new BulkError('journal-of-other-service', message);
}

/** Compares two addresses. The case of the host, the default port and slashes at the end are no difference. */
export function isSameService(one: string, other: string): boolean {
  return canonical(one) === canonical(other);
}

function canonical(service: string): string {
  if (!URL.canParse(service)) return service;
  const { origin, pathname } = new URL(service);
  return origin + pathname.replace(/\/+$/, '');
}

/** Compares the fingerprints of two API keys. An unknown key is no other key. */
export function isOtherKey(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && one !== other;
}

/**
 * Finds the rows that any import of the journals created. Equal rows count as often as they occur: of three rows, two are
 * done if two equal pets were created.
 */
function findDoneRows(journals: readonly FinishedJournal[], next: CheckedInput['digest']): DoneRows {
  const imports = journals.flatMap(({ loaded }) => importsOf(loaded));
  const size = imports.reduce((sum, { states }) => sum + states.count('already-done'), 0);
  const ids = new BigInt64Array(size + 1);
  const first = new Int64Map(size);
  const following = new Uint32Array(size + 1);
  /** Replaces the last row of a key: 0 would free its place, and hide keys that are found after it. */
  const allFound = size + 1;
  let count = 0;
  const keysOf = imports.map(({ digest }) => digest.rowKeys());
  for (const [index, { digest, states, createdIds }] of imports.entries()) {
    const idOf = new BigInt64Array(digest.rows + 1);
    for (const [id, row] of createdIds.entries()) idOf[row] = id;
    for (let row = 1; row <= digest.rows; row += 1) {
      if (states.get(row) !== 'already-done') continue;
      const [id = 0n, key = 0n] = [idOf[row], keysOf[index]?.[row - 1]];
      // A later import has the rows that it took from this one, too.
      const isTaken = imports.slice(0, index).some((later, at) => {
        const laterRow = later.createdIds.get(id);
        return laterRow !== 0 && keysOf[at]?.[laterRow - 1] === key;
      });
      if (isTaken) continue;
      count += 1;
      ids[count] = id;
      following[count] = first.get(key);
      first.set(key, count);
    }
  }
  const done = new Map<number, bigint>();
  for (const [index, key] of next.rowKeys().entries()) {
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
 * Copies a finished journal to a new file with the date in its name. A copy, because the next journal then replaces the
 * finished one at once: no moment is without both.
 *
 * @returns the path of the copy, which is on the disk.
 * @throws BulkError `disk-full`, `journal-unwritable`; LockLostError.
 */
export async function keepCopy(journal: string, files: LockedFiles): Promise<string> {
  const date = await finishDate(journal);
  const nameOf = (number: number): string => `${journal}.${date}${number === 1 ? '' : `-${String(number)}`}`;
  try {
    // With the time of the last record.
    const copy = files.copyToDraft(journal, 'kept');
    for (let number = 1; ; number += 1) if (files.publishNew(copy, nameOf(number))) return nameOf(number);
  } catch (error) {
    if (error instanceof LockLostError) throw error;
    throw unwritable(`the copy of the journal, ${nameOf(1)}`, error);
  }
}
