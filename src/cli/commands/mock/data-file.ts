import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Mock, type MockDataError, type MockSnapshot, snapshotJson } from '../../../mock/index.js';
import type { FileLock } from '../../../security/file-lock.js';
import { LockLostError } from '../../../security/locked-file.js';
import type { LockedFiles } from '../../../security/locked-files.js';
import type { Context } from '../../system/context.js';
import { parseJsonInput } from '../../system/files/input-file.js';
import { describeFileError, readRegularFile } from '../../system/files/safe-file.js';
import { notWritable, resolveOutputPath } from '../../system/files/output-file.js';
import { CommandFailure } from '../../errors/command-failure.js';
import { EXIT } from '../../errors/exit-codes.js';
import { UsageError } from '../../errors/usage-error.js';

const SAVE_DELAY_MS = 100;
/** A save of many pets blocks the mock, so saves take at most a tenth of the time. */
const DELAY_PER_SAVE = 9;
const SAVE_DELAY_MAX_MS = 30_000;

/**
 * Locks a data file, because each mock keeps all pets in memory and would overwrite those of the other.
 *
 * @throws UsageError if another mock uses the file, or it can't be written.
 */
export async function lockDataFile(file: string, context: Context): Promise<FileLock> {
  const path = targetOf(file, context);
  const { lockFile } = await import('../../../security/file-lock.js');
  let lock: FileLock | undefined;
  try {
    lock = await lockFile(path, context);
  } catch (error) {
    throw notWritable(file, error);
  }
  if (lock !== undefined) return lock;
  throw new UsageError(`Another mock uses ${file}`, OTHER_MOCK_HINT);
}

const OTHER_MOCK_HINT = 'Stop that mock, or pass another file with --data.';

/** The error of a mock that was suspended for so long that another one took over its file. */
function lockLost(file: string, cause: LockLostError): CommandFailure {
  return new CommandFailure(
    `Another process changed ${file}, or took it over. The pets of this mock are no longer saved`,
    { type: 'lock-lost', exitCode: EXIT.failed, hint: OTHER_MOCK_HINT, cause },
  );
}

/** Opens the file of `--data`, which keeps the pets across restarts. It is locked. */
export function openDataFile(file: string, context: Context, files: LockedFiles) {
  const path = targetOf(file, context);
  const { clock } = context;
  /** Also for a new file. */
  let hasChanged = !existsSync(path);
  let saveDurationMs = 0;
  let cancel: (() => void) | undefined;
  let saved: unknown;
  let snapshot: (() => MockSnapshot) | undefined;
  let isLost = false;

  /**
   * Saves the changes that are not saved yet.
   *
   * @throws UsageError if the file can't be written; CommandFailure if another mock took it over.
   */
  const save = (): void => {
    cancel?.();
    cancel = undefined;
    if (!hasChanged || snapshot === undefined) return;
    const startedAt = clock.now();
    const parts = snapshotJson(snapshot());
    try {
      files.replace(path, parts, { isDurable: true });
    } catch (error) {
      if (!(error instanceof LockLostError)) throw notWritable(file, error);
      isLost = true;
      throw lockLost(file, error);
    }
    hasChanged = false;
    saveDurationMs = clock.now() - startedAt;
  };
  return {
    /**
     * Reads the content: parsed JSON, or `undefined` without a file. The mock checks it.
     *
     * @throws UsageError if the file is not readable or not JSON.
     */
    read(): unknown {
      saved = hasChanged ? undefined : parseJsonInput(readLongText(file, path), file, REPAIR_HINT);
      return saved;
    },
    save,
    /**
     * Saves the pets after each change: 100 ms later, once for all changes in that time. If a save takes long, the next is
     * later. Writes a new file at once. After another mock took over the file, saves nothing more.
     *
     * @param onFailure receives the errors of later saves.
     * @throws UsageError if the file can't be written.
     */
    follow(mock: Mock, onFailure: (error: unknown) => void): void {
      const { worlds: savedWorlds = [], tenants: savedTenants = [] } = (saved ?? {}) as Partial<MockSnapshot>;
      const unusedWorlds = savedWorlds.slice(mock.keys.length - savedTenants.length);
      const numbers = savedTenants.map(({ number }) => number);
      saved = undefined; // a million pets
      snapshot = () => {
        const { format, worlds, tenants = [] } = mock.snapshot();
        // Keys that a test has added belong to this run, unless the file is a snapshot with them.
        const kept = tenants.filter(({ number }) => numbers.includes(number));
        return { format, worlds: [...worlds, ...unusedWorlds], tenants: kept };
      };
      if (hasChanged) save();
      const saveOrReport = (): void => {
        try {
          save();
        } catch (error) {
          onFailure(error);
        }
      };
      mock.subscribe((event) => {
        if (event.type === 'request' ? READS.has(event.entry.method) : !PET_CHANGES.has(event.changed))
          return;
        hasChanged = true;
        if (isLost) return;
        const delayMs = Math.max(SAVE_DELAY_MS, saveDurationMs * DELAY_PER_SAVE);
        cancel ??= clock.setTimeout(saveOrReport, Math.min(delayMs, SAVE_DELAY_MAX_MS));
      });
    },
  };
}

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
const PET_CHANGES: ReadonlySet<string> = new Set(['pets', 'reset']);

const REPAIR_HINT = 'Fix the file at this place, or move it away to start with new pets.';

export function notADataFile(file: string, error: MockDataError): UsageError {
  return new UsageError(`${file} is not a data file of the mock: ${error.problem}`, REPAIR_HINT, error);
}

/**
 * Returns the path that a save replaces. By folder and name, because saving changes the inode; of the target of a symbolic
 * link, because saving must not replace the link.
 */
function targetOf(file: string, context: Context): string {
  const path = resolveOutputPath(file, context);
  try {
    return existsSync(path) ? realpathSync(path) : join(realpathSync(dirname(path)), basename(path));
  } catch {
    return path; // no such folder
  }
}

/**
 * Reads a text file of the mock, which may be long.
 *
 * @param file the path for messages.
 * @throws UsageError if the file is not readable.
 */
export function readLongText(file: string, path: string): string {
  try {
    return readRegularFile(path);
  } catch (error) {
    const reason = describeFileError(error);
    throw new UsageError(`Can't read ${file} (${reason})`, 'Check the path and its permissions.', error);
  }
}
