import { AuthenticationError } from '../../../errors.js';
import { toggle, type ValuesOf } from '../../command-line/flag.js';
import type { Session } from '../../session/session.js';
import { defineCommand, outputFields } from '../../session/command.js';
import { readAuthorities } from '../../settings/network/authorities.js';
import { CommandFailure } from '../../errors/command-failure.js';
import { checkEditable, profileIn, withConfigLock } from '../../settings/config/config-editor.js';
import { variable } from '../../system/context.js';
import { EXIT } from '../../errors/exit-codes.js';
import type { Column } from '../../output/index.js';
import { proxyFor } from '../../settings/network/proxy.js';
import { plainTextWarning } from '../../settings/credentials/key-file.js';
import type { KeyPlace } from '../../settings/credentials/key-place.js';
import { storedKeys } from '../../settings/credentials/stored-keys.js';
import { UsageError } from '../../errors/usage-error.js';
import {
  chooseStorage,
  type KeyStorage,
  chooseLoginProfile,
  chooseLoginUrl,
  confirmReplacement,
  type LoginProfile,
  readKey,
} from './login-input.js';
import { warnIfProfileOverridden, warnOfUnusedKeys } from './selected-profile.js';

const FLAGS = {
  withKey: toggle('--with-key', 'Read the key from stdin'),
  insecureStorage: toggle('--insecure-storage', 'Store the key in a file, not in the keychain'),
};

const COLUMNS: readonly Column[] = [
  { field: 'profile', header: 'profile', fixed: true },
  { field: 'baseUrl', header: 'base URL' },
  { field: 'keyIn', header: 'key stored in' },
];

export const login = defineCommand({
  word: 'login',
  summary: 'Check a key with the service and store it',
  description:
    'Check an API key with the service, then store it with its base URL (--base-url) in a profile (--profile).',
  flags: FLAGS,
  fields: outputFields(COLUMNS),
  examples: [
    'petstore auth login --base-url https://HOST/v1',
    'petstore auth login --profile staging --base-url https://HOST/v1 --with-key',
    'petstore auth login --with-key --insecure-storage',
  ],
  notes: `Where the key is stored:
- In the keychain of the system.
- If the system has no keychain: in a file that only its owner can read.
- If the keychain is locked: login waits for you, at most 60 s. Then it asks.
- With --insecure-storage: always in the file.

To log in from a script, pipe the key in:
  pass show petstore | petstore auth login --with-key`,
  run: logIn,
});

async function logIn(options: ValuesOf<typeof FLAGS>, session: Session): Promise<undefined> {
  const { context, global } = session;
  const allowNewProfile = (): Promise<void> => session.allowNewProfile(COLUMNS.map(({ field }) => field));
  if (global.mock) {
    await allowNewProfile();
    session.note('The embedded mock needs no login. Nothing was stored.');
    await print({ profile: null, baseUrl: session.baseUrl, keyIn: null }, session);
    return;
  }
  // Checks come before prompts, requests and writes.
  checkSources(options.withKey, session);
  await allowNewProfile();
  const profile = chooseLoginProfile(session);
  const willStore = session.recorder === undefined;
  if (willStore) await checkStorage(profile.name, session);
  await readAuthorities(global.caFile, context);
  // A person sees the profile before the prompts; a script sees it after success.
  const willPrompt = session.canPrompt && !options.withKey;
  if (willPrompt) noteProfile(profile, session);
  const baseUrl = await chooseLoginUrl(profile, session);
  proxyFor(baseUrl, context);
  if (willStore) await confirmReplacement(profile, baseUrl, session);
  const key = await readKey(options.withKey, session);
  const storage: KeyStorage = willStore
    ? await chooseStorage(options.insecureStorage, session)
    : { location: 'file' };
  await verify(key, baseUrl, session);
  const { name } = profile;
  await store({ name, baseUrl, key }, storage, session);
  if (!willPrompt) noteProfile(profile, session);
  noteStorage(name, baseUrl, storage, session);
  await print({ profile: name, baseUrl, keyIn: storage.location }, session);
  warnIfProfileOverridden(name, session);
}

function print(row: Record<string, unknown>, session: Session): Promise<void> {
  return session.print({ kind: 'record', row, columns: COLUMNS });
}

/** Fails if the key or the configuration can obviously not be written. */
async function checkStorage(profile: string, { context }: Session): Promise<void> {
  storedKeys(context).checkWritable(profile);
  await checkEditable(context);
}

