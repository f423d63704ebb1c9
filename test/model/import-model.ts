import type { ImportReport } from '../../src/bulk/job/import-job.js';
import { openImport } from '../../src/bulk/open-import.js';
import type { CallOptions, PetStore } from '../../src/client/internal.js';
import { RateLimitError, UnknownOutcomeError } from '../../src/errors.js';
import type { Pet } from '../../src/schema/pet-reader.js';
import { leave } from '../support/ledger-service.js';
import { createMemoryDisk } from '../support/memory-journal.js';
import { createVirtualClock, settle } from '../support/virtual-clock.js';
import { type Exploration, explore, type Step } from './explore.js';

export interface ImportBound {
  rows: number;
  concurrency: number;
  /** Runs of the import. A run follows a crash or the end of a run. */
  runs: number;
  /** Crashes, lost responses and 429 responses. */
  faults: number;
  /** Errors of the disk, to see that the checker finds them: a sync that ends early, and what a run reads. */
  syncsEarly?: boolean;
  damage?: (journal: string) => string;
}

type Outcome = 'created' | 'lost' | 'lost and created' | '429';
type Input = 'sync' | 'wait' | { list: readonly number[] } | { row: number; outcome: Outcome };
/** What has happened to a row: `done` means that the import has reported its pet. */
type Fate = 'unsent' | 'sent' | 'unknown' | 'responded' | 'done';

/** A state of a run is entered by its inputs, because promises can't be copied. */
interface Run {
  onUnknown: 'stop' | 'skip' | 'retry';
  journal: string;
  inputs: readonly Input[];
}

/** The state of the import, its journal and the service. */
interface World {
  run: Run | undefined;
  view: Awaited<ReturnType<typeof execute>> | undefined;
  /** Between two runs. */
  journal: string;
  fates: readonly Fate[];
  /** The row of each pet. */
  pets: readonly number[];
  runs: number;
  faults: number;
}

/** Explores an import whose journal is on a disk in memory. Its code is the real one, without the client. */
export function exploreImport(bound: ImportBound): Promise<Exploration> {
  const { rows, runs, faults } = bound;
  const fates = Array.from({ length: rows }, (): Fate => 'unsent');
  const none = { run: undefined, view: undefined, journal: '' };
  const start: World = { ...none, fates, pets: [], runs, faults };
  return explore(start, nextSteps, ({ run, ...world }) => JSON.stringify([run?.onUnknown, world]));

  async function nextSteps(world: World): Promise<Step<World>[]> {
    const { run, view, journal, pets } = world;
    if (run === undefined || view === undefined) {
      const seeds = (['stop', 'skip', 'retry'] as const).map((onUnknown) => ({
        onUnknown,
        journal,
        inputs: [],
      }));
      const before = { ...world, runs: world.runs - 1 };
      return Promise.all(
        world.runs === 0 ? [] : seeds.map((seed) => enter(before, seed, `a run starts (${seed.onUnknown})`)),
      );
    }
    if (view.counts !== undefined) return [endRun(world, view.counts)];
    const give = (before: World, input: Input, does: string): Promise<Step<World>> =>
      enter(before, { ...run, inputs: [...run.inputs, input] }, does);
    const respond = (before: World, row: number, outcome: Outcome): Promise<Step<World>> => {
      const fate = outcome === '429' ? 'unsent' : outcome === 'created' ? 'responded' : 'unknown';
      const created = outcome.endsWith('created') ? [...pets, row] : pets;
      const after = { ...before, pets: created, fates: before.fates.with(row - 1, fate) };
      return give(after, { row, outcome }, `row ${row}: ${outcome}`);
    };
    const steps = view.sent.map((row) => respond(world, row, 'created'));
    if (view.isSyncing) steps.push(give(world, 'sync', 'a sync ends'));
    if (view.isListing) steps.push(give(world, { list: pets }, 'the pets are listed'));
    if (steps.length === 0 && view.isWaiting) steps.push(give(world, 'wait', 'time passes'));
    if (steps.length === 0)
      return [{ action: 'nothing happens', state: world, violation: 'a run never ends' }];
    if (world.faults === 0) return Promise.all(steps);
    const faulty = { ...world, faults: world.faults - 1 };
    for (const row of view.sent)
      for (const outcome of ['429', 'lost', 'lost and created'] as const)
        steps.push(respond(faulty, row, outcome));
    return [...(await Promise.all(steps)), ...crashes(faulty, view)];
  }

  async function enter(before: World, run: Run, does: string): Promise<Step<World>> {
    const view = await execute(run, bound);
    const sent = view.sent.filter((row) => before.view?.sent.includes(row) !== true);
    const fates = before.fates.map((fate, at) =>
      sent.includes(at + 1) ? 'sent' : view.created.includes(at + 1) ? 'done' : fate,
    );
    const violation = sent.flatMap((row) => rejectSend(before, run, row) ?? [])[0];
    const action = sent.length === 0 ? does : `${does}; row ${sent.join(' and ')} is sent`;
    return { action, state: { ...before, run, view, fates }, violation };
  }

  function rejectSend({ fates, pets }: World, { onUnknown }: Run, row: number): string | undefined {
    const fate = fates[row - 1];
    const canRetry = fate === 'unknown' && onUnknown === 'retry' && !pets.includes(row);
    return fate === 'unsent' || canRetry ? undefined : `row ${row} (${fate}) is sent again`;
  }

  /** Stops the machine. Nothing, half, nearly all or all of the unsynced journal is on the disk, and zeros follow it. */
  function crashes(world: World, { safe, unsynced, sent }: NonNullable<World['view']>): Step<World>[] {
    const { length } = unsynced;
    const lost = world.fates.map((fate) => (fate === 'sent' || fate === 'responded' ? 'unknown' : fate));
    return [...new Set([0, length >> 1, Math.max(0, length - 1), length])].flatMap((bytes) =>
      (sent.length === 0 ? [[]] : [[], sent]).map((created) => {
        const journal = safe + unsynced.slice(0, bytes) + (sent.length > 0 ? '\0\0' : '');
        const action = `a crash keeps ${bytes} of ${length} unsynced bytes, ${created.length} pets are created`;
        return {
          action,
          state: { ...world, ...none, journal, fates: lost, pets: [...world.pets, ...created] },
        };
      }),
    );
  }

  /** Compares the counts at the end of a run with what has happened. */
  function endRun(world: World, counts: ImportReport['counts']): Step<World> {
    const { created, alreadyDone, unknown, left } = counts;
    const count = (wanted: Fate): number => world.fates.filter((fate) => fate === wanted).length;
    const done = created + alreadyDone;
    const isRight = done >= count('done') && left <= count('unsent') && done + unknown + left === rows;
    const violation = isRight ? undefined : `the report is wrong: ${JSON.stringify(counts)}`;
    return { action: 'the run ends', state: { ...world, ...none, journal: world.view!.safe }, violation };
  }
}

