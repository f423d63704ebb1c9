import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { type FileHandle, lstat, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CommandFailure } from '../../errors/command-failure.js';
import type { Context } from '../../system/context.js';
import { EXIT } from '../../errors/exit-codes.js';
import { refuseForeignLink } from '../../files/ownership.js';
import { resolvePath } from '../../files/resolve-path.js';
import { UsageError } from '../../errors/usage-error.js';
import { systemErrorCode } from '../../errors/why-failed.js';

/** A file that appears whole, or not at all. */
export interface ExportFile {
  write(text: string): Promise<void>;
  /** Puts it in its place. */
  commit(): Promise<void>;
  /** Leaves everything as it was. Does nothing after `commit`. */
  discard(): Promise<void>;
}

/** Pieces are put together to about so many characters before they are written. */
const CHUNK_LENGTH = 65_536;

/**
 * Begins a file beside its place, which is behind a link where one is named. What is there already stays until `commit`
 * replaces it. A link of another user is not followed. The new file gets the mode of the one it replaces, else what the umask allows.
 *
 * @throws UsageError where nothing can be written there, before anything is sent.
 */
export async function beginExportFile(file: string, context: Context): Promise<ExportFile> {
  const named = resolvePath(file, context);
  refuseForeignLink(named, file, context);
  const before = await stat(named).catch(() => undefined);
  if (before === undefined) await refuseLost(file, named);
  else refuseSpecial(file, named, before);
  const path = before === undefined ? named : await realpath(named);
  const draft = join(dirname(path), `.${randomUUID()}.tmp`);
  let handle: FileHandle;
  try {
    handle = await open(draft, 'wx', 0o666);
  } catch (error) {
    throw new UsageError(
      `${file} can't be written (${systemErrorCode(error)})`,
      'check the path and its permissions',
      error,
    );
  }
  return writerOver(handle, { file, draft, path, mode: before?.mode });
}

/** What a link that leads nowhere is for nobody knows, and to replace it would lose that. */
async function refuseLost(file: string, path: string): Promise<void> {
  const link = await lstat(path).catch(() => undefined);
  if (link?.isSymbolicLink() === true)
    throw new UsageError(`${file} is a link that leads nowhere`, 'name the file itself');
}

/** A device or a pipe would be replaced by a plain file, which nobody wants; nor is a name for stdout one of a file. */
function refuseSpecial(file: string, path: string, before: Stats): void {
  if (before.isFile() && !/^\/(dev|proc)\//.test(path)) return;
  const kind = before.isDirectory() ? 'a directory' : 'no plain file';
  throw new UsageError(`${file} is ${kind}`, 'name a file, or leave --out away and redirect stdout');
}

function writerOver(
  handle: FileHandle,
  { file, draft, path, mode }: { file: string; draft: string; path: string; mode: number | undefined },
): ExportFile {
  let pending = '';
  let open = true;
  const flush = async (): Promise<void> => {
    const text = pending;
    pending = '';
    // Not `write`, which may take less than it is given.
    if (text !== '') await handle.appendFile(text);
  };
  const orExplain = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      throw new CommandFailure(`${file} can't be written (${systemErrorCode(error)}); it is left as it was`, {
        type: 'output',
        exitCode: EXIT.failed,
        hint: 'make room, or name another place with --out',
        cause: error,
      });
    }
  };
  return {
    write(text) {
      pending += text;
      return pending.length < CHUNK_LENGTH ? Promise.resolve() : orExplain(flush);
    },
    commit: () =>
      orExplain(async () => {
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
