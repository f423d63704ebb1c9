import { quote } from '../../../schema/control-characters.js';
import { existsSync } from 'node:fs';
import { findApiKey, type FoundKey, keySource, loginCommand, maskedKey } from '../../credentials/api-key.js';
import { readConfigFile, readProjectFile } from '../../config/config-files.js';
import {
  describeOrigin,
  findProfile,
  projectOfBaseUrl,
  resolveSettings,
  selectProfile,
} from '../../config/settings.js';
import { elsewhereHint } from '../../errors/service-hints.js';
import { UsageError } from '../../errors/usage-error.js';
import { hasForeignOwner } from '../../files/ownership.js';
import { decideProxy } from '../../network/proxy.js';
import type { Session } from '../../session/action.js';
import { checkDestination } from '../../session/destination.js';
import { keyOf } from '../../session/session-failure.js';
import type { Context } from '../../system/context.js';
import { counted } from '../../text/counted.js';
import { lockedError } from '../../config/config-editor.js';
import { TimeLimitError, withTimeLimit } from '../../system/time-limit.js';
import { lockFile } from '../../../security/file-lock.js';
import { otherInstallation } from './other-installation.js';
import { shellWord } from '../../text/shell-word.js';
import { VERSION } from '../../../version.js';
import { createFact, type Fact, type Result, Skipped, type Step } from './check.js';

/** The configuration and what it selects. `undefined` is a value: nothing is set. */
export type Setup = ReturnType<typeof readSetup>;

/** A proxy without its password, or the proxy of the environment and why this host bypasses it. */
export type ProxyFact =
  | { address: string; hasLogin: boolean; from: string }
  | { from: string; because: { variable: string; entry: string } | 'loopback' };

/** Reads each part on its own, because `resolveSettings` fails at the first problem. */
export function readSetup(session: Session) {
  const { context, global } = session;
  const config = createFact('config', () => readConfigFile(context));
  const project = createFact('project', () => readProjectFile(context.currentDirectory));
  const profile = createFact('profile', async () => {
    const files = { config: await config.need(), project: await project.need() };
    const selected = selectProfile(global, context, files);
    return selected && { ...selected, entry: findProfile(files.config, selected.name) };
  });
  const baseUrl = createFact('base-url', async () => {
    if (global.mock) throw new Skipped('not needed with --mock');
    await profile.need();
    return readBaseUrl(session);
  });
  const key = createFact('key', async () => {
    if (global.mock) throw new Skipped('not needed with --mock');
    const { name, entry } = (await profile.need()) ?? { name: undefined, entry: undefined };
    const found = await findApiKey({ profile: name, entry }, context);
    if (found !== undefined) return found;
    throw new UsageError('no API key configured', `Run "${loginCommand(name)}", or set PETSTORE_API_KEY.`);
  });
  const destination = createFact('destination', async () => {
    if (global.mock) throw new Skipped('not needed with --mock');
    if (session.recorder !== undefined) throw new Skipped('nothing is sent');
    const { url } = await baseUrl.need('no base URL');
    await checkKeyDestination(url, await key.need('no key'), session);
    return new URL(url).origin;
  });
  const proxy = createFact('proxy', async () => readProxy((await baseUrl.need('no base URL')).url, context));
  return { config, project, profile, baseUrl, key, destination, proxy };
}

function readBaseUrl({ global, context }: Session): { url: string; from: string } {
  const { baseUrl: url, baseUrlFrom, profile, project } = resolveSettings(global, context);
  if (url === undefined || baseUrlFrom === undefined) {
    const hint = 'Run "petstore auth login --base-url https://HOST/v1", or set PETSTORE_BASE_URL.';
    throw new UsageError('no base URL configured', hint);
  }
  const names = { setting: 'baseUrl', project: project?.path, profile: String(profile) } as const;
  const from = describeOrigin(baseUrlFrom, names);
  const isStaging = global.staging && baseUrlFrom === 'profile';
  return { url, from: isStaging ? `the staging URL of ${from}` : from };
}

/** Never prompts: a diagnosis must not change what may be sent. */
async function checkKeyDestination(baseUrl: string, key: FoundKey, session: Session): Promise<void> {
  const project = projectOfBaseUrl(session.settings);
  if (project !== undefined) await checkDestination({ key, baseUrl, project }, false, session);
}

function readProxy(baseUrl: string, context: Context): ProxyFact | undefined {
  const proxy = decideProxy(baseUrl, context);
  if (proxy === undefined || 'because' in proxy) return proxy;
  const { protocol, host, username, password } = new URL(proxy.url);
  return { address: `${protocol}//${host}`, hasLogin: username + password !== '', from: proxy.from };
}

const CONFIG_HELP = 'petstore help config';

/** The checks of the configuration. */
export async function setupSteps(
  setup: Setup,
  verdict: 'accepted' | 'rejected' | null,
  session: Session,
): Promise<readonly Step[]> {
  const { context } = session;
  const profile = await setup.profile.need().catch(() => undefined);
  const login = loginCommand(profile?.name);
  return [
    { id: 'config', remedy: CONFIG_HELP, run: () => checkConfig(setup.config, context) },
    { id: 'project', remedy: CONFIG_HELP, run: () => checkProject(setup.project, context) },
    { id: 'profile', remedy: 'petstore auth list', run: () => checkProfile(setup.profile) },
    { id: 'base-url', remedy: 'petstore config list --show-origin', run: () => checkBaseUrl(setup.baseUrl) },
    {
      id: 'key',
      remedy: login,
      run: () => checkKey(setup.key, verdict, () => elsewhereHint(keyOf(session)) ?? login),
    },
    { id: 'destination', remedy: 'Pass --base-url.', run: () => showDestination(setup.destination) },
  ];
}

