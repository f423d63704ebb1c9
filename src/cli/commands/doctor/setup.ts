import { findApiKey, type FoundKey } from '../../credentials/api-key.js';
import type { Session } from '../../session/action.js';
import {
  describeOrigin,
  findProfile,
  type Origin,
  projectOfBaseUrl,
  resolveSettings,
  selectProfile,
} from '../../config/settings.js';
import {
  type ConfigFile,
  type Profile,
  type ProjectFile,
  readConfigFile,
  readProjectFile,
} from '../../config/config-files.js';
import { checkDestination } from '../../session/destination.js';
import { attempt, isKnown, isProblem, isSkipped, type Problem, type Skipped } from './check.js';

/** The configuration and what it selects, each as far as it can be read. */
export interface Setup {
  config: ConfigFile | Problem;
  project: ProjectFile | Problem | undefined;
  profile: { name: string; from: Origin; entry: Profile | undefined } | Problem | Skipped | 'none';
  baseUrl: { url: string; from: string } | Problem | Skipped | 'none';
  key: FoundKey | Problem | Skipped | 'none';
  /** Whether the key may be sent to the base URL. */
  destination: { origin: string } | Problem | Skipped;
}

/** Reads each part on its own, because `resolveSettings` fails at the first problem. */
export async function readSetup(session: Session): Promise<Setup> {
  const { context } = session;
  const config = await attempt(() => readConfigFile(context));
  const project = await attempt(() => readProjectFile(context.currentDirectory));
  const profile = await readProfile(config, project, session);
  const [baseUrl, key] = await Promise.all([readBaseUrl(profile, session), readKey(profile, session)]);
  const destination = await readDestination(baseUrl, key, session);
  return { config, project, profile, baseUrl, key, destination };
}

async function readProfile(
  config: Setup['config'],
  project: Setup['project'],
  { global, context }: Session,
): Promise<Setup['profile']> {
  if (isProblem(config)) return { skipped: 'depends on config, which failed' };
  if (isProblem(project)) return { skipped: 'depends on project, which failed' };
  return attempt(() => {
    const selected = selectProfile(global, context, { project, config });
    return selected === undefined ? 'none' : { ...selected, entry: findProfile(config, selected.name) };
  });
}

async function readBaseUrl(
  profile: Setup['profile'],
  { global, context }: Session,
): Promise<Setup['baseUrl']> {
  if (global.mock) return { skipped: 'not needed with --mock' };
  if (isSkipped(profile)) return profile;
  if (isProblem(profile)) return { skipped: 'depends on profile, which failed' };
  return attempt(() => {
    const { baseUrl, baseUrlFrom, profile: name, project } = resolveSettings(global, context);
    if (baseUrl === undefined || baseUrlFrom === undefined) return 'none';
    const names = { setting: 'baseUrl', project: project?.path, profile: String(name) } as const;
    const from = describeOrigin(baseUrlFrom, names);
    const isStaging = global.staging && baseUrlFrom === 'profile';
    return { url: baseUrl, from: isStaging ? `the staging address of ${from}` : from };
  });
}

async function readKey(profile: Setup['profile'], { global, context }: Session): Promise<Setup['key']> {
  if (global.mock) return { skipped: 'not needed with --mock' };
  if (isSkipped(profile)) return profile;
  if (isProblem(profile)) return { skipped: 'depends on profile, which failed' };
  const { name, entry } = profile === 'none' ? { name: undefined, entry: undefined } : profile;
  return attempt(async () => (await findApiKey({ profile: name, entry }, context)) ?? 'none');
}

/** Never prompts: a diagnosis must not change what may be sent. */
async function readDestination(
  baseUrl: Setup['baseUrl'],
  key: Setup['key'],
  session: Session,
): Promise<Setup['destination']> {
  if (session.global.mock) return { skipped: 'not needed with --mock' };
  if (session.recorder !== undefined) return { skipped: 'nothing is sent' };
  if (!isKnown(baseUrl)) return { skipped: 'no base URL' };
  if (!isKnown(key)) return { skipped: 'no key' };
  return attempt(async () => {
    const project = projectOfBaseUrl(session.settings);
    if (project !== undefined) await checkDestination({ key, baseUrl: baseUrl.url, project }, false, session);
    return { origin: new URL(baseUrl.url).origin };
  });
}
