import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { link, lstat, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { diskProblem } from '../../../bulk/index.js';
import { CommandFailure } from '../../errors/command-failure.js';
import type { Context } from '../../system/context.js';
import { EXIT } from '../../errors/exit-codes.js';
import { notWritable, refuseSpecialFile, resolveOutputPath } from '../../files/output-file.js';
import { UsageError } from '../../errors/usage-error.js';
import { systemErrorCode, systemErrorReason } from '../../../security/system-error.js';

const FORCE_HINT = 'Pass another path with --out, or --force to replace it.';
/** Also for names of stdout, such as /dev/stdout, which are links. */
const SPECIAL_HINT = 'Pass the path of a regular file, or omit --out and redirect stdout.';

/**
 * Writes a file completely, or not at all. A draft next to it gets its name at the end. An existing file is replaced only
 * with `force`, and its mode is kept. A link, directory or device is never replaced.
 *
 * @param make makes the text. Called after the draft is created, so that nothing is requested for a path without access.
 * @throws UsageError if the file exists or can't be written. CommandFailure if writing fails later.
 */
export async function writeWholeFile<Content extends { text: string }>(
  file: string,
  force: boolean,
  context: Context,
  make: () => Promise<Content>,
): Promise<Content> {
  const path = resolveOutputPath(file, context);
  const before = await statusOf(file, path);
  if (before?.isSymbolicLink() === true) throw new UsageError(`${file} is a symbolic link`, SPECIAL_HINT);
  if (before !== undefined) refuseSpecialFile(file, before, SPECIAL_HINT);
  if (before !== undefined && !force) throw new UsageError(`${file} exists`, FORCE_HINT);
  const isNew = before === undefined;
  const draft = join(dirname(path), `.${randomUUID()}.tmp`);
  // Until it has the mode of the file that it replaces, only its owner can read it.
  const handle = await open(draft, 'wx', isNew ? 0o666 : 0o600).catch((error: unknown) => {
    throw diskProblem(error) === undefined ? notWritable(file, error) : writeFailure(file, isNew, error);
  });
  try {
    const content = await make();
    context.signal.throwIfAborted();
    try {
      // `write` could write a part of the text only.
      await handle.writeFile(content.text);
      if (!isNew) await handle.chmod(before.mode & 0o777);
      await handle.sync();
      await handle.close();
      await (isNew ? moveToNewName(draft, path) : rename(draft, path));
    } catch (error) {
      throw writeFailure(file, isNew, error);
    }
    return content;
  } finally {
    await handle.close().catch(() => undefined);
    await rm(draft, { force: true }).catch(() => undefined);
  }
}

/** Does not follow a link. */
async function statusOf(file: string, path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    // With other codes, such as ENAMETOOLONG, a draft could be written, but never moved to its path.
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw notWritable(file, error);
  }
}

/**
 * Gives the draft a name that no file has. A link fails if another process has created the file meanwhile; a rename would
 * replace it.
 */
async function moveToNewName(draft: string, path: string): Promise<void> {
  try {
    await link(draft, path);
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') throw error;
    // Some file systems, such as FAT, have no links: an empty file reserves the name.
    await (await open(path, 'wx')).close();
    await rename(draft, path).catch(async (renameError: unknown) => {
      await rm(path, { force: true });
      throw renameError;
    });
  }
}

function writeFailure(file: string, isNew: boolean, error: unknown): CommandFailure {
  const problem = diskProblem(error);
  const code = systemErrorCode(error);
  const isTaken = isNew && code === 'EEXIST';
  const reason = isTaken ? 'another process has created it' : systemErrorReason(error);
  const message =
    problem === undefined ? `Can't write ${file} (${reason})` : `${problem}: can't write ${file}`;
  const check = problem === undefined ? 'Check' : 'Free some space on';
  return new CommandFailure(`${message}; ${isNew ? 'nothing was written' : 'it is unchanged'}`, {
    type: problem === undefined ? 'output' : 'disk-full',
    exitCode: EXIT.failed,
    hint: isTaken ? FORCE_HINT : `${check} the disk, or pass another path with --out.`,
    cause: error,
  });
}
