import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Session } from '../../action.js';
import { findApiKey } from '../../api-key.js';
import { type Origin, resolveSettings } from '../../config.js';
import { configDirectory, readConfigFile, readProjectFile } from '../../config-files.js';
import { type Context, variable } from '../../context.js';
import { chosenGate } from '../../gate.js';
import { keySource, maskedKey } from '../../key-mark.js';
import { proxyFor } from '../../proxy.js';
import { readRegularFile, whyUnread } from '../../regular-file.js';
import { stateDirectory } from '../../state-directory.js';
import { VERSION } from '../../../version.js';
import type { ConfigFact, DoctorFacts, GateFact, KeyFact, OpenPlace } from './facts.js';
import { foundOrFault, isFault, type KnownFault } from './fault.js';

/** What can be seen without the network. */
export type MachineFacts = Omit<DoctorFacts, 'connection' | 'service'>;

/**
 * Looks at each thing by itself: one that is wrong hides no other.
 *
 * @param openPlaces as found before.
 */
export async function lookAtMachine(
  session: Session,
  openPlaces: MachineFacts['openPlaces'],
): Promise<MachineFacts> {
  const { context } = session;
  const baseUrl = await foundOrFault(() => baseUrlFact(session));
  const profile = await foundOrFault(() => resolveSettings(session.global, context).profile);
  const project = await foundOrFault(() => readProjectFile(context.currentDirectory));
  const { nodeVersion, platform } = context;
  const extra = variable(context, 'NODE_EXTRA_CA_CERTS');
  return {
    program: { version: VERSION, nodeVersion, platform },
    config: await foundOrFault(() => configFact(context)),
    ...(typeof profile === 'string' ? { profile } : {}),
    ...(project === undefined ? {} : { project: isFault(project) ? project : { path: project.path } }),
    baseUrl,
    key: await foundOrFault(() => keyFact(session)),
    ...(openPlaces === undefined ? {} : { openPlaces }),
    gate: await foundOrFault(() => gateFact(context)),
    proxy: await foundOrFault(() => proxyFact(baseUrl, context)),
    ...(extra === undefined ? {} : { extraAuthorities: extraAuthorities(extra, context) }),
    acceptsAnyCertificate: variable(context, 'NODE_TLS_REJECT_UNAUTHORIZED') === '0',
    resolvers: (await context.inspector()).resolvers(),
    now: context.clock.now(),
  };
}

function configFact(context: Context): ConfigFact {
  const { path, profiles, profile } = readConfigFile(context);
  return {
    path,
    profiles: Object.keys(profiles).length,
    ...(profile === undefined ? {} : { profile }),
    exists: statSync(path, { throwIfNoEntry: false }) !== undefined,
  };
}

function baseUrlFact({ global, context }: Session): Exclude<DoctorFacts['baseUrl'], KnownFault> {
  const { baseUrl, baseUrlFrom, profile, projectPath } = resolveSettings(global, context);
  if (global.mock) return 'not needed';
  if (baseUrl === undefined || baseUrlFrom === undefined) return 'none';
  const places: Readonly<Record<Origin, string>> = {
    flag: '--base-url',
    environment: 'PETSTORE_BASE_URL',
    project: String(projectPath),
    profile: `profile ${String(profile)}`,
    config: 'config.json',
  };
  return { url: baseUrl, from: places[baseUrlFrom] };
}

async function keyFact({ global, context }: Session): Promise<KeyFact | 'none' | 'not needed'> {
  if (global.mock) return 'not needed';
  const found = await findApiKey(resolveSettings(global, context), context);
  return found === undefined ? 'none' : { source: keySource(found), shown: maskedKey(found.secret) };
}

/**
 * Everything of the program's own that others on the machine can reach; `undefined` where the system has no file modes.
 * To be asked before anything is read, for that closes some of it.
 */
export function findOpenPlaces(context: Context): readonly OpenPlace[] | undefined {
  if (context.platform === 'win32') return undefined;
  const config = resolve(context.currentDirectory, configDirectory(context));
  const keys = join(config, 'keys');
  const state = resolve(context.currentDirectory, stateDirectory(context));
  return [
    ...openPlace(config, 'configuration'),
    ...openPlace(join(config, 'config.json'), 'configuration'),
    ...openPlace(keys, 'a key'),
    ...namesIn(keys).flatMap((name) => openPlace(join(keys, name), 'a key')),
    ...openPlace(state, 'state'),
    ...namesIn(state).flatMap((name) => openPlace(join(state, name), 'state')),
  ];
}

function openPlace(path: string, holds: OpenPlace['holds']): OpenPlace[] {
  const found = ifAllowed(() => statSync(path, { throwIfNoEntry: false }));
  if (found === undefined || (found.mode & 0o077) === 0) return [];
  return [{ path, mode: found.mode & 0o777, holds, isDirectory: found.isDirectory() }];
}

function namesIn(directory: string): string[] {
  return ifAllowed(() => readdirSync(directory)) ?? [];
}

function gateFact(context: Context): GateFact {
  const gate = chosenGate(context);
  if (gate === 'memory') return { kind: 'memory' };
  if (gate !== 'file') return { kind: 'redis', address: new URL(gate.redisUrl).host };
  const directory = resolve(context.currentDirectory, stateDirectory(context), 'gate');
  const obstacle = whyUnwritable(directory);
  return { kind: 'file', directory, ...(obstacle === undefined ? {} : { obstacle }) };
}

/** Looks at the nearest directory that there is: what is missing below it is made when it is needed. */
function whyUnwritable(directory: string): string | undefined {
  for (let nearest = directory; ; nearest = dirname(nearest)) {
    const found = ifAllowed(() => statSync(nearest, { throwIfNoEntry: false }));
    if (found === undefined && dirname(nearest) !== nearest) continue;
    if (found?.isDirectory() === false) return `${nearest} is no directory`;
    try {
      accessSync(nearest, constants.W_OK | constants.X_OK);
      return undefined;
    } catch (error) {
      return `${nearest} can't be written to (${whyUnread(error)})`;
    }
  }
}

function proxyFact(
  baseUrl: MachineFacts['baseUrl'],
  context: Context,
): Exclude<DoctorFacts['proxy'], KnownFault> {
  const url = typeof baseUrl === 'object' && 'url' in baseUrl ? baseUrl.url : undefined;
  const proxy = url === undefined ? undefined : proxyFor(url, context);
  if (proxy === undefined) return 'none';
  const { protocol, host } = new URL(proxy.url);
  // The rest of it may be a password.
  return { address: `${protocol}//${host}`, from: proxy.from };
}

function extraAuthorities(
  file: string,
  { currentDirectory }: Context,
): NonNullable<DoctorFacts['extraAuthorities']> {
  try {
    readRegularFile(resolve(currentDirectory, file));
    return { file };
  } catch (error) {
    return { file, fault: whyUnread(error) };
  }
}

/** `undefined` also where one may not look. */
function ifAllowed<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
