import { randomUUID } from 'node:crypto';
import { linkSync, lstatSync, renameSync, rmSync, type Stats, statSync, writeFileSync } from 'node:fs';
import { makePrivateFolder } from '../../security/private-folder.js';
import { type ConfigFile, explainConfigError, readConfigFile } from './config-files.js';
import type { Context } from '../system/context.js';
import { configDirectory } from '../files/paths.js';
import { readRegularFile } from '../files/regular-file.js';
import { UsageError } from '../errors/usage-error.js';
import { systemErrorCode } from '../errors/system-error-code.js';
import { hasNoHome } from '../system/process-directories.js';

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

/**
 * Changes `config.json` under a lock, completely or not at all.
 *
 * @param edit changes the draft. If it throws, the file stays as it was.
 * @returns the result of `edit`.
 * @throws UsageError if the file is invalid, is a symbolic link, or can't be written.
 */
export async function editConfig<T>(
  context: EditorContext,
  edit: (draft: ConfigDraft) => T | Promise<T>,
): Promise<T> {
  const { path } = await readEditable(context);
  const lock = await acquireLock(path, context);
  try {
    // Read again: another process may have changed the file before the lock was acquired.
    await readEditable(context);
    const draft = readDraft(path);
    const result = await edit(draft);
    // A process that was suspended for long has lost the lock, and would overwrite newer changes.
    if (!lock.isHeld()) throw new UsageError(`Another petstore process changed ${path}`, 'Try again.');
    await write(path, draft, context);
    return result;
  } finally {
    lock.release();
  }
}

/** Fails as `editConfig` would. For use before the first prompt. */
export async function checkEditable(context: EditorContext): Promise<void> {
  const { path } = await readEditable(context);
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

async function readEditable(context: EditorContext): Promise<ConfigFile> {
  let config: ConfigFile;
  try {
    config = readConfigFile(context);
  } catch (error) {
    throw await explainConfigError(error);
  }
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

async function write(path: string, draft: ConfigDraft, context: EditorContext): Promise<void> {
  // Loading conf takes 24 ms.
  const { default: Conf } = await import('conf');
  const mode = statusOf(path)?.mode;
  try {
    const conf = new Conf<Record<string, unknown>>({
      cwd: configDirectory(context),
      configName: 'config',
      configFileMode: mode === undefined ? 0o600 : mode & 0o777,
      accessPropertiesByDotNotation: false,
      serialize: (content) => `${JSON.stringify(content, undefined, 2)}\n`,
    });
    conf.store = { ...draft };
  } catch (error) {
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

interface Lock {
  isHeld: () => boolean;
  release: () => void;
}

/** An edit takes milliseconds, or up to 3 s if the keychain responds slowly. A killed process left an older lock. */
const STALE_LOCK_MS = 10_000;
const LOCK_POLL_MS = 20;
const LOCK_ATTEMPTS_MAX = 1_000;

/** conf has no lock, and loses one of two concurrent writes. */
async function acquireLock(path: string, context: EditorContext): Promise<Lock> {
  const file = `${path}.lock`;
  const token = randomUUID();
  try {
    makePrivateFolder(configDirectory(context));
    for (let attempt = 0; attempt < LOCK_ATTEMPTS_MAX; attempt += 1) {
      if (tryLock(file, token)) {
        const isHeld = (): boolean => tokenIn(file) === token;
        return {
          isHeld,
          release() {
            if (isHeld()) rmSync(file, { force: true });
          },
        };
      }
      breakStaleLock(file, context.clock.now());
      await new Promise<void>((resolve) => context.clock.setTimeout(resolve, LOCK_POLL_MS));
    }
  } catch (error) {
    throw notWritable(path, error);
  }
  throw new UsageError(
    `Another petstore process is changing ${path}`,
    `If no other petstore is running, remove ${file}.`,
  );
}

function tryLock(file: string, token: string): boolean {
  try {
    writeFileSync(file, token, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Renames the lock before removing it, and restores it if another process has locked in the meantime. */
function breakStaleLock(file: string, now: number): void {
  const found = statSync(file, { throwIfNoEntry: false });
  const token = tokenIn(file);
  if (found === undefined || now - found.mtimeMs < STALE_LOCK_MS) return;
  const renamed = `${file}.${randomUUID()}`;
  try {
    renameSync(file, renamed);
    if (tokenIn(renamed) !== token) linkSync(renamed, file);
  } catch {
    // Another process has broken the lock first.
  }
  rmSync(renamed, { force: true });
}

function tokenIn(file: string): string | undefined {
  try {
    return readRegularFile(file);
  } catch {
    return undefined;
  }
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
    `${path} can't be written (${systemErrorCode(error)})`,
    'Check the directory and its owner, or set PETSTORE_CONFIG_DIR to another directory.',
    error,
  );
}
