import type { MockDataError } from '../../../mock/index.js';
import { UsageError } from '../../errors/usage-error.js';
import { parseJsonInput } from '../../files/input-file.js';
import { readRegularFile, describeFileError } from '../../files/regular-file.js';
import { resolvePath } from '../../files/resolve-path.js';
import type { Context } from '../../system/context.js';

/**
 * Reads the JSON of `--replay`. The mock checks its content.
 *
 * @throws UsageError if the file is not readable or not JSON.
 */
export function readReplayFile(file: string, context: Context): unknown {
  let text: string;
  try {
    text = readRegularFile(resolvePath(file, context));
  } catch (error) {
    throw new UsageError(
      `Can't read ${file} (${describeFileError(error)})`,
      'Check the path and its permissions.',
      error,
    );
  }
  return parseJsonInput(text, file);
}

export function notARecording(file: string, error: MockDataError): UsageError {
  return new UsageError(
    `${file} is not a HAR recording: ${error.problem}`,
    'Fix the file at this place, or record it again with: petstore mock --record FILE --upstream URL.',
    error,
  );
}
