import { describeDuration } from '../../text/duration.js';
import { shellWord } from '../../text/shell-word.js';
import type { Check } from './check.js';
import type { DoctorFacts, GateFact, GateObstacle, OpenPlace } from './facts.js';
import { isFault } from './fault.js';

/** Judges the files of this machine, and what its terminal shows. */
export function machineChecks(facts: DoctorFacts): Check[] {
  return [permissions(facts), gate(facts), completion(facts), terminal(facts)];
}

function permissions({ openPlaces }: DoctorFacts): Check {
  const id = 'permissions';
  if (openPlaces === undefined)
    return { id, state: 'skipped', finding: 'this system keeps them in another way' };
  const [first] = openPlaces;
  if (first === undefined)
    return { id, state: 'ok', finding: 'keys, configuration and state are for their owner alone' };
  const more = openPlaces.length === 1 ? '' : `, and ${String(openPlaces.length - 1)} more`;
  const what =
    first.ownerId === undefined
      ? `is open to others (${octal(first.mode)})`
      : `belongs to another user (${String(first.ownerId)})`;
  const finding = `${first.path} ${what}${more}`;
  const state = openPlaces.some(isDangerous) ? 'failed' : 'warn';
  const places = openPlaces.map(({ path, mode, holds, ownerId }) => ({
    path,
    mode: octal(mode),
    holds,
    ...(ownerId === undefined ? {} : { ownerId }),
  }));
  return { id, state, finding, remedy: closing(openPlaces), details: { places } };
}

/** A key that others can read, or what they can change: a setting could send the key elsewhere, and code do anything. */
function isDangerous({ holds, mode, isDirectory, ownerId }: OpenPlace): boolean {
  return ownerId !== undefined || (mode & 0o022) !== 0 || (holds === 'a key' && !isDirectory);
}

function octal(mode: number): string {
  return `0${mode.toString(8)}`;
}

function closing(places: readonly OpenPlace[]): string {
  const own = places.filter(({ ownerId }) => ownerId === undefined);
  const commands = [
    { command: 'sudo chown -h "$(id -u)"', paths: places.filter(({ ownerId }) => ownerId !== undefined) },
    { command: 'chmod go=', paths: own.filter(({ isShared }) => !isShared) },
    { command: 'chmod go-w', paths: own.filter(({ isShared }) => isShared) },
  ];
  return commands
    .filter(({ paths }) => paths.length > 0)
    .map(({ command, paths }) => `${command} ${paths.map(({ path }) => shellWord(path)).join(' ')}`)
    .join(' && ');
}

function gate({ gate: fact }: DoctorFacts): Check {
  const id = 'state';
  if (isFault(fact)) {
    const hint = fact.hint === undefined ? '' : `; ${fact.hint}`;
    return { id, state: 'failed', finding: fact.fault, remedy: `unset PETSTORE_GATE${hint}` };
  }
  const { budget, obstacle, reservePercent } = fact;
  const details = {
    kind: fact.kind,
    place: placeOf(fact),
    obstacle: obstacle === undefined ? null : wordsOf(obstacle),
    reservePercent: reservePercent ?? null,
    windows: budget?.windows ?? null,
    heldForMs: budget?.heldForMs ?? null,
  };
  if (obstacle === undefined)
    return { id, state: 'ok', finding: `${whereKept(fact)}${whatIsLeft(fact)}`, details };
  const finding = `${wordsOf(obstacle)}: each process keeps a rate budget of its own`;
  return { id, state: 'warn', finding, remedy: REMEDIES[obstacle.kind], details };
}

function placeOf(fact: GateFact): string | null {
  if (fact.kind === 'memory') return null;
  return fact.kind === 'file' ? fact.directory : fact.address;
}

function whereKept(fact: GateFact): string {
  if (fact.kind === 'memory')
    return 'the rate budget is kept in memory: each process has its own (PETSTORE_GATE)';
  return `the rate budget is kept in ${fact.kind === 'file' ? fact.directory : `the Redis at ${fact.address}`}`;
}

/** The tightest of the windows: it decides. */
function whatIsLeft({ budget, reservePercent }: GateFact): string {
  const [tightest] = [...(budget?.windows ?? [])].sort((one, other) => one.remaining - other.remaining);
  const left =
    tightest === undefined ? '' : `; ${String(tightest.remaining)} of ${String(tightest.limit)} left`;
  const heldForMs = budget?.heldForMs ?? 0;
  const held = heldForMs > 0 ? `; after a 429 nothing is sent for ${describeDuration(heldForMs)}` : '';
  const reserve =
    reservePercent === undefined ? '' : `; ${String(reservePercent)} % are left to others (--reserve)`;
  return `${left}${held}${reserve}`;
}

function wordsOf(obstacle: GateObstacle): string {
  switch (obstacle.kind) {
    case 'no-directory':
      return `${obstacle.path} is no directory`;
    case 'unwritable':
      return `${obstacle.path} can't be written to (${obstacle.code})`;
    case 'unanswered':
      return obstacle.reason;
  }
}

const OTHER_PLACE = 'export PETSTORE_STATE_DIR=DIRECTORY';
const REMEDIES: Readonly<Record<GateObstacle['kind'], string>> = {
  'no-directory': `name a directory: ${OTHER_PLACE}`,
  unwritable: `make it writable, or name another place: ${OTHER_PLACE}`,
  unanswered: 'start it or correct PETSTORE_GATE; PETSTORE_GATE=file keeps the budget on this machine',
};

function completion({ completion: fact }: DoctorFacts): Check {
  const id = 'completion';
  if (isFault(fact)) {
    const remedy = `rm ${shellWord(fact.path)}; petstore pets list makes it anew`;
    return { id, state: 'warn', finding: fact.fault, remedy, details: { path: fact.path, pets: null } };
  }
  const { path, pets } = fact;
  const finding =
    pets === 0
      ? 'no ids are remembered for it yet: petstore pets list does'
      : `${String(pets)} ${pets === 1 ? 'id is' : 'ids are'} remembered for it in ${path}`;
  return { id, state: 'info', finding, details: fact };
}

const DEPTHS = ['no colours', '16 colours', '256 colours', 'all colours'] as const;

function terminal({ terminal: fact }: DoctorFacts): Check {
  const { isTTY, width, colorLevel, decidedBy } = fact;
  const where = isTTY ? `${String(width)} columns` : 'stdout is none';
  const finding = `${where}; ${DEPTHS[colorLevel]}, by ${decidedBy}`;
  return { id: 'terminal', state: 'info', finding, details: fact };
}
