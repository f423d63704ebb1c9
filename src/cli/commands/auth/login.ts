import type { Command, Option } from 'commander';
import { AuthenticationError } from '../../../errors.js';
import type { Bind, Session } from '../../session/action.js';
import { readAuthorities } from '../../network/authorities.js';
import { CommandFailure } from '../../errors/command-failure.js';
import { checkEditable, editConfig, profileIn } from '../../config/config-editor.js';
import { variable } from '../../system/context.js';
import { addExamples } from '../../help/examples.js';
import { EXIT } from '../../errors/exit-codes.js';
import { HELP_STYLE } from '../../help/help-style.js';
import type { Column } from '../../output/index.js';
import { proxyFor } from '../../network/proxy.js';
import { describeFields } from '../../help/describe-fields.js';
import { type SavedKey, storedKeys } from '../../credentials/stored-keys.js';
import { UsageError } from '../../errors/usage-error.js';
import {
  chooseLoginProfile,
  chooseLoginUrl,
  confirmReplacement,
  type LoginProfile,
} from './login-profile.js';
import { warnIfBaseUrlOverridden, warnIfProfileOverridden } from './overrides.js';
import { checkKeySource, readTypedKey } from './read-key.js';

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
    .configureHelp({
      ...HELP_STYLE,
      showGlobalOptions: true,
      visibleGlobalOptions: keptFlags,
      styleTitle: (title) =>
        title === 'Global Options:' ? 'Kept with the key:' : HELP_STYLE.styleTitle(title),
    })
    .action((flags: Record<string, unknown>) =>
      bind(logIn, { withKey: flags.withKey === true, skipVerify: flags.skipVerify === true }),
    );
  describeFields(login, COLUMNS);
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

/** Elsewhere these hold for one command. */
function keptFlags(login: Command): Option[] {
  const program = login.parent?.parent;
  return program?.options.filter(({ long }) => long === '--profile' || long === '--base-url') ?? [];
}

async function logIn(options: LoginOptions, session: Session): Promise<undefined> {
  const { context } = session;
  // Whatever can be refused is, before anybody is asked, anything sent or stored.
  refuseFlags(options, session);
  refuseStrongerKey(session);
  checkKeySource(options.withKey, session);
  await session.allowNewProfile(COLUMNS.map(({ field }) => field));
  const profile = chooseLoginProfile(session);
  const isReal = session.recorder === undefined;
  if (isReal) await checkPlaces(profile.name, session);
  await readAuthorities(session.global.caFile, context);
  // Whoever is asked wants to know for what; a script, what came of it.
  const isAsked = session.canPrompt && !options.withKey;
  if (isAsked) tellProfile(profile, session);
  const baseUrl = await chooseLoginUrl(profile, session);
  proxyFor(baseUrl, context);
  if (isReal) await confirmReplacement(profile, baseUrl, session);
  const key = await readTypedKey(options.withKey, session);
  if (!options.skipVerify) await verify(key, baseUrl, session);
  const { name } = profile;
  const saved = await store({ name, baseUrl, key }, session);
  if (!isAsked) tellProfile(profile, session);
  tellWhere(saved, session);
  await session.print({
    kind: 'record',
    row: { profile: name, baseUrl, keyIn: saved.location },
    columns: COLUMNS,
  });
  warnIfProfileOverridden(name, session);
  warnIfBaseUrlOverridden(baseUrl, session);
}

/** Where there is something to store, that it can be. */
async function checkPlaces(profile: string, { context }: Session): Promise<void> {
  storedKeys(context, () => context.keychain()).checkWritable(profile);
  await checkEditable(context);
}

async function store(
  { name, baseUrl, key }: { name: string; baseUrl: string; key: string },
  { context }: Session,
): Promise<SavedKey> {
  const keys = storedKeys(context, () => context.keychain());
  // Under the lock of the configuration, so that of two logins at once key and address stay together.
  return editConfig(context, async (draft) => {
    const profiles = (draft.profiles ??= {});
    const before = profileIn(draft, name);
    const kept = settingsToKeep(before, baseUrl);
    const saved = await keys.save(name, key, before?.keyIn === 'keychain' ? 'keychain' : undefined);
    profiles[name] = { ...kept, baseUrl, keyIn: saved.location };
    draft.profile ??= name;
    return saved;
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

function refuseStrongerKey({ context }: Session): void {
  if (variable(context, 'PETSTORE_API_KEY') === undefined) return;
  throw new UsageError(
    'PETSTORE_API_KEY is set, and wins over any stored key',
    'unset PETSTORE_API_KEY, then log in',
  );
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

function tellProfile({ name, why }: LoginProfile, session: Session): void {
  session.note(`profile ${name} (${why})`);
}

function tellWhere({ location: place, path, reason, mayRemain }: SavedKey, session: Session): void {
  if (place === 'keychain') session.note("the key is in the system's keychain");
  else {
    session.warn(
      `the key is in plain text in ${String(path)}, which its owner alone can read: the keychain can't be used (${String(reason)})`,
    );
  }
  if (mayRemain === true)
    session.warn(
      'the keychain may hold a key of this profile too: once it can be used, log in again, or out',
    );
}
