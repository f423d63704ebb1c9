import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { type FileHandle, link, lstat, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { diskProblem } from '../../../bulk/index.js';
import { CommandFailure } from '../../errors/command-failure.js';
import type { Context } from '../../system/context.js';
import { EXIT } from '../../errors/exit-codes.js';
import { notWritable, refuseSpecialFile, resolveOutputPath } from '../../files/output-file.js';
import { UsageError } from '../../errors/usage-error.js';
import { systemErrorCode } from '../../errors/system-error-code.js';

/** A file that is written completely, or not at all. */
export interface ExportFile {
  write(text: string): Promise<void>;
  /** Completes the file and gives it its name. */
  commit(): Promise<void>;
  /** Removes the draft. Must be called, also after `commit`. */
  discard(): Promise<void>;
}

/** Text is buffered to this length before a write. */
const CHUNK_LENGTH = 65_536;

const FORCE_HINT = 'Pass another path with --out, or --force to replace it.';
/** Also for names of stdout, such as /dev/stdout, which are links. */
const SPECIAL_HINT = 'Pass the path of a regular file, or omit --out and redirect stdout.';

/**
 * Creates a draft next to the target. `commit` gives it the name of the target, and replaces an existing file only with
 * `force`. The replaced file's mode is kept.
 *
 * @throws UsageError if the file exists or can't be written, before any request. A link, directory or device is never
 * replaced.
 */
export async function createExportFile(file: string, force: boolean, context: Context): Promise<ExportFile> {
  const path = resolveOutputPath(file, context);
  const before = await statusOf(file, path);
  if (before?.isSymbolicLink() === true) throw new UsageError(`${file} is a symbolic link`, SPECIAL_HINT);
  if (before !== undefined) refuseSpecialFile(file, before, SPECIAL_HINT);
  if (before !== undefined && !force) throw new UsageError(`${file} exists`, FORCE_HINT);
  const draft = join(dirname(path), `.${randomUUID()}.tmp`);
  let handle: FileHandle;
  try {
    // Until it has the mode of the file that it replaces, only its owner can read it.
    handle = await open(draft, 'wx', before === undefined ? 0o666 : 0o600);
  } catch (error) {
    if (diskProblem(error) !== undefined) throw writeFailure(file, before === undefined, error);
    throw notWritable(file, error);
  }
  return createWriter(handle, { file, draft, path, mode: before?.mode });
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
  const reason = isTaken ? 'another process has created it' : code;
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

function createWriter(
  handle: FileHandle,
  { file, draft, path, mode }: { file: string; draft: string; path: string; mode: number | undefined },
): ExportFile {
  let pending = '';
  const flush = async (): Promise<void> => {
    const text = pending;
    pending = '';
    // `write` could write a part of the text only.
    if (text !== '') await handle.appendFile(text);
  };
  const withWriteError = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      throw writeFailure(file, mode === undefined, error);
    }
  };
  return {
    write(text) {
      pending += text;
      return pending.length < CHUNK_LENGTH ? Promise.resolve() : withWriteError(flush);
    },
    commit: () =>
      withWriteError(async () => {
        await flush();
        if (mode !== undefined) await handle.chmod(mode & 0o777);
        await handle.sync();
        await handle.close();
        await (mode === undefined ? moveToNewName(draft, path) : rename(draft, path));
      }),
    async discard() {
      await handle.close().catch(() => undefined);
      await rm(draft, { force: true }).catch(() => undefined);
    },
  };
}