async function store(
  { name, baseUrl, key }: { name: string; baseUrl: string; key: string },
  { location, hasFailed = false }: KeyStorage,
  session: Session,
): Promise<void> {
  const { context } = session;
  const keys = storedKeys(context);
  const place: KeyPlace = { profile: name, location, origin: new URL(baseUrl).origin };
  // Under the lock of the configuration, so that two concurrent logins don't mix key and address.
  const unused = await withConfigLock(context, async (lock) => {
    const profiles = (lock.draft.profiles ??= {});
    const before = profileIn(lock.draft, name);
    keys.nameEarlierEntry(name, before, lock);
    const isReplaced = before?.keyIn === location && before.keyOrigin === place.origin;
    const earlier = isReplaced ? await keys.find(place).catch(() => undefined) : undefined;
    // A key for another origin is stored in another place, where nothing reads it before config.json names it.
    await keys.save(place, key, lock);
    profiles[name] = {
      ...settingsToKeep(before, baseUrl),
      baseUrl,
      keyIn: location,
      keyOrigin: place.origin,
    };
    lock.draft.profile ??= name;
    try {
      lock.write();
    } catch (error) {
      const undo = earlier === undefined ? keys.remove(place, lock) : keys.save(place, earlier, lock);
      await undo.catch(() => undefined);
      throw error;
    }
    // The old key goes last, so that a process that is killed leaves one that works.
    return keys.removeUnused(lock, !hasFailed);
  });
  warnOfUnusedKeys(unused, session);
}

/** Notes where the key is now, and warns if it is plain text. */
function noteStorage(
  profile: string,
  baseUrl: string,
  { location, absence }: KeyStorage,
  session: Session,
): void {
  if (location === 'keychain') {
    session.confirm(`Stored the key of profile "${profile}" in the system's keychain.`, true);
    return;
  }
  if (absence !== undefined) session.note(`The keychain can't be used (${absence}).`);
  const path = storedKeys(session.context).pathOf({ profile, location, origin: new URL(baseUrl).origin });
  session.confirm(`Stored the key of profile "${profile}" in a file.`);
  session.warn(plainTextWarning(path, session.context));
}

/**
 * Drops the other addresses of the profile if the origin changes, because they belong to the old key. The base URL may have
 * changed since that key was stored.
 */
function settingsToKeep(
  before: Readonly<Record<string, unknown>> | undefined,
  baseUrl: string,
): Record<string, unknown> {
  const { stagingUrl, trustedUrls, ...rest } = before ?? {};
  const address = rest.keyOrigin ?? rest.baseUrl;
  const known = typeof address === 'string' && URL.canParse(address) ? new URL(address) : undefined;
  if (known !== undefined && known.origin !== new URL(baseUrl).origin) return rest;
  return {
    ...rest,
    ...(stagingUrl === undefined ? {} : { stagingUrl }),
    ...(trustedUrls === undefined ? {} : { trustedUrls }),
  };
}

/** @throws UsageError if the address or the key can't come from where the command line says. */
function checkSources(withKey: boolean, { context, global }: Session): void {
  if (global.staging)
    throw new UsageError(
      'auth login does not support --staging: a key is stored with its base URL',
      'Pass --base-url.',
    );
  if (variable(context, 'PETSTORE_API_KEY') !== undefined)
    throw new UsageError(
      'PETSTORE_API_KEY is set and overrides every stored key',
      'Unset PETSTORE_API_KEY, then log in.',
    );
  if (withKey && context.stdin.isTTY)
    throw new UsageError(
      '--with-key reads the key from a pipe, and stdin is a terminal',
      'Remove --with-key to be prompted, or pipe the key in.',
    );
}

/** Checks the key with a request for one pet. */
async function verify(key: string, baseUrl: string, session: Session): Promise<void> {
  const store = await session.client({ credentials: { apiKey: key, baseUrl } });
  try {
    await store.pets.list({ limit: 1 }, { signal: session.context.signal });
  } catch (error) {
    if (!(error instanceof AuthenticationError)) throw error;
    throw new CommandFailure('The service rejected this key; nothing was stored', {
      type: 'authentication',
      status: error.status,
      exitCode: EXIT.auth,
      hint: `Check the key, and that it belongs to ${new URL(baseUrl).origin}.`,
      cause: error,
    });
  }
}

function noteProfile({ name, selectedBy }: LoginProfile, session: Session): void {
  session.note(`Using profile "${name}"${selectedBy === undefined ? '' : `, selected by ${selectedBy}`}.`);
}
