import { loginCommand } from '../../api-key.js';
import { shellWord } from '../../shell-word.js';
import type { Check } from './check.js';
import type { DoctorFacts, GateFact, OpenPlace } from './facts.js';
import { isFault, type KnownFault } from './fault.js';
import { serviceChecks } from './diagnose-service.js';

/** Judges the facts: every check, in a fixed order, whatever it came to. */
export function diagnose(facts: DoctorFacts): Check[] {
  return [
    program(facts),
    config(facts),
    project(facts),
    baseUrl(facts),
    key(facts),
    permissions(facts),
    gate(facts),
    proxy(facts),
    resolvers(facts),
    ...serviceChecks(facts),
  ];
}

function program({ program: { version, nodeVersion, platform } }: DoctorFacts): Check {
  return { id: 'program', state: 'ok', finding: `petstore ${version}, Node ${nodeVersion}, ${platform}` };
}

function config({ config: fact }: DoctorFacts): Check {
  if (isFault(fact)) return failed('config', fact, 'petstore help config shows what the file may hold');
  const { path, profiles, profile, exists } = fact;
  if (!exists) return { id: 'config', state: 'ok', finding: `none yet; it would be ${path}` };
  const count = `${String(profiles)} ${profiles === 1 ? 'profile' : 'profiles'}`;
  const used = profile === undefined ? '' : `, ${profile} is in use`;
  return { id: 'config', state: 'ok', finding: `${path}: ${count}${used}` };
}

function project({ project: fact }: DoctorFacts): Check {
  if (fact === undefined)
    return { id: 'project', state: 'ok', finding: 'no petstore.config.json here or above' };
  if (isFault(fact)) return failed('project', fact, 'petstore help config shows what the file may hold');
  return { id: 'project', state: 'ok', finding: fact.path };
}

function baseUrl(facts: DoctorFacts): Check {
  const fact = facts.baseUrl;
  if (fact === 'not needed') return { id: 'base-url', state: 'skipped', finding: 'the mock needs none' };
  if (fact === 'none') {
    const remedy = 'petstore auth login --base-url https://HOST/v1, or set PETSTORE_BASE_URL';
    return { id: 'base-url', state: 'failed', finding: 'none: it is not known where the service is', remedy };
  }
  if (isFault(fact)) return otherFault('base-url', fact, facts);
  return { id: 'base-url', state: 'ok', finding: `${fact.url}, from ${fact.from}` };
}

function key(facts: DoctorFacts): Check {
  const { key: fact, service } = facts;
  if (fact === 'not needed')
    return { id: 'key', state: 'skipped', finding: 'the mock brings a key of its own' };
  if (fact === 'none') {
    const remedy = `${loginCommand(facts.profile)}, or set PETSTORE_API_KEY`;
    return { id: 'key', state: 'failed', finding: 'none', remedy };
  }
  if (isFault(fact)) return otherFault('key', fact, facts);
  const known = `${fact.shown}, from ${fact.source}`;
  if (!('key' in service)) return { id: 'key', state: 'ok', finding: `${known}; the service was not asked` };
  if (service.key === 'accepted')
    return { id: 'key', state: 'ok', finding: `${known}; the service accepts it` };
  const remedy =
    fact.source === 'PETSTORE_API_KEY'
      ? 'set PETSTORE_API_KEY to a key of this service'
      : loginCommand(facts.profile);
  return { id: 'key', state: 'failed', finding: `${known}; the service refuses it (401)`, remedy };
}

function permissions({ openPlaces }: DoctorFacts): Check {
  const id = 'permissions';
  if (openPlaces === undefined)
    return { id, state: 'skipped', finding: 'this system keeps them in another way' };
  if (openPlaces.length === 0)
    return { id, state: 'ok', finding: 'keys, configuration and state are for their owner alone' };
  const [first] = openPlaces;
  const more = openPlaces.length === 1 ? '' : `, and ${String(openPlaces.length - 1)} more`;
  const isGrave = openPlaces.some(isDangerous);
  const finding = `${String(first?.path)} is open to others (${octal(first)})${more}`;
  const remedy = `chmod go= ${openPlaces.map(({ path }) => shellWord(path)).join(' ')}`;
  return { id, state: isGrave ? 'failed' : 'warn', finding, remedy };
}

/** A key that others can read, or a setting that they can change: it could send the key elsewhere. */
function isDangerous({ holds, mode, isDirectory }: OpenPlace): boolean {
  return (mode & 0o022) !== 0 || (holds === 'a key' && !isDirectory);
}

function octal(place: OpenPlace | undefined): string {
  return `0${(place?.mode ?? 0).toString(8)}`;
}

function gate({ gate: fact }: DoctorFacts): Check {
  if (isFault(fact)) return failed('state', fact, 'unset PETSTORE_GATE');
  const { finding, remedy } = gateFinding(fact);
  return remedy === undefined
    ? { id: 'state', state: 'ok', finding }
    : { id: 'state', state: 'warn', finding, remedy };
}

function gateFinding(fact: GateFact): { finding: string; remedy?: string } {
  if (fact.kind === 'memory')
    return { finding: 'the rate budget is kept in memory: each process has its own (PETSTORE_GATE)' };
  const place = fact.kind === 'file' ? `in ${fact.directory}` : `in the Redis at ${fact.address}`;
  if (fact.obstacle === undefined) return { finding: `the rate budget is kept ${place}` };
  const remedy =
    fact.kind === 'file'
      ? 'make it writable, or name another place: export PETSTORE_STATE_DIR=DIRECTORY'
      : 'start it or correct PETSTORE_GATE; PETSTORE_GATE=file keeps the budget on this machine';
  return { finding: `${fact.obstacle}: each process keeps a rate budget of its own`, remedy };
}

function proxy(facts: DoctorFacts): Check {
  const fact = facts.proxy;
  if (fact === 'none') return { id: 'proxy', state: 'ok', finding: 'none is used' };
  if (isFault(fact)) return failed('proxy', fact, 'petstore help environment');
  return { id: 'proxy', state: 'ok', finding: `${fact.address}, from ${fact.from}` };
}

function resolvers({ resolvers: addresses }: DoctorFacts): Check {
  if (addresses.length > 0) return { id: 'resolvers', state: 'ok', finding: addresses.join(', ') };
  const remedy = 'name one to the domain commands with --resolver, such as --resolver 9.9.9.9';
  return { id: 'resolvers', state: 'warn', finding: 'this machine names none', remedy };
}

function failed(id: string, { fault, hint }: KnownFault, remedy: string): Check {
  return { id, state: 'failed', finding: fault, remedy: hint === undefined ? remedy : `${hint}; ${remedy}` };
}

/** What already stands against a file is not told once more of what is read from it. */
function otherFault(id: string, fact: KnownFault, { config, project }: DoctorFacts): Check {
  const cause = [
    { name: 'config', fault: config },
    { name: 'project', fault: project },
  ].find(({ fault }) => isFault(fault) && fault.fault === fact.fault);
  if (cause !== undefined)
    return { id, state: 'skipped', finding: `can't be told before ${cause.name} is right` };
  return failed(id, fact, 'petstore config list --show-origin shows what says so');
}
