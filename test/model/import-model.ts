import type { RowState } from '../../src/bulk/journal/row-states.js';
import { type Exploration, explore, Replays, type Step } from './explore.js';
import {
  ACCESS,
  type ImportInput,
  type ImportPet,
  ImportProcess,
  type ImportView,
  type RunSeed,
} from './import-process.js';
import { loadSource, type SourceChange } from './load-source.js';

export interface ImportBound {
  rows: number;
  concurrency: number;
  /** Runs of the import. A run follows a crash or the end of a run. */
  runs: number;
  /** Crashes, lost responses and 429 responses. */
  faults: number;
}

/**
 * - `unsent`: no request can have created a pet of the row.
 * - `sent`: its request is in flight.
 * - `unknown`: a request was sent, and its response is lost.
 * - `responded`: the response has arrived.
 * - `done`: the import has reported its pet.
 */
type Fate = 'unsent' | 'sent' | 'unknown' | 'responded' | 'done';

/** The state of the import, its journal and the service. */
interface World {
  /** Of `Replays`. `undefined` between two runs. */
  state: number | undefined;
  /** The journal between two runs. */
  journal: string;
  onUnknown: RunSeed['options']['onUnknown'];
  /** By row. */
  fates: Fate[];
  pets: ImportPet[];
  runs: number;
  faults: number;
}

/** Explores an import whose journal is on a disk in memory. */
export async function exploreImport(bound: ImportBound, ...changes: SourceChange[]): Promise<Exploration> {
  type Source = ConstructorParameters<typeof ImportProcess>[0];
  const source = await loadSource<Source>('bulk/open-import.ts', [...changes, ...ACCESS]);
  const ignored = ['$options', '$store', '$rejectedFiles', 'clock'];
  const model = new ImportModel(
    bound,
    new Replays((seed: RunSeed) => new ImportProcess(source, seed), ignored),
  );
  const { rows, runs, faults } = bound;
  const fates = Array.from({ length: rows }, (): Fate => 'unsent');
  const start: World = { state: undefined, journal: '', onUnknown: 'stop', fates, pets: [], runs, faults };
  return explore(start, (world) => model.next(world));
}

class ImportModel {
  constructor(
    private readonly bound: ImportBound,
    private readonly replays: Replays<RunSeed, ImportInput, ImportView>,
  ) {}

