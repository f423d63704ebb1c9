import { OutputFileError, writeWholeFile } from '../../../bulk/internal.js';
import { CommandFailure } from '../../errors/command-failure.js';
import type { Context } from '../../system/context.js';
import { EXIT } from '../../errors/exit-codes.js';
import { resolveOutputPath } from '../../system/files/output-file.js';
import { UsageError } from '../../errors/usage-error.js';

const FORCE_HINT = 'Pass another path with --out, or --force to replace it.';
const HINTS: Readonly<Record<OutputFileError['kind'], string>> = {
  // Also for names of stdout, such as /dev/stdout, which are links.
  special: 'Pass the path of a regular file, or omit --out and redirect stdout.',
  exists: FORCE_HINT,
  taken: FORCE_HINT,
  unwritable: 'Check the path, and the permissions of its folder.',
  failed: 'Check the disk, or pass another path with --out.',
  'disk-full': 'Free some space on the disk, or pass another path with --out.',
};

/**
 * Writes a file completely, or not at all.
 *
 * @param make makes the text. Called after the path is checked.
 * @throws UsageError if the file exists or can't be written. CommandFailure if writing fails later.
 */
export async function writeExportFile<Content extends { text: string }>(
  file: string,
  force: boolean,
  context: Context,
  make: () => Promise<Content>,
): Promise<Content> {
  const path = resolveOutputPath(file, context);
  try {
    return await writeWholeFile({ path, name: file, force, signal: context.signal }, make);
  } catch (error) {
    if (!(error instanceof OutputFileError)) throw error;
    const { kind, message, cause } = error;
    if (kind === 'special' || kind === 'exists' || kind === 'unwritable')
      throw new UsageError(message, HINTS[kind], cause);
    throw new CommandFailure(message, {
      type: kind === 'disk-full' ? 'disk-full' : 'output',
      exitCode: EXIT.failed,
      hint: HINTS[kind],
      cause,
    });
  }
}
