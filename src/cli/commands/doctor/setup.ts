import { existsSync } from 'node:fs';
import {
  findApiKey,
  type FoundKey,
  describeKeySource,
  loginCommand,
  maskedKey,
  refuseOtherOrigin,
} from '../../settings/credentials/api-key.js';
import {
  type ConfigFile,
  type ProjectFile,
  readConfigFile,
  readProjectFile,
} from '../../settings/config/config-files.js';
import {
  describeOrigin,
  findProfile,
  projectOfBaseUrl,
  selectProfile,
} from '../../settings/config/settings.js';
import { elsewhereHint } from '../../errors/service-hints.js';
import { UsageError } from '../../errors/usage-error.js';
import { hasForeignOwner } from '../../system/files/ownership.js';
import type { Session } from '../../session/session.js';
import { checkDestination } from '../../session/destination.js';
import { keyOf } from '../../session/session-failure.js';
import type { Context } from '../../system/context.js';
import { lockedError } from '../../settings/config/config-editor.js';
import { TimeLimitError, withTimeLimit } from '../../system/time-limit.js';
import { lockFile } from '../../../security/file-lock.js';
import { otherInstallation } from './other-installation.js';
import { counted } from '../../errors/counted.js';
import { shellWord } from '../../errors/shell-word.js';
import { VERSION } from '../../../version.js';
import { unusedKeys } from './unused-keys.js';
import { createFact, type Result, Skipped, type Step } from './check.js';

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
    if (sent.from !== 'environment') refuseOtherOrigin(session.settings);
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
    {
      id: 'config',
      remedy: CONFIG_HELP,
      run: async () => checkConfig(await setup.config.read(), session.context),
    },
    {
      id: 'project',
      remedy: CONFIG_HELP,
      run: async () => checkProject(await setup.project.read(), session.context),
    },
    {
      id: 'profile',
      remedy: 'petstore auth list',
      async run() {
        const selected = await setup.profile.read();
        if (selected === undefined) return ok('no profile selected');
        return ok(`${selected.name}, from ${describeOrigin(selected.from, { setting: 'profile' })}`);
      },
    },
    {
      id: 'base-url',
      remedy: 'petstore config list --show-origin',
      async run() {
        const { url, from } = await setup.baseUrl.read();
        return ok(`${url}, from ${from}`);
      },
    },
    { id: 'key', remedy: login, run: async () => checkKey(await setup.key.read(), verdict, session) },
    {
      id: 'destination',
      remedy: 'Pass --base-url.',
      run: async () => ok(`the key may be sent to ${await setup.destination.read()}`),
    },
  ];
}

function ok(finding: string): Result {
  return { state: 'ok', finding };
}

export function checkProgram(context: Context): Result {
  const { nodeVersion, runtime, platform, programPath } = context;
  const finding = `petstore ${VERSION}, ${runtime}, ${platform}`;
  if (!isSupported(nodeVersion)) {
    const remedy = 'Install Node 20.19 or a later 20, 22.13 or a later 22, or 24 or later.';
    return { state: 'warn', finding: `${finding}: this Node version is not supported`, remedy };
  }
  const other = otherInstallation(context);
  if (other === undefined) return ok(finding);
  return {
    state: 'warn',
    finding: `${finding}; the shell starts another installation: ${other}`,
    remedy: `Remove ${shellWord(other)}, or put this one earlier in PATH: ${String(programPath)}`,
  };
}

/** As in `engines` of package.json. */
function isSupported(nodeVersion: string): boolean {
  const [major = 0, minor = 0] = nodeVersion.replace(/^v/, '').split('.').map(Number);
  return major >= 24 || (major === 20 && minor >= 19) || (major === 22 && minor >= 13);
}

async function checkConfig(config: ConfigFile, context: Context): Promise<Result> {
  const { path, profiles } = config;
  if (!existsSync(path)) return ok(`${path} does not exist yet`);
  if (await isLocked(path, context)) {
    const { message, hint } = lockedError(path);
    return { state: 'warn', finding: message, remedy: hint };
  }
  return unusedKeys(config, context) ?? ok(`${path}: ${counted(Object.keys(profiles).length, 'profile')}`);
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

function checkProject(file: ProjectFile | undefined, context: Context): Result {
  if (file === undefined) return ok('no petstore.config.json in this directory or above');
  const { path } = file;
  if (!hasForeignOwner(file, context)) return ok(path);
  const remedy = `Check its content, then run: sudo chown -h "$(id -u)" ${shellWord(path)}`;
  return { state: 'warn', finding: `${path} belongs to another user`, remedy };
}

const VERDICTS = {
  accepted: 'the service accepts it',
  rejected: 'the service rejects it (401)',
  unknown: 'not checked with the service',
};

function checkKey(found: FoundKey, verdict: 'accepted' | 'rejected' | null, session: Session): Result {
  const finding = `${maskedKey(found.secret)}, from ${describeKeySource(found)}; ${VERDICTS[verdict ?? 'unknown']}`;
  if (verdict !== 'rejected') return ok(finding);
  const remedy =
    found.from === 'environment'
      ? 'Set PETSTORE_API_KEY to a key of this service.'
      : (elsewhereHint(keyOf(session)) ?? loginCommand(session.settings.profile));
  return { state: 'failed', finding, remedy };
}