/** Starts a run, and gives it its inputs, each after the effects of the one before. */
async function execute({ onUnknown, journal, inputs }: Run, { rows, concurrency, ...disk }: ImportBound) {
  const [sent, created] = [new Map<number, (outcome: Outcome) => void>(), [] as number[]];
  let onSync: (() => void) | undefined;
  let onList: ((rows: readonly number[]) => void) | undefined;
  let counts: ImportReport['counts'] | undefined;
  const petOf = (row: number, id: number): Pet => ({ id: BigInt(id), name: `pet-${row}`, categoryId: 7n });
  const memory = createMemoryDisk(disk.damage?.(journal) ?? journal);
  const sync = async (): Promise<void> => {
    if (disk.syncsEarly === true) return;
    await new Promise<void>((resolve) => (onSync = resolve));
    onSync = undefined;
    await file.sync();
  };
  const file = await memory.open();
  type Options = CallOptions & { schema: { parse(body: unknown): Pet } };
  const create = async (pet: Pet, options: Options): Promise<Pet> => {
    const row = Number(pet.name.slice('pet-'.length));
    await leave(options);
    const outcome = await new Promise<Outcome>((resolve) => sent.set(row, resolve));
    sent.delete(row);
    if (outcome === '429')
      throw new RateLimitError('too many requests', { status: 429, retryAt: new Date(0) } as never);
    if (outcome !== 'created') throw new UnknownOutcomeError('the response was lost');
    return options.schema.parse(petOf(row, 100 + row));
  };
  const listAll = async (): Promise<{ pets: Pet[]; complete: boolean }> => {
    const listed = await new Promise<readonly number[]>((resolve) => (onList = resolve));
    onList = undefined;
    return { pets: listed.map((row, place) => petOf(row, 1_000 + place)), complete: true };
  };
  const clock = createVirtualClock();
  const lines = Array.from({ length: rows }, (_, at) =>
    JSON.stringify({ name: `pet-${at + 1}`, category: 7 }),
  );
  const input = { kind: 'file', path: lines.join('\n') } as const;
  const options = {
    input,
    format: 'ndjson',
    journal: 'j',
    service: 's',
    resume: 'if-started',
    clock,
  } as const;
  const onEvent = (event: { type: string; row?: number }): void =>
    void (event.type === 'created' && created.push(event.row!));
  void openImport(options, async () => ({ ...file, isNew: journal === '', sync }))
    .then((job) =>
      job.run({ pets: { create, listAll } } as unknown as PetStore, { onUnknown, concurrency, onEvent }),
    )
    .then((report) => (counts = report.counts))
    // The run then never ends.
    .catch(() => undefined);
  await quiet();
  for (const given of inputs) {
    if (given === 'sync') onSync!();
    else if (given === 'wait') await clock.next();
    else if ('list' in given) onList!(given.list);
    else sent.get(given.row)!(given.outcome);
    await quiet();
  }
  const [isSyncing, isListing, isWaiting] = [onSync !== undefined, onList !== undefined, clock.pending > 0];
  const safe = memory.content();
  const unsynced = memory.written().slice(safe.length);
  return { safe, unsynced, sent: [...sent.keys()], created, isSyncing, isListing, isWaiting, counts };
}

/** Journals write at the end of a turn, and readers take some turns. */
async function quiet(): Promise<void> {
  for (let turn = 0; turn < 6; turn += 1) await settle();
}