  async next(world: World): Promise<Step<World>[]> {
    if (world.state === undefined) return world.runs === 0 ? [] : this.#starts(world);
    const view = this.replays.view(world.state);
    const { isSyncing, isListing, isWaiting, sent, states } = view;
    if (states.length > 0) return [endRun(world, view)];
    const steps: Step<World>[] = [];
    const step = async (action: string, input: ImportInput): Promise<void> =>
      void steps.push(await this.#step(world, input, action));
    if (isSyncing) await step('a sync ends', { kind: 'synced' });
    if (isListing) await step('the pets are listed', { kind: 'listed', pets: world.pets });
    for (const row of sent) steps.push(await this.#respond(world, row, 'created', true));
    if (steps.length === 0 && isWaiting) await step('time passes', { kind: 'wake' });
    if (steps.length === 0)
      return [{ action: 'nothing is left to do', state: world, violation: 'the run never ends' }];
    if (world.faults === 0) return steps;
    const faulty = { ...world, faults: world.faults - 1 };
    for (const row of sent) {
      steps.push(await this.#respond(faulty, row, 429, false));
      for (const isCreated of [true, false]) steps.push(await this.#respond(faulty, row, 'lost', isCreated));
    }
    return [...steps, ...crashes(faulty, view)];
  }

  /** Starts the next run, with each option. */
  async #starts(world: World): Promise<Step<World>[]> {
    const { rows, concurrency } = this.bound;
    const steps: Step<World>[] = [];
    for (const onUnknown of ['stop', 'skip', 'retry'] as const) {
      const seed = { journal: world.journal, rows, options: { onUnknown, concurrency } };
      const state = await this.replays.start(seed);
      const next = { ...world, state, journal: '', onUnknown, runs: world.runs - 1 };
      steps.push({ action: `a run starts (${onUnknown})`, state: next });
    }
    return steps;
  }

  async #step(before: World, input: ImportInput, does: string): Promise<Step<World>> {
    const sentBefore = this.replays.view(before.state!).sent;
    const state = await this.replays.step(before.state!, input);
    const { sent, created, failure } = this.replays.view(state);
    const added = sent.filter((row) => !sentBefore.includes(row));
    const fates = before.fates.map((fate, index) =>
      added.includes(index + 1) ? 'sent' : created.includes(index + 1) ? 'done' : fate,
    );
    const violation = failure ?? added.flatMap((row) => rejectSend(before, row) ?? [])[0];
    const action = added.length === 0 ? does : `${does}; row ${added.join(' and ')} is sent`;
    return { action, state: { ...before, state, fates }, violation };
  }

  #respond(
    before: World,
    row: number,
    outcome: 'created' | 'lost' | 429,
    isCreated: boolean,
  ): Promise<Step<World>> {
    const pet = newPet(before, row);
    const pets = isCreated ? [...before.pets, pet] : before.pets;
    const fate = outcome === 'created' ? 'responded' : outcome === 'lost' ? 'unknown' : 'unsent';
    const name =
      outcome === 'lost' ? `response lost, pet ${isCreated ? '' : 'not '}created` : String(outcome);
    const world = { ...before, pets, fates: before.fates.with(row - 1, fate) };
    return this.#step(world, { kind: 'response', outcome, ...pet }, `row ${row}: ${name}`);
  }
}

/** Stops the machine. Nothing, half, nearly all or all of the unsynced journal is on the disk, and zeros follow it. */
function crashes(world: World, { safe, unsynced, sent }: ImportView): Step<World>[] {
  const fates = world.fates.map((fate) => (fate === 'sent' || fate === 'responded' ? 'unknown' : fate));
  const { length } = unsynced;
  const kept = [...new Set([0, length >> 1, Math.max(0, length - 1), length])];
  return kept.flatMap((bytes) =>
    (sent.length > 0 ? [true, false] : [false]).map((isCreated) => {
      const pets = isCreated ? [...world.pets, ...sent.map((row) => newPet(world, row))] : world.pets;
      const journal = safe + unsynced.slice(0, bytes) + (sent.length > 0 ? '\0\0' : '');
      const action = `a crash keeps ${bytes} of ${length} unsynced bytes${isCreated ? ', the sent pets are created' : ''}`;
      return { action, state: { ...world, state: undefined, journal, fates, pets } };
    }),
  );
}

function endRun(world: World, { safe, states }: ImportView): Step<World> {
  const violation = states.flatMap((state, index) => rejectState(world, index + 1, state) ?? [])[0];
  return { action: 'the run ends', state: { ...world, state: undefined, journal: safe }, violation };
}

function newPet({ pets }: World, row: number): ImportPet {
  return { row, id: 100 * (1 + pets.filter((pet) => pet.row === row).length) + row };
}

function rejectSend({ fates, pets, onUnknown }: World, row: number): string | undefined {
  const fate = fates[row - 1]!;
  const canRetry = fate === 'unknown' && onUnknown === 'retry' && !pets.some((pet) => pet.row === row);
  return fate === 'unsent' || canRetry ? undefined : `row ${row} (${fate}) is sent again`;
}

/** Compares the state of a row at the end of a run with what has happened to it. */
function rejectState({ fates, pets }: World, row: number, state: RowState): string | undefined {
  const fate = fates[row - 1]!;
  const isRight =
    state === 'left'
      ? fate === 'unsent'
      : state === 'unknown'
        ? fate !== 'done'
        : state !== 'in-flight' && pets.some((pet) => pet.row === row);
  return isRight ? undefined : `row ${row} (${fate}) has the state ${state}`;
}
