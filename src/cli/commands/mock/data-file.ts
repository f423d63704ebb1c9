import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Mock, type MockDataError, type MockSnapshot, snapshotJson } from '../../../mock/index.js';
import type { FileLock } from '../../../security/file-lock.js';
import type { Context } from '../../system/context.js';
import { parseJsonInput } from '../../system/files/input-file.js';
import {
  assertReplaceable,
  describeFileError,
  readRegularFile,
  removeTemporaryFiles,
  replaceFile,
} from '../../system/files/safe-file.js';
import { notWritable, resolveOutputPath, writing } from '../../system/files/output-file.js';
import { UsageError } from '../../errors/usage-error.js';

const SAVE_DELAY_MS = 100;
/** A save of many pets blocks the mock, so saves take at most a tenth of the time. */
const DELAY_PER_SAVE = 9;
const SAVE_DELAY_MAX_MS = 30_000;

/**
 * Locks a data file, because each mock keeps all pets in memory and would overwrite those of the other.
 *
 * @returns releases the lock.
 * @throws UsageError if another mock uses the file.
 */
export async function lockDataFile(file: string, context: Context): Promise<() => void> {
  const path = targetOf(file, context);
  // Without a folder, saving fails and reports why.
  if (!existsSync(dirname(path))) return () => undefined;
  const { lockFile } = await import('../../../security/file-lock.js');
  let lock: FileLock | undefined;
  try {
    lock = await lockFile(path, context);
  } catch (error) {
    throw notWritable(file, error);
  }
  if (lock === undefined)
    throw new UsageError(`Another mock uses ${file}`, 'Stop that mock, or pass another file with --data.');
  removeUnfinished(path);
  return lock.release;
}

/** Opens the file of `--data`, which keeps the pets across restarts. It is locked. */
export function openDataFile(file: string, context: Context) {
  const path = targetOf(file, context);
  const { clock } = context;
  /** Also for a new file. */
  let hasChanged = !existsSync(path);
  let saveDurationMs = 0;
  let cancel: (() => void) | undefined;
  let saved: unknown;
  let snapshot: (() => MockSnapshot) | undefined;

  /** Saves the changes that are not saved yet. @throws UsageError if the file can't be written. */
  const save = (): void => {
    cancel?.();
    cancel = undefined;
    if (!hasChanged || snapshot === undefined) return;
    const startedAt = clock.now();
    const parts = snapshotJson(snapshot());
    writing(file, () => {
      replaceFile(path, parts, { isDurable: true });
    });
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
      saved = hasChanged ? undefined : readJson(file, path);
      return saved;
    },
    save,
    /**
     * Saves the pets after each change: 100 ms later, once for all changes in that time. If a save takes long, the next is
     * later. Writes a new file at once, and checks that a file can be replaced.
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
      else
        writing(file, () => {
          assertReplaceable(path);
        });
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

/** Removes what a killed mock left behind. The file is locked, so that no other mock writes these files. */
function removeUnfinished(path: string): void {
  try {
    removeTemporaryFiles(dirname(path), basename(path));
  } catch {
    // They are not read. A folder that can't be changed is reported by the first save.
  }
}

/**
 * Reads a JSON file of the mock, which may be long.
 *
 * @param file the path for messages.
 * @throws UsageError if the file is not readable or not JSON.
 */
export function readJson(file: string, path: string): unknown {
  let text: string;
  try {
    text = readRegularFile(path);
  } catch (error) {
    const reason = describeFileError(error);
    throw new UsageError(`Can't read ${file} (${reason})`, 'Check the path and its permissions.', error);
  }
  return parseJsonInput(text, file, REPAIR_HINT);
}
