import { lstatSync, type Stats } from 'node:fs';
import { basename, dirname } from 'node:path';
import { type FileLock, lockFile } from '../../../security/file-lock.js';
import { LockLostError } from '../../../security/locked-file.js';
import type { LockedFiles } from '../../../security/locked-files.js';
import { makePrivateFolder } from '../../../security/private-folder.js';
import { type ConfigFile, readConfigFile } from './config-files.js';
import type { Context } from '../../system/context.js';
import { refuseUnsafeFolder } from '../../system/files/ownership.js';
import { configDirectory } from '../../system/files/paths.js';
import { readRegularFile } from '../../system/files/safe-file.js';
import { CommandFailure } from '../../errors/command-failure.js';
import { EXIT } from '../../errors/exit-codes.js';
import { UsageError } from '../../errors/usage-error.js';
import { systemErrorReason } from '../../../security/system-error.js';
import { hasNoHome } from '../../system/process-directories.js';

/** The content of `config.json`, to be changed in place. */
export interface ConfigDraft {
  profile?: string;
  profiles?: Record<string, ProfileDraft>;
  trustedUrls?: readonly string[];
}

/** A profile of a {@link ConfigDraft}. */
export interface ProfileDraft {
  trustedUrls?: readonly string[];
  [setting: string]: unknown;
}

type EditorContext = Pick<Context, 'env' | 'homeDirectory' | 'platform' | 'clock' | 'userId'>;

/** The configuration, and the keys, while this process has their lock. */
export interface ConfigLock {
  readonly draft: ConfigDraft;
  /** Changes files while the lock is held. */
  readonly files: LockedFiles;
  readonly context: Pick<Context, 'userId'>;
  /** Writes the draft, completely or not at all. @throws UsageError if it can't be written; LockLostError. */
  write(): void;
}

/**
 * Locks `config.json`, and the keys of its profiles.
 *
 * @param work changes the draft, and writes it.
 * @returns the result of `work`.
 * @throws UsageError if the file is invalid, is a symbolic link, or can't be written.
 */
export async function withConfigLock<T>(
  context: EditorContext,
  work: (config: ConfigLock) => T | Promise<T>,
): Promise<T> {
  const { path } = readEditable(context);
  // Before the lock: loading takes 24 ms, in which other processes would wait.
  const conf = await import('conf');
  const lock = await acquireLock(path, context);
  try {
    // Read again: another process may have changed the file before the lock was acquired.
    readEditable(context);
    const draft = readDraft(path);
    return await work({
      draft,
      files: lock.files,
      context,
      write() {
        write(conf.default, path, draft, lock.files);
      },
    });
  } catch (error) {
    // A process of a container that was suspended for long has lost the lock, and would overwrite newer changes.
    throw error instanceof LockLostError ? lockLost(path, error) : error;
  } finally {
    lock.release();
  }
}

/**
 * Changes `config.json` under its lock.
 *
 * @param edit changes the draft. If it throws, the file stays as it was.
 * @returns the result of `edit`.
 * @throws UsageError as `withConfigLock`.
 */
export function editConfig<T>(
  context: EditorContext,
  edit: (draft: ConfigDraft) => T | Promise<T>,
): Promise<T> {
  return withConfigLock(context, async (config) => {
    const result = await edit(config.draft);
    config.write();
    return result;
  });
}

/** Fails as `editConfig` would. For use before the first prompt. */
export async function checkEditable(context: EditorContext): Promise<void> {
  const { path } = readEditable(context);
  (await acquireLock(path, context)).release();
}

/** The profile of this name, if it exists. */
export function profileIn(
  { profiles = {} }: ConfigDraft,
  name: string | undefined,
): ProfileDraft | undefined {
  return name !== undefined && Object.hasOwn(profiles, name) ? profiles[name] : undefined;
}

/** Adds an origin that may receive keys, to a profile or to the whole configuration. */
export function addTrustedUrl(target: Pick<ConfigDraft, 'trustedUrls'>, origin: string): void {
  target.trustedUrls = [...new Set([...(target.trustedUrls ?? []), origin])];
}

function readEditable(context: EditorContext): ConfigFile {
  refuseUnsafeFolder(configDirectory(context), context);
  const config = readConfigFile(context);
  // conf would write to the file that the link points to.
  if (statusOf(config.path)?.isSymbolicLink() !== true) return config;
  throw new UsageError(
    `${config.path} is a symbolic link`,
    'Edit the file that it points to, or replace the link with that file.',
  );
}

function readDraft(path: string): ConfigDraft {
  if (statusOf(path) === undefined) return {};
  // The caller has just validated it.
  return JSON.parse(readRegularFile(path)) as ConfigDraft;
}

type ConfClass = typeof import('conf').default;

/** Writes to a draft first: on a full disk, conf can write a part of the text without an error. */
function write(Conf: ConfClass, path: string, draft: ConfigDraft, files: LockedFiles): void {
  const mode = statusOf(path)?.mode;
  const serialize = (content: object): string => `${JSON.stringify(content, undefined, 2)}\n`;
  try {
    const next = files.draftPath('config.json');
    const conf = new Conf<Record<string, unknown>>({
      cwd: dirname(next),
      configName: basename(next, '.json'),
      configFileMode: mode === undefined ? 0o600 : mode & 0o777,
      accessPropertiesByDotNotation: false,
      serialize,
    });
    conf.store = { ...draft };
    if (readRegularFile(next) !== serialize(draft))
      throw Object.assign(new Error('Only a part was written'), { code: 'ENOSPC' });
    files.publish(next, path);
  } catch (error) {
    if (error instanceof LockLostError) throw error;
    throw notWritable(path, error);
  }
}

/** Does not follow links. */
function statusOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** An edit takes milliseconds, or up to 60 s if the keychain prompts. */
const LOCK_WAIT_MS = 75_000;

/** conf has no lock, and loses one of two concurrent writes. */
async function acquireLock(path: string, context: EditorContext): Promise<FileLock> {
  let lock: FileLock | undefined;
  try {
    makePrivateFolder(configDirectory(context), context.userId);
    lock = await lockFile(path, { clock: context.clock, waitMs: LOCK_WAIT_MS });
  } catch (error) {
    throw notWritable(path, error);
  }
  if (lock !== undefined) return lock;
  throw lockedError(path);
}

/** The error of a process that was suspended for so long that another one took over the lock. */
function lockLost(path: string, cause: LockLostError): CommandFailure {
  return new CommandFailure(`Another petstore process changed ${path}. Nothing was changed`, {
    type: 'lock-lost',
    exitCode: EXIT.failed,
    hint: 'Run the command again.',
    cause,
  });
}

/** The error while another process has the lock of the configuration. */
export function lockedError(path: string): UsageError {
  return new UsageError(
    `Another petstore process is changing ${path}`,
    `Answer the keychain prompt of the other process, or wait. If none is running, remove ${path}.lock.`,
  );
}

function notWritable(path: string, error: unknown): UsageError {
  if (hasNoHome(path)) {
    return new UsageError(
      'No home directory found for the configuration',
      'Set HOME to an existing directory, or set PETSTORE_CONFIG_DIR.',
      error,
    );
  }
  return new UsageError(
    `${path} can't be written (${systemErrorReason(error)})`,
    'Check the directory and its owner, or set PETSTORE_CONFIG_DIR to another directory.',
    error,
  );
}
