import { realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import type { MockDataError, MockState } from '../../../mock/index.js';
import { readPlainBytes } from '../../../security/plain-file.js';
import { UsageError } from '../../errors/usage-error.js';
import type { Context } from '../../system/context.js';
import { parseJsonInput } from '../../system/files/input-file.js';
import { resolvePath } from '../../system/files/resolve-path.js';
import { readLongText } from './data-file.js';

const REPAIR_HINT =
  'Fix the file at this place, or record it again with: petstore mock --record FILE --upstream URL';

/**
 * Reads a HAR recording, with the bodies that Playwright writes to files in the folder of the recording.
 *
 * @throws UsageError if the file is not readable or not JSON.
 */
export function readReplayFile(file: string, context: Context): unknown {
  const path = resolvePath(file, context);
  const text = readLongText(file, path);
  if (text.startsWith('PK\x03\x04')) {
    throw new UsageError(
      `${file} is a zip archive, not a HAR file`,
      'Unpack it into a folder, and pass the HAR file there.',
    );
  }
  const har = parseJsonInput(text, file, REPAIR_HINT);
  const entries = fieldOf(fieldOf(har, 'log'), 'entries');
  if (!Array.isArray(entries)) return har;
  const folder = dirname(realpathSync(path));
  for (const entry of entries) {
    readBody(folder, fieldOf(fieldOf(entry, 'response'), 'content'));
    readBody(folder, fieldOf(fieldOf(entry, 'request'), 'postData'));
  }
  return har;
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

/** Reads a body from the folder of the recording. If it is not there, the mock counts the entry as left out. */
function readBody(folder: string, content: unknown): void {
  const name = fieldOf(content, '_file');
  if (typeof name !== 'string') return;
  let bytes: Buffer;
  try {
    const path = realpathSync(join(folder, name));
    // The recording may come from outside, and its responses can be read by other programs.
    if (!path.startsWith(folder + sep)) return;
    bytes = readPlainBytes(path);
  } catch {
    return;
  }
  Object.assign(content as object, { text: bytes.toString('base64'), encoding: 'base64' });
}

export function notARecording(file: string, error: MockDataError): UsageError {
  return new UsageError(`${file} is not a HAR recording: ${error.problem}`, REPAIR_HINT, error);
}

/** Returns a note about the entries that can't be replayed, or `undefined` if all can be. */
export function leftOutNote(file: string, { replay }: MockState): string | undefined {
  if (replay === undefined || replay.leftOut.length === 0) return undefined;
  const reasons = replay.leftOut.map(({ reason, count }) => `${reason}: ${String(count)}`).join(', ');
  const total = replay.leftOut.reduce((sum, { count }) => sum + count, 0);
  return `${String(total)} of ${String(replay.entries)} entries in ${file} can't be replayed (${reasons}). Requests for them get 501.`;
}
