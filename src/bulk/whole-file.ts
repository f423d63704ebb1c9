import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { link, lstat, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemErrorCode, systemErrorReason } from '../security/system-error.js';
import { diskProblem } from './job/bulk-error.js';

/** A file can't be written. The message names it. */
export class OutputFileError extends Error {
  override readonly name = 'OutputFileError';
  /** `special`: a link, a directory or a device. `taken`: another process has created the file meanwhile. */
  readonly kind: 'special' | 'exists' | 'unwritable' | 'taken' | 'failed' | 'disk-full';

  constructor(kind: OutputFileError['kind'], message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

/** Where and how to write a file. */
interface OutputFile {
  path: string;
  /** For messages. */
  name: string;
  /** Whether to replace an existing file. */
  force: boolean;
  signal: AbortSignal | undefined;
}

/**
 * Writes a file completely, or not at all. A draft next to it gets its name at the end. An existing file is replaced only
 * with `force`, and its mode is kept. A link, directory or device is never replaced.
 *
 * @param make makes the text. Called after the draft is created, so that nothing is requested for a path without access.
 * @throws OutputFileError; the signal's reason; the error of `make`.
 */
export async function writeWholeFile<Content extends { text: string }>(
  { path, name, force, signal }: OutputFile,
  make: () => Promise<Content>,
): Promise<Content> {
  const before = await statusOf(name, path);
  if (before?.isFile() === false) throw new OutputFileError('special', `${name} is ${kindOf(before)}`);
  if (before !== undefined && !force) throw new OutputFileError('exists', `${name} exists`);
  const isNew = before === undefined;
  const draft = join(dirname(path), `.${randomUUID()}.tmp`);
  // Until it has the mode of the file that it replaces, only its owner can read it.
  const handle = await open(draft, 'wx', isNew ? 0o666 : 0o600).catch((error: unknown) => {
    throw diskProblem(error) === undefined ? notWritable(name, error) : writeFailure(name, isNew, error);
  });
  try {
    const content = await make();
    signal?.throwIfAborted();
    try {
      // `write` could write a part of the text only.
      await handle.writeFile(content.text);
      if (!isNew) await handle.chmod(before.mode & 0o777);
      await handle.sync();
      await handle.close();
      await (isNew ? moveToNewName(draft, path) : rename(draft, path));
    } catch (error) {
      throw writeFailure(name, isNew, error);
    }
    return content;
  } finally {
    await handle.close().catch(() => undefined);
    await rm(draft, { force: true }).catch(() => undefined);
  }
}

/** Does not follow a link. */
async function statusOf(name: string, path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    // With other codes, such as ENAMETOOLONG, a draft could be written, but never moved to its path.
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw notWritable(name, error);
  }
}

function kindOf(stats: Stats): string {
  if (stats.isSymbolicLink()) return 'a symbolic link';
  return stats.isDirectory() ? 'a directory' : 'not a regular file';
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

function notWritable(name: string, error: unknown): OutputFileError {
  return new OutputFileError('unwritable', `Can't write ${name} (${systemErrorReason(error)})`, error);
}

function writeFailure(name: string, isNew: boolean, error: unknown): OutputFileError {
  const state = isNew ? 'nothing was written' : 'it is unchanged';
  const problem = diskProblem(error);
  if (problem !== undefined)
    return new OutputFileError('disk-full', `${problem}: can't write ${name}; ${state}`, error);
  const isTaken = isNew && systemErrorCode(error) === 'EEXIST';
  const reason = isTaken ? 'another process has created it' : systemErrorReason(error);
  return new OutputFileError(
    isTaken ? 'taken' : 'failed',
    `Can't write ${name} (${reason}); ${state}`,
    error,
  );
}
