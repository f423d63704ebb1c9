import { findApiKey, type FoundKey } from '../../credentials/api-key.js';
import type { Session } from '../../session/action.js';
import {
  findProfile,
  selectProfile,
  type Origin,
  describeOrigin,
  projectOfBaseUrl,
  resolveSettings,
} from '../../config/settings.js';
import type { ConfigFile, Profile, ProjectFile } from '../../config/config-files.js';
import { checkDestination } from '../../session/destination.js';
import type { KnownFault, MachineFacts, NotAsked } from './facts.js';
import { foundOrFault, isFault, isNotAsked, isTold, notAsked } from './fault.js';

/** The files that the choice hangs on. */
export interface Files {
  config: ConfigFile | KnownFault;
  project: ProjectFile | KnownFault | undefined;
}

/** The profile, the address and the key in force, each as far as it can be told without the others. */
export interface Chosen {
  profile: { name: string; from: Origin; entry: Profile | undefined } | KnownFault | NotAsked | 'none';
  baseUrl: MachineFacts['baseUrl'];
  key: FoundKey | KnownFault | NotAsked | 'none' | 'not needed';
  destination: MachineFacts['destination'];
}

/** What `resolveSettings` chooses at once, and can't where one part of it is wrong. */
export async function lookAtChosen(files: Files, session: Session): Promise<Chosen> {
  const profile = await findChosenProfile(files, session);
  const [baseUrl, key] = await Promise.all([
    findChosenBaseUrl(profile, session),
    findChosenKey(profile, session),
  ]);
  return { profile, baseUrl, key, destination: await checkChosen(baseUrl, key, session) };
}

async function findChosenProfile(
  { config, project }: Files,
  { global, context }: Session,
): Promise<Chosen['profile']> {
  if (isFault(config)) return notAsked("can't be told before config is right");
  if (isFault(project)) return notAsked("can't be told before project is right");
  return foundOrFault(() => {
    const named = selectProfile(global, context, { project, config });
    return named === undefined ? 'none' : { ...named, entry: findProfile(config, named.name) };
  });
}

async function findChosenBaseUrl(
  profile: Chosen['profile'],
  { global, context }: Session,
): Promise<Chosen['baseUrl']> {
  if (global.mock) return 'not needed';
  if (isNotAsked(profile)) return profile;
  if (isFault(profile)) return notAsked("can't be told before profile is right");
  return foundOrFault(() => {
    const { baseUrl, baseUrlFrom, profile: name, project } = resolveSettings(global, context);
    if (baseUrl === undefined || baseUrlFrom === undefined) return 'none';
    const from = describeOrigin(baseUrlFrom, {
      setting: 'baseUrl',
      project: project?.path,
      profile: String(name),
    });
    const isStaging = global.staging && baseUrlFrom === 'profile';
    return { url: baseUrl, from: isStaging ? `the staging address of ${from}` : from };
  });
}

async function findChosenKey(
  profile: Chosen['profile'],
  { global, context }: Session,
): Promise<Chosen['key']> {
  if (global.mock) return 'not needed';
  if (isNotAsked(profile)) return profile;
  if (isFault(profile)) return notAsked("can't be told before profile is right");
  const inUse =
    profile === 'none'
      ? { profile: undefined, entry: undefined }
      : { profile: profile.name, entry: profile.entry };
  return foundOrFault(async () => (await findApiKey(inUse, context)) ?? 'none');
}

/** Without a question: a diagnosis asks nobody. */
async function checkChosen(
  baseUrl: Chosen['baseUrl'],
  key: Chosen['key'],
  session: Session,
): Promise<Chosen['destination']> {
  if (session.global.mock) return notAsked('the mock is in this very process');
  if (session.recorder !== undefined) return notAsked('nothing is sent');
  if (!isTold(baseUrl)) return notAsked('there is no base URL');
  if (!isTold(key)) return notAsked('there is no key');
  return foundOrFault(async () => {
    const project = projectOfBaseUrl(session.settings);
    if (project !== undefined) await checkDestination({ key, baseUrl: baseUrl.url, project }, false, session);
    return { origin: new URL(baseUrl.url).origin };
  });
}
