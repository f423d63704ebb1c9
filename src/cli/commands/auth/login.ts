import type { Command } from 'commander';
import { AuthenticationError } from '../../../errors.js';
import type { Bind, Session } from '../../action.js';
import { keyFault } from '../../api-key.js';
import { CommandFailure } from '../../command-failure.js';
import { checkBaseUrl } from '../../config.js';
import { editConfig } from '../../config-editor.js';
import { readConfigFile } from '../../config-files.js';
import { variable } from '../../context.js';
import { addExamples } from '../../examples.js';
import { EXIT } from '../../exit.js';
import type { Column } from '../../output/index.js';
import { tellFields } from '../../shown-fields.js';
import { type SavedKey, storedKeys } from '../../stored-keys.js';
import { UsageError } from '../../usage-error.js';
import { checkProfileName, FIRST_PROFILE } from './profile-name.js';

/** What `auth login` is asked for. */
export interface LoginOptions {
  /** Read the key from stdin. */
  withKey: boolean;
  /** Store it unseen by the service. */
  skipVerify: boolean;
}

const COLUMNS: readonly Column[] = [
  { field: 'profile', header: 'profile', fixed: true },
  { field: 'baseUrl', header: 'base URL' },
  { field: 'keyIn', header: 'key in' },
];

export function registerLogin(auth: Command, bind: Bind): void {
  const login = auth
    .command('login')
    .description(
      'Store an API key in a profile, with the base URL it belongs to, once the service has accepted it.',
    )
    .option('--with-key', 'read the key from stdin instead of asking for it')
    .option('--skip-verify', 'do not ask the service whether it knows the key')
    .action((flags: Record<string, unknown>) =>
      bind(logIn, { withKey: flags.withKey === true, skipVerify: flags.skipVerify === true }),
    );
  tellFields(login, COLUMNS);
  addExamples(
    login,
    [
      'petstore auth login --base-url https://HOST/v1',
      'petstore auth login --profile staging --base-url https://HOST/v1 --with-key',
      'petstore auth login --with-key --skip-verify',
    ],
    `The key goes into the system's keychain, or, where there is none, into a file
that its owner alone can read. For --with-key, hand it over by a pipe:
  pass show petstore | petstore auth login --with-key`,
  );
}

async function logIn(options: LoginOptions, session: Session): Promise<undefined> {
  const { context, global } = session;
  refuseFlags(options, session);
  if (variable(context, 'PETSTORE_API_KEY') !== undefined) {
    throw new UsageError(
      'PETSTORE_API_KEY is set, and wins over any stored key',
      'unset PETSTORE_API_KEY, then log in',
    );
  }
  const config = readConfigFile(context);
  const profile = checkProfileName(
    global.profile ?? variable(context, 'PETSTORE_PROFILE') ?? config.profile ?? FIRST_PROFILE,
  );
  const baseUrl = await chooseBaseUrl(profile, session);
  const key = await readKey(options.withKey, session);
  if (!options.skipVerify) await verify(key, baseUrl, session);
  const keys = storedKeys(context, () => context.keychain());
  const stored: { saved?: SavedKey } = {};
  // Under the lock of the configuration, so that of two logins at once key and address stay together.
  await editConfig(context, async (draft) => {
    const profiles = (draft.profiles ??= {});
    const kept = settingsToKeep(profiles[profile], baseUrl);
    const saved = (stored.saved = await keys.save(profile, key));
    profiles[profile] = { ...kept, baseUrl, keyIn: saved.place };
    draft.profile ??= profile;
  });
  const saved = stored.saved ?? { place: 'file' };
  tellWhere(saved, session);
  await session.print({
    kind: 'record',
    row: { profile, baseUrl, keyIn: saved.place },
    columns: COLUMNS,
  });
}

/** At another host, the other addresses of the profile are none that this key was meant for. */
function settingsToKeep(
  before: Readonly<Record<string, unknown>> | undefined,
  baseUrl: string,
): Record<string, unknown> {
  const { stagingUrl, trustedUrls, ...rest } = before ?? {};
  const known =
    typeof rest.baseUrl === 'string' && URL.canParse(rest.baseUrl) ? new URL(rest.baseUrl) : undefined;
  if (known !== undefined && known.origin !== new URL(baseUrl).origin) return rest;
  return {
    ...rest,
    ...(stagingUrl === undefined ? {} : { stagingUrl }),
    ...(trustedUrls === undefined ? {} : { trustedUrls }),
  };
}

