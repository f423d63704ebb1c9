import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { type FileHandle, lstat, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { diskProblem } from '../../../bulk/index.js';
import { CommandFailure } from '../../errors/command-failure.js';
import type { Context } from '../../system/context.js';
import { EXIT } from '../../errors/exit-codes.js';
import { refuseForeignLink } from '../../files/ownership.js';
import { notWritable, refuseSpecialFile, resolveOutputPath } from '../../files/output-file.js';
import { UsageError } from '../../errors/usage-error.js';
import { systemErrorCode } from '../../errors/system-error-code.js';

/** A file that is written completely, or not at all. */
export interface ExportFile {
  write(text: string): Promise<void>;
  /** Completes the file and moves it to its path. */
  commit(): Promise<void>;
  /** Removes the draft. Does nothing after `commit`. */
  discard(): Promise<void>;
}

/** Text is buffered to this length before a write. */
const CHUNK_LENGTH = 65_536;

/**
 * Creates a draft next to the target. `commit` replaces an existing file, and keeps its mode. Follows a link, but not
 * one of another user.
 *
 * @throws UsageError if the file can't be written, before any request.
 */
export async function createExportFile(file: string, context: Context): Promise<ExportFile> {
  const named = resolveOutputPath(file, context);
  refuseForeignLink(named, file, context);
  const before = await statusOf(file, named);
  if (before === undefined) await rejectBrokenLink(file, named);
  else rejectSpecialFile(file, named, before);
  const path = before === undefined ? named : await realpath(named);
  const draft = join(dirname(path), `.${randomUUID()}.tmp`);
  let handle: FileHandle;
  try {
    handle = await open(draft, 'wx', 0o666);
  } catch (error) {
    if (diskProblem(error) !== undefined) throw writeFailure(file, before === undefined, error);
    throw notWritable(file, error);
  }
  return createWriter(handle, { file, draft, path, mode: before?.mode });
}

async function statusOf(file: string, path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    // With other codes, such as ENAMETOOLONG, a draft could be written, but never moved to its path.
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw notWritable(file, error);
  }
}

/** Replacing a broken link would lose its target. */
async function rejectBrokenLink(file: string, path: string): Promise<void> {
  const link = await lstat(path).catch(() => undefined);
  if (link?.isSymbolicLink() === true)
    throw new UsageError(`${file} is a broken symbolic link`, 'Pass the path of the file itself.');
}

/** An open file of the process, such as stdout. Other files below /dev are plain ones: /dev/shm is a disk in memory. */
const DESCRIPTOR = /^\/dev\/(fd\/|std(in|out|err)$)|^\/proc\//;

/** A regular file must not replace a device, a pipe or stdout. */
function rejectSpecialFile(file: string, path: string, before: Stats): void {
  const hint = 'Pass a regular file, or omit --out and redirect stdout.';
  refuseSpecialFile(file, before, hint);
  if (DESCRIPTOR.test(path)) throw new UsageError(`${file} is not a regular file`, hint);
}

function writeFailure(file: string, isNew: boolean, error: unknown): CommandFailure {
  const problem = diskProblem(error);
  const message =
    problem === undefined
      ? `Can't write ${file} (${systemErrorCode(error)})`
      : `${problem}: can't write ${file}`;
  return new CommandFailure(`${message}; ${isNew ? 'nothing was written' : 'it is unchanged'}`, {
    type: problem === undefined ? 'output' : 'disk-full',
    exitCode: EXIT.failed,
    hint: `${problem === undefined ? 'Check' : 'Free some space on'} the disk, or pass another path with --out.`,
    cause: error,
  });
}

function createWriter(
  handle: FileHandle,
  { file, draft, path, mode }: { file: string; draft: string; path: string; mode: number | undefined },
): ExportFile {
  let pending = '';
  let open = true;
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
        await rename(draft, path);
        open = false;
      }),
    async discard() {
      if (!open) return;
      open = false;
      await handle.close().catch(() => undefined);
      await rm(draft, { force: true }).catch(() => undefined);
    },
  };
}
