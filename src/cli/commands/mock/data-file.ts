import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type MockSnapshot, readSnapshot } from '../../../mock/index.js';
import { stringifyJson } from '../../../schema/json.js';
import type { Context } from '../../system/context.js';
import { parseJsonInput } from '../../files/input-file.js';
import { readRegularFile, whyUnreadable } from '../../files/regular-file.js';
import { resolvePath } from '../../files/resolve-path.js';
import { UsageError } from '../../errors/usage-error.js';
import { writeWholeFile } from './write-whole-file.js';

/** The file of `--data`, which keeps the pets across restarts. */
export interface DataFile {
  /** The content at the start, or `undefined` without a file. */
  readonly snapshot: MockSnapshot | undefined;
  /** Saves after 100 ms, once for all changes in that time. Errors go to `onFailure`. */
  saveSoon(snapshot: () => MockSnapshot, onFailure: (error: unknown) => void): void;
  /** Saves now. */
  save(snapshot: () => MockSnapshot): void;
}

const SAVE_DELAY_MS = 100;

/**
 * Locks a data file, because each mock keeps all pets in memory and would overwrite those of the other.
 *
 * @returns releases the lock. The system releases it too when the process ends.
 * @throws UsageError if another mock uses the file.
 */
export async function lockDataFile(file: string, context: Context): Promise<() => Promise<void>> {
  const given = resolvePath(file, context);
  let path = given;
  try {
    // By folder and name: saving replaces the file, which changes its inode.
    path = existsSync(given) ? realpathSync(given) : join(realpathSync(dirname(given)), basename(given));
  } catch {
    // Without a folder, saving fails and reports why.
    return () => Promise.resolve();
  }
  const { lockByName } = await import('../../../bulk/index.js');
  const { createHash } = process.getBuiltinModule('node:crypto');
  const name = createHash('sha256').update(path).digest('hex').slice(0, 32);
  const lock = await lockByName(`petstore-data-${name}`, `${path}.lock`);
  if (lock === undefined)
    throw new UsageError(`Another mock uses ${file}`, 'Stop that mock, or pass another file with --data.');
  return () => lock.release();
}

/** @throws UsageError if the file is not readable or not a snapshot. */
export function createDataFile(file: string | undefined, context: Context): DataFile {
  if (file === undefined) {
    return { snapshot: undefined, saveSoon: () => undefined, save: () => undefined };
  }
  let cancel: (() => void) | undefined;
  const save = (snapshot: () => MockSnapshot): void => {
    cancel?.();
    cancel = undefined;
    writeWholeFile(file, `${stringifyJson(snapshot())}\n`, context);
  };
  return {
    snapshot: readSnapshotFile(file, context),
    save,
    saveSoon(snapshot, onFailure) {
      cancel ??= context.clock.setTimeout(() => {
        try {
          save(snapshot);
        } catch (error) {
          onFailure(error);
        }
      }, SAVE_DELAY_MS);
    },
  };
}

function readSnapshotFile(file: string, context: Context): MockSnapshot | undefined {
  const text = readText(resolvePath(file, context), file);
  if (text === undefined) return undefined;
  const snapshot = parseJsonInput(text, file);
  try {
    return readSnapshot(snapshot);
  } catch (error) {
    throw new UsageError(
      `${file} is not a data file of the mock: ${error instanceof Error ? error.message : String(error)}`,
      'Fix the file at this place, or move it away to start with new pets.',
      error,
    );
  }
}

/** Returns `undefined` without a file. */
function readText(path: string, file: string): string | undefined {
  try {
    return readRegularFile(path);
  } catch (error) {
    const why = whyUnreadable(error);
    if (why === 'ENOENT') return undefined;
    throw new UsageError(`Can't read ${file} (${why})`, 'Check the path and its permissions.', error);
  }
}