/** Those that would be of no effect here, or of another than they have elsewhere. */
function refuseFlags({ skipVerify }: LoginOptions, { global }: Session): void {
  if (global.mock || global.staging) {
    throw new UsageError(
      `${global.mock ? '--mock' : '--staging'} is not for login: a key is stored with the address it belongs to`,
      'pass --base-url',
    );
  }
  if (skipVerify && (global.dryRun || global.curl)) {
    throw new UsageError('with --skip-verify there is no request to show', 'leave out one of the two');
  }
}

/** That of the line, else the profile's, else asked for. */
async function chooseBaseUrl(profile: string, session: Session): Promise<string> {
  const { context, global } = session;
  const named = global.baseUrl ?? variable(context, 'PETSTORE_BASE_URL');
  if (named !== undefined)
    return checkBaseUrl(global.baseUrl === undefined ? 'PETSTORE_BASE_URL' : '--base-url', named);
  const known = readConfigFile(context).profiles[profile]?.baseUrl;
  if (known !== undefined) return checkBaseUrl(`baseUrl of profile ${profile}`, known);
  if (!session.canAsk) {
    throw new UsageError(
      'no base URL: the key has to be stored with the address that it belongs to',
      'pass --base-url https://HOST/v1',
    );
  }
  const prompter = await context.prompter();
  const answer = await prompter.text('Base URL, /v1 included', (text) => {
    try {
      checkBaseUrl('it', text);
      return true;
    } catch (error) {
      return error instanceof Error ? error.message : 'not a URL';
    }
  });
  return checkBaseUrl('the base URL', answer);
}

async function readKey(withKey: boolean, session: Session): Promise<string> {
  const { context } = session;
  if (withKey) {
    if (context.stdin.isTTY) {
      throw new UsageError(
        '--with-key reads the key from a pipe, and stdin is a terminal',
        'leave --with-key out to be asked, or pipe the key in',
      );
    }
    const key = (await context.stdin.readAll(context.signal)).trim();
    if (key === '')
      throw new UsageError('no key came in on stdin', 'pipe it in: … | petstore auth login --with-key');
    return checkKey(key);
  }
  if (!session.canAsk) {
    throw new UsageError(
      'there is nobody to ask for the key',
      'pipe it in: … | petstore auth login --with-key',
    );
  }
  const prompter = await context.prompter();
  const answer = await prompter.secret('API key (not shown)', (text) => {
    const fault = text.trim() === '' ? 'nothing' : keyFault(text.trim());
    return fault === undefined || `it holds ${fault}`;
  });
  return checkKey(answer.trim());
}

function checkKey(key: string): string {
  const fault = keyFault(key);
  if (fault === undefined) return key;
  throw new UsageError(`the key holds ${fault}, which no request header can carry`, 'copy it once more');
}

/** A cheap read: whether the service knows the key. Nothing is stored unless it does. */
async function verify(key: string, baseUrl: string, session: Session): Promise<void> {
  const store = await session.clientFor({ apiKey: key, baseUrl });
  try {
    await store.pets.list({ limit: 1 }, { signal: session.context.signal });
  } catch (error) {
    if (!(error instanceof AuthenticationError)) throw error;
    throw new CommandFailure('the service does not know this key: nothing was stored', {
      type: 'authentication',
      status: error.status,
      exitCode: EXIT.auth,
      hint: `check the key, and that it belongs to ${new URL(baseUrl).origin}`,
      cause: error,
    });
  }
}

function tellWhere({ place, path, reason }: SavedKey, session: Session): void {
  if (place === 'keychain') session.note("the key is in the system's keychain");
  else {
    session.warn(
      `the key is in plain text in ${String(path)}, which its owner alone can read: the keychain can't be used (${String(reason)})`,
    );
  }
}
