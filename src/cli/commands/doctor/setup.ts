import { existsSync } from 'node:fs';
import { findApiKey, keySource, loginCommand, maskedKey } from '../../settings/credentials/api-key.js';
import { readConfigFile, readProjectFile } from '../../settings/config/config-files.js';
import { lockedError } from '../../settings/config/config-editor.js';
import {
  describeOrigin,
  findProfile,
  projectOfBaseUrl,
  selectProfile,
} from '../../settings/config/settings.js';
import { elsewhereHint } from '../../errors/service-hints.js';
import { UsageError } from '../../errors/usage-error.js';
import { hasForeignOwner } from '../../system/files/ownership.js';
import type { Session } from '../../session/action.js';
import { checkDestination } from '../../session/destination.js';
import { keyOf } from '../../session/session-failure.js';
import type { Context } from '../../system/context.js';
import { TimeLimitError, withTimeLimit } from '../../system/time-limit.js';
import { lockFile } from '../../../security/file-lock.js';
import { counted } from '../../errors/counted.js';
import { otherInstallation } from './other-installation.js';
import { shellWord } from '../../errors/shell-word.js';
import { VERSION } from '../../../version.js';
import { createFact, type Fact, type Result, Skipped, type Step } from './check.js';

/** The configuration and what it selects. `undefined` is a value: nothing is set. */
export type Setup = ReturnType<typeof readSetup>;

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
    const sent = await key.need('no key to send');
    const file = projectOfBaseUrl(session.settings);
    // Never prompts: a diagnosis must not change what may be sent.
    if (file !== undefined)
      await checkDestination({ key: sent, baseUrl: url, project: file }, false, session);
    return new URL(url).origin;
  });
  return { config, project, profile, baseUrl, key, destination };
}

function readBaseUrl(session: Session): { url: string; from: string } {
  const { baseUrl: url, global, settings } = session;
  const { baseUrlFrom = 'flag', profile, project } = settings;
  const names = { setting: 'baseUrl', project: project?.path, profile: String(profile) } as const;
  const from = describeOrigin(baseUrlFrom, names);
  return { url, from: global.staging ? `the staging URL of ${from}` : from };
}

const CONFIG_HELP = 'petstore help config';

/** The checks of the configuration. */
export async function setupSteps(
  setup: Setup,
  verdict: 'accepted' | 'rejected' | null,
  session: Session,
): Promise<readonly Step[]> {
  const profile = await setup.profile.need().catch(() => undefined);
  const login = loginCommand(profile?.name);
  return [
    { id: 'config', remedy: CONFIG_HELP, run: () => checkConfig(setup.config, session.context) },
    { id: 'project', remedy: CONFIG_HELP, run: () => checkProject(setup.project, session.context) },
    { id: 'profile', remedy: 'petstore auth list', run: () => checkProfile(setup.profile) },
    { id: 'base-url', remedy: 'petstore config list --show-origin', run: () => checkBaseUrl(setup.baseUrl) },
    { id: 'key', remedy: login, run: () => checkKey(setup.key, verdict, session) },
    { id: 'destination', remedy: 'Pass --base-url.', run: () => showDestination(setup.destination) },
  ];
}

export function checkProgram(context: Context): Result {
  const { nodeVersion, platform, programPath } = context;
  const finding = `petstore ${VERSION}, Node ${nodeVersion}, ${platform}`;
  const other = otherInstallation(context);
  if (isSupported(nodeVersion) && other === undefined) return { state: 'ok', finding };
  if (isSupported(nodeVersion))
    return {
      state: 'warn',
      finding: `${finding}; the shell starts another installation: ${String(other)}`,
      remedy: `Remove ${shellWord(String(other))}, or put this one earlier in PATH: ${String(programPath)}`,
    };
  const remedy = 'Install Node 20.19 or a later 20, 22.13 or a later 22, or 24 or later.';
  return { state: 'warn', finding: `${finding}: this Node version is not supported`, remedy };
}

/** As in `engines` of package.json. */
function isSupported(nodeVersion: string): boolean {
  const [major = 0, minor = 0] = nodeVersion.replace(/^v/, '').split('.').map(Number);
  return major >= 24 || (major === 20 && minor >= 19) || (major === 22 && minor >= 13);
}

async function checkConfig({ read }: Setup['config'], context: Context): Promise<Result> {
  const { path, profiles } = await read();
  if (await isLocked(path, context)) {
    const { message, hint } = lockedError(path);
    return { state: 'warn', finding: message, remedy: hint };
  }
  const content = counted(Object.keys(profiles).length, 'profile');
  return { state: 'ok', finding: existsSync(path) ? `${path}: ${content}` : `${path} does not exist yet` };
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
  if (!hasForeignOwner(file, context)) return { state: 'ok', finding: path };
  const remedy = `Check its content, then run: sudo chown -h "$(id -u)" ${shellWord(path)}`;
  return { state: 'warn', finding: `${path} belongs to another user`, remedy };
}

async function checkProfile({ read }: Setup['profile']): Promise<Result> {
  const selected = await read();
  if (selected === undefined) return { state: 'ok', finding: 'no profile selected' };
  const { name, from } = selected;
  return { state: 'ok', finding: `${name}, from ${describeOrigin(from, { setting: 'profile' })}` };
}

async function checkBaseUrl({ read }: Setup['baseUrl']): Promise<Result> {
  const { url, from } = await read();
  return { state: 'ok', finding: `${url}, from ${from}` };
}

const VERDICTS = {
  accepted: 'the service accepts it',
  rejected: 'the service rejects it (401)',
  unknown: 'not checked with the service',
};

async function checkKey(
  { read }: Setup['key'],
  verdict: 'accepted' | 'rejected' | null,
  session: Session,
): Promise<Result> {
  const found = await read();
  const finding = `${maskedKey(found.secret)}, from ${keySource(found)}; ${VERDICTS[verdict ?? 'unknown']}`;
  if (verdict !== 'rejected') return { state: 'ok', finding };
  if (found.from === 'environment')
    return { state: 'failed', finding, remedy: 'Set PETSTORE_API_KEY to a key of this service.' };
  const remedy = elsewhereHint(keyOf(session)) ?? loginCommand(session.settings.profile);
  return { state: 'failed', finding, remedy };
}

async function showDestination({ read }: Fact<string>): Promise<Result> {
  return { state: 'ok', finding: `the key may be sent to ${await read()}` };
}
