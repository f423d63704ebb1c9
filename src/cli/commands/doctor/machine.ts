import { existsSync } from 'node:fs';
import type { Session } from '../../session/action.js';
import {
  type ConfigFile,
  type ProjectFile,
  readConfigFile,
  readProjectFile,
} from '../../config/config-files.js';
import { type Context, variable } from '../../system/context.js';
import { hasForeignOwner } from '../../files/ownership.js';
import { keySource, maskedKey } from '../../credentials/key-fingerprint.js';
import { decideProxy } from '../../network/proxy.js';
import { readSeenPets, seenPetsPath } from '../../completion/seen-pets.js';
import { VERSION } from '../../../version.js';
import { lookAtChosen } from './chosen.js';
import type { KnownFault, MachineFacts } from './facts.js';
import { foundOrFault, isFault, isTold, notAsked } from './fault.js';
import type { Unsound } from './sound-session.js';
import { terminalFact } from './terminal-fact.js';

/** What was looked at before, and the session that it leaves over. */
export interface Known extends Pick<MachineFacts, 'openPlaces'> {
  unsound: Unsound;
  session: Session;
}

/** Looks at each thing by itself: one that is wrong hides no other. */
export async function lookAtMachine({ unsound, openPlaces, session }: Known): Promise<MachineFacts> {
  const { context } = session;
  const { nodeVersion, platform } = context;
  const config = await foundOrFault(() => readConfigFile(context));
  const project = await foundOrFault(() => readProjectFile(context.currentDirectory));
  const { profile, baseUrl, key, destination } = await lookAtChosen({ config, project }, session);
  return {
    program: { version: VERSION, nodeVersion, platform },
    settings: unsound.settings,
    config: isFault(config) ? config : configFact(config),
    ...(project === undefined ? {} : { project: isFault(project) ? project : projectFact(project, context) }),
    profile: isTold(profile) ? { name: profile.name, from: profile.from } : profile,
    baseUrl,
    key: isTold(key) ? { source: keySource(key), shown: maskedKey(key.secret) } : key,
    destination,
    ...(openPlaces === undefined ? {} : { openPlaces }),
    proxy: await foundOrFault(() => proxyFact(baseUrl, context)),
    authorities: unsound.authorities,
    acceptsAnyCertificate: variable(context, 'NODE_TLS_REJECT_UNAUTHORIZED') === '0',
    completion: await completionFact(context),
    terminal: terminalFact(session),
    now: context.clock.now(),
  };
}

function configFact({ path, profiles }: ConfigFile): Exclude<MachineFacts['config'], KnownFault> {
  return { path, profiles: Object.keys(profiles).length, exists: existsSync(path) };
}

function projectFact(project: ProjectFile, context: Context): NonNullable<MachineFacts['project']> {
  return { path: project.path, isForeign: hasForeignOwner(project, context) };
}

function proxyFact(
  baseUrl: MachineFacts['baseUrl'],
  context: Context,
): Exclude<MachineFacts['proxy'], KnownFault> {
  if (!isTold(baseUrl)) return notAsked('there is no base URL');
  const proxy = decideProxy(baseUrl.url, context);
  if (proxy === undefined) return 'none';
  if ('because' in proxy) return proxy;
  const { protocol, host, username, password } = new URL(proxy.url);
  // The rest of it may be a password.
  return { address: `${protocol}//${host}`, hasLogin: username + password !== '', from: proxy.from };
}

/** The ids that shells are offered. */
async function completionFact(context: Context): Promise<MachineFacts['completion']> {
  const path = seenPetsPath(context);
  const found = await foundOrFault(() => (existsSync(path) ? readSeenPets(context).length : 0));
  if (!isFault(found)) return { path, pets: found };
  return { path, fault: `${path} can't be read` };
}