export function checkProgram(context: Context): Result {
  const { nodeVersion, platform } = context;
  const other = otherInstallation(context);
  const supported = isSupported(nodeVersion);
  const details = { version: VERSION, node: nodeVersion, platform, supported, other: other ?? null };
  const finding = `petstore ${VERSION}, Node ${nodeVersion}, ${platform}`;
  if (details.supported && other !== undefined)
    return {
      state: 'warn',
      finding: `${finding}; the shell starts another installation: ${other}`,
      remedy: `Remove ${shellWord(other)}, or put this one earlier in PATH: ${String(context.programPath?.())}`,
      details,
    };
  if (details.supported) return { state: 'ok', finding, details };
  const remedy = 'Install Node 20.19 or a later 20, 22.13 or a later 22, or 24 or later.';
  return { state: 'warn', finding: `${finding}: this Node version is not supported`, remedy, details };
}

/** As in `engines` of package.json. */
function isSupported(nodeVersion: string): boolean {
  const [major = 0, minor = 0] = nodeVersion.replace(/^v/, '').split('.').map(Number);
  return major >= 24 || (major === 20 && minor >= 19) || (major === 22 && minor >= 13);
}

async function checkConfig({ read }: Setup['config'], context: Context): Promise<Result> {
  const { path, profiles } = await read();
  const details = { path, profiles: Object.keys(profiles).length, exists: existsSync(path) };
  const finding = details.exists
    ? `${path}: ${counted(details.profiles, 'profile')}`
    : `${path} does not exist yet`;
  if (!(await isLocked(path, context))) return { state: 'ok', finding, details };
  const { message, hint } = lockedError(path);
  return { state: 'warn', finding: message, remedy: hint, details };
}

/** The lock of a dead process of this machine is removed. That of another machine is broken later. */
const LOCK_WAIT_MS = 500;

async function isLocked(path: string, context: Context): Promise<boolean> {
  if (!existsSync(`${path}.lock`)) return false;
  const { clock } = context;
  try {
    const lock = await withTimeLimit(LOCK_WAIT_MS, context, (signal) => lockFile(path, { clock, signal }));
    lock?.release();
    return lock === undefined;
  } catch (error) {
    // Other checks report a folder that can't be used.
    return error instanceof TimeLimitError;
  }
}

async function checkProject({ read }: Setup['project'], context: Context): Promise<Result> {
  const file = await read();
  if (file === undefined)
    return { state: 'ok', finding: 'no petstore.config.json in this directory or above' };
  const { path } = file;
  const details = { path, foreign: hasForeignOwner(file, context) };
  if (!details.foreign) return { state: 'ok', finding: path, details };
  const remedy = `Check its content, then run: sudo chown -h "$(id -u)" ${shellWord(path)}`;
  return { state: 'warn', finding: `${path} belongs to another user`, remedy, details };
}

async function checkProfile({ read }: Setup['profile']): Promise<Result> {
  const selected = await read();
  if (selected === undefined) return { state: 'ok', finding: 'no profile selected' };
  const { name, from } = selected;
  const finding = `${name}, from ${describeOrigin(from, { setting: 'profile' })}`;
  return { state: 'ok', finding, details: { name, from } };
}

async function checkBaseUrl({ read }: Setup['baseUrl']): Promise<Result> {
  const details = await read();
  return { state: 'ok', finding: `${details.url}, from ${details.from}`, details };
}

const VERDICTS = {
  accepted: 'the service accepts it',
  rejected: 'the service rejects it (401)',
  unknown: 'not checked with the service',
};

async function checkKey(
  { read }: Setup['key'],
  verdict: 'accepted' | 'rejected' | null,
  replaceStored: () => string,
): Promise<Result> {
  const found = await read();
  const details = { source: keySource(found), shown: maskedKey(found.secret), verdict };
  const finding = `${details.shown}, from ${details.source}; ${VERDICTS[verdict ?? 'unknown']}`;
  if (verdict !== 'rejected') return { state: 'ok', finding, details };
  const remedy =
    found.from === 'environment' ? 'Set PETSTORE_API_KEY to a key of this service.' : replaceStored();
  return { state: 'failed', finding, remedy, details };
}

async function showDestination({ read }: Fact<string>): Promise<Result> {
  return { state: 'ok', finding: `the key may be sent to ${await read()}` };
}

export async function checkProxy({ read }: Setup['proxy']): Promise<Result> {
  const proxy = await read();
  if (proxy === undefined) return { state: 'ok', finding: 'none' };
  if ('because' in proxy) {
    const { because, from } = proxy;
    const why =
      because === 'loopback'
        ? 'the base URL is on this machine'
        : `${because.variable} contains ${quote(because.entry)}`;
    return { state: 'ok', finding: `the proxy of ${from} is not used: ${why}`, details: proxy };
  }
  const login = proxy.hasLogin ? ' with a login' : '';
  return { state: 'ok', finding: `${proxy.address}${login}, from ${proxy.from}`, details: proxy };
}
