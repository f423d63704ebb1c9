import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readConfigFile } from './config-files.js';
import type { Context } from '../system/context.js';
import { configDirectory } from '../files/paths.js';
import { writePrivateFile } from '../files/private-file.js';
import { readRegularFile } from '../files/regular-file.js';
import { UsageError } from '../errors/usage-error.js';
import { systemErrorCode } from '../errors/why-failed.js';

/** The content of `config.json` as it stands, to be changed in place. */
export interface ConfigDraft {
  profile?: string;
  profiles?: Record<string, DraftProfile>;
  trustedUrls?: readonly string[];
}

/** A profile of it, known or not what all of it means. */
export interface DraftProfile {
  trustedUrls?: readonly string[];
  [setting: string]: unknown;
}

type Place = Pick<Context, 'env' | 'homeDirectory' | 'platform' | 'clock' | 'userId'>;

/** A change takes a millisecond, or what the keychain takes for a key: whoever holds the lock so long was killed. */
const STALE_MS = 10_000;
const LOOK_AGAIN_MS = 20;
const LOOKS_MAX = 1_000;

/**
 * Changes `config.json`, whole or not at all, one process at a time. A file that is wrong is never written over.
 *
 * @param edit changes the draft; what it throws leaves the file as it was.
 * @returns what `edit` does.
 * @throws UsageError where the file is wrong, or can't be written.
 */
export async function editConfig<T>(
  context: Place,
  edit: (draft: ConfigDraft) => T | Promise<T>,
): Promise<T> {
  const { path } = readConfigFile(context);
  const held = await lock(path, context);
  try {
    // Read anew: it may have been changed while another one held the lock.
    readConfigFile(context);
    const draft = readDraft(path);
    const outcome = await edit(draft);
    // Whoever slept long enough, as a laptop does, has lost the lock, and would undo what others did.
    if (!held.isHeld()) throw new UsageError(`another petstore has changed ${path} meanwhile`, 'try again');
    write(path, `${JSON.stringify(draft, undefined, 2)}\n`);
    return outcome;
  } finally {
    held.unlock();
  }
}

/**
 * Makes sure that it can be changed, for whoever has much to do before.
 *
 * @throws UsageError as `editConfig` does.
 */
export async function checkEditable(context: Place): Promise<void> {
  const { unlock } = await lock(readConfigFile(context).path, context);
  unlock();
}

/** The profile of this name, where there is one. */
export function profileIn(
  { profiles = {} }: ConfigDraft,
  name: string | undefined,
): DraftProfile | undefined {
  return name !== undefined && Object.hasOwn(profiles, name) ? profiles[name] : undefined;
}

/**
 * Adds an address that keys may go to, on top of those that there are.
 *
 * @param holder the draft, or a profile of it.
 */
export function addTrustedUrl(holder: Pick<ConfigDraft, 'trustedUrls'>, origin: string): void {
  holder.trustedUrls = [...new Set([...(holder.trustedUrls ?? []), origin])];
}

function readDraft(path: string): ConfigDraft {
  try {
    // Its shape has just been checked.
    return JSON.parse(readRegularFile(path)) as ConfigDraft;
  } catch {
    return {};
  }
}

function write(path: string, text: string): void {
  try {
    writePrivateFile(path, text);
  } catch (error) {
    throw unwritable(path, error);
  }
}

interface Held {
  isHeld: () => boolean;
  unlock: () => void;
}

async function lock(path: string, context: Place): Promise<Held> {
  const file = `${path}.lock`;
  const token = randomUUID();
  try {
    mkdirSync(configDirectory(context), { recursive: true, mode: 0o700 });
    for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
      if (tryLock(file, token)) {
        const isHeld = (): boolean => holderOf(file) === token;
        return {
          isHeld,
          unlock() {
            if (isHeld()) rmSync(file, { force: true });
          },
        };
      }
      breakStale(file, context.clock.now());
      await new Promise<void>((resolve) => context.clock.setTimeout(resolve, LOOK_AGAIN_MS));
    }
  } catch (error) {
    throw unwritable(path, error);
  }
  throw new UsageError(`another petstore is changing ${path}`, `if none is running, remove ${file}`);
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

/** Takes it away under another name first, and gives it back where another one has locked anew in the meantime. */
function breakStale(file: string, now: number): void {
  const found = statSync(file, { throwIfNoEntry: false });
  const holder = holderOf(file);
  if (found === undefined || now - found.mtimeMs < STALE_MS) return;
  const aside = `${file}.${randomUUID()}`;
  try {
    renameSync(file, aside);
    if (holderOf(aside) !== holder) linkSync(aside, file);
  } catch {
    // Another one was first.
  }
  rmSync(aside, { force: true });
}

function holderOf(file: string): string | undefined {
  try {
    return readRegularFile(file);
  } catch {
    return undefined;
  }
}

function unwritable(path: string, error: unknown): UsageError {
  return new UsageError(
    `${path} can't be written (${systemErrorCode(error)})`,
    'check the directory and its owner; PETSTORE_CONFIG_DIR names another one',
    error,
  );
}
