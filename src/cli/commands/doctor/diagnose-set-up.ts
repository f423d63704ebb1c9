import { loginCommand } from '../../credentials/api-key.js';
import { describeOrigin } from '../../config/settings.js';
import { shellWord } from '../../text/shell-word.js';
import type { Check } from './check.js';
import type { DoctorFacts } from './facts.js';
import { failed, isFault, isNotAsked, isTold } from './fault.js';

/** Judges what was set up, and whether it goes together. */
export function setUpChecks(facts: DoctorFacts): Check[] {
  return [
    program(facts),
    settings(facts),
    config(facts),
    project(facts),
    profile(facts),
    baseUrl(facts),
    key(facts),
    destination(facts),
  ];
}

function program({ program: { version, nodeVersion, platform } }: DoctorFacts): Check {
  const id = 'program';
  const details = { version, node: nodeVersion, platform, supported: isSupported(nodeVersion) };
  const finding = `petstore ${version}, Node ${nodeVersion}, ${platform}`;
  if (details.supported) return { id, state: 'ok', finding, details };
  const remedy = 'install a Node of one of these: 20.19 or a later 20, 22.13 or a later 22, 24 or later';
  return { id, state: 'warn', finding: `${finding}: this Node is not supported`, remedy, details };
}

/** As `engines` of package.json has it. */
function isSupported(nodeVersion: string): boolean {
  const [major = 0, minor = 0] = nodeVersion.replace(/^v/, '').split('.').map(Number);
  return major >= 24 || (major === 20 && minor >= 19) || (major === 22 && minor >= 13);
}

function settings({ settings: faults }: DoctorFacts): Check {
  const id = 'settings';
  const [first, ...more] = faults;
  if (first === undefined) return { id, state: 'ok', finding: 'every PETSTORE_ variable is understood' };
  const details = { variables: faults.map(({ variable }) => variable) };
  const finding = [first, ...more].map(({ fault }) => fault).join('; ');
  const remedy = [first, ...more]
    .map(({ variable, hint }) => `unset ${variable}${hint === undefined ? '' : `, or ${hint}`}`)
    .join('; ');
  return { id, state: 'failed', finding, remedy, details };
}

const CONFIG_HELP = 'petstore help config shows what the file may hold';

function config({ config: fact }: DoctorFacts): Check {
  const id = 'config';
  if (isFault(fact)) return failed(id, fact, CONFIG_HELP);
  const { path, profiles, exists } = fact;
  const details = { path, profiles, exists };
  if (!exists) return { id, state: 'ok', finding: `none yet; it would be ${path}`, details };
  const count = `${String(profiles)} ${profiles === 1 ? 'profile' : 'profiles'}`;
  return { id, state: 'ok', finding: `${path}: ${count}`, details };
}

function project({ project: fact }: DoctorFacts): Check {
  const id = 'project';
  if (fact === undefined) return { id, state: 'ok', finding: 'no petstore.config.json here or above' };
  if (isFault(fact)) return failed(id, fact, CONFIG_HELP);
  const { path, isForeign } = fact;
  const details = { path, foreign: isForeign };
  if (!isForeign) return { id, state: 'ok', finding: path, details };
  const remedy = `look whether all it says is right; sudo chown -h "$(id -u)" ${shellWord(path)} makes it yours`;
  return { id, state: 'warn', finding: `${path} belongs to another user`, remedy, details };
}

function profile({ profile: fact }: DoctorFacts): Check {
  const id = 'profile';
  if (fact === 'none') return { id, state: 'ok', finding: 'none is in use' };
  if (isNotAsked(fact)) return { id, state: 'skipped', finding: fact.notAsked };
  if (isFault(fact)) return failed(id, fact, 'petstore auth list shows the profiles');
  const from = describeOrigin(fact.from, { setting: 'profile' });
  return { id, state: 'ok', finding: `${fact.name}, from ${from}`, details: fact };
}

function baseUrl({ baseUrl: fact }: DoctorFacts): Check {
  const id = 'base-url';
  if (fact === 'not needed') return { id, state: 'skipped', finding: 'the mock needs none' };
  if (fact === 'none') {
    const remedy = 'petstore auth login --base-url https://HOST/v1, or set PETSTORE_BASE_URL';
    return { id, state: 'failed', finding: 'none: it is not known where the service is', remedy };
  }
  if (isNotAsked(fact)) return { id, state: 'skipped', finding: fact.notAsked };
  if (isFault(fact)) return failed(id, fact, 'petstore config list --show-origin shows what says so');
  return { id, state: 'ok', finding: `${fact.url}, from ${fact.from}`, details: fact };
}

function key({ key: fact, profile, service }: DoctorFacts): Check {
  const id = 'key';
  const login = loginCommand(isTold(profile) ? profile.name : undefined);
  if (fact === 'not needed') return { id, state: 'skipped', finding: 'the mock brings a key of its own' };
  if (fact === 'none')
    return { id, state: 'failed', finding: 'none', remedy: `${login}, or set PETSTORE_API_KEY` };
  if (isNotAsked(fact)) return { id, state: 'skipped', finding: fact.notAsked };
  if (isFault(fact)) return failed(id, fact, login);
  const verdict = 'key' in service ? service.key : null;
  const details = { source: fact.source, shown: fact.shown, verdict };
  const known = `${fact.shown}, from ${fact.source}`;
  if (verdict === null) return { id, state: 'ok', finding: `${known}; the service was not asked`, details };
  if (verdict === 'accepted')
    return { id, state: 'ok', finding: `${known}; the service accepts it`, details };
  const remedy = fact.source === 'PETSTORE_API_KEY' ? 'set PETSTORE_API_KEY to a key of this service' : login;
  return { id, state: 'failed', finding: `${known}; the service refuses it (401)`, remedy, details };
}

function destination({ destination: fact }: DoctorFacts): Check {
  const id = 'destination';
  if (isNotAsked(fact)) return { id, state: 'skipped', finding: fact.notAsked };
  if (isFault(fact)) return failed(id, fact, 'pass --base-url');
  return { id, state: 'ok', finding: `the key may go to ${fact.origin}`, details: fact };
}
