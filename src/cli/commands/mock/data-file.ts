import { type MockSnapshot, readSnapshot } from '../../../mock/index.js';
import { stringifyJson } from '../../../schema/json.js';
import type { Context } from '../../system/context.js';
import { parseJsonInput } from '../../files/input-file.js';
import { readRegularFile, whyUnreadable } from '../../files/regular-file.js';
import { resolvePath } from '../../files/resolve-path.js';
import { UsageError } from '../../errors/usage-error.js';
import { writeWhole } from './whole-file.js';

/** The file that keeps a mock's animals across restarts. */
export interface DataFile {
  /** What it held at the start; `undefined` where there was no file. */
  readonly snapshot: MockSnapshot | undefined;
  /** Saves in a moment, once for a burst of changes. What goes wrong then is handed over, since nobody waits. */
  saveSoon(snapshot: () => MockSnapshot, onFailure: (error: unknown) => void): void;
  /** Saves now. */
  save(snapshot: () => MockSnapshot): void;
}

const SAVE_DELAY_MS = 100;

/** @throws UsageError where the file is there and is not a mock's. */
export function createDataFile(file: string | undefined, context: Context): DataFile {
  if (file === undefined) {
    return { snapshot: undefined, saveSoon: () => undefined, save: () => undefined };
  }
  let cancel: (() => void) | undefined;
  const save = (snapshot: () => MockSnapshot): void => {
    cancel?.();
    cancel = undefined;
    writeWhole(file, `${stringifyJson(snapshot())}\n`, context);
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
      `${file} is not what a mock saved: ${error instanceof Error ? error.message : String(error)}`,
      'name another file with --data, or move this one away',
      error,
    );
  }
}

/** `undefined` where there is no file. */
function readText(path: string, file: string): string | undefined {
  try {
    return readRegularFile(path);
  } catch (error) {
    const why = whyUnreadable(error);
    if (why === 'ENOENT') return undefined;
    throw new UsageError(`${file} can't be read (${why})`, 'check the path and its permissions', error);
  }
}
