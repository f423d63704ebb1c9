import { type Exploration, explore, type Step } from './explore.js';

export interface FilesBound {
  /** Runs of both processes together. */
  runs: number;
  /** Kills, failed writes, lost responses, and locks that are lost at any step. */
  faults: number;
  /** Rows of each input. */
  rows: number;
}

/** Errors that the program had, to see that the checker finds them. */
export interface FilesErrors {
  /** A run without a sent row removes the journal without asking for the lock. */
  removesUnguarded?: boolean;
  /** The journal is emptied before the next plan is on the disk, and an empty journal is compared with nothing. */
  emptiesFirst?: boolean;
}

type RowState = 'left' | 'sent' | 'created' | 'rejected' | 'saved';

/** A journal. `isWhole`: its plan is complete. */
interface JournalText {
  input: string;
  isWhole: boolean;
  rows: readonly RowState[];
}

/** A file at the path of the journal. The number tells it from another file there. */
interface JournalEntry extends JournalText {
  file: number;
}

type Place = 'load' | 'plan' | 'keep' | 'publish' | 'record' | 'send' | 'outcome' | 'save' | 'close';

interface Process {
  place: Place;
  input: string;
  resumes: boolean;
  /** The file that was there when the lock was acquired, or that this process put there. */
  known: number | undefined;
  /** Whether a finished journal of other rows must be kept. */
  keeps: boolean;
  kept: JournalText | undefined;
  isPublished: boolean;
  journal: JournalText;
  row: number;
  outcome: 'created' | 'rejected' | 'lost' | undefined;
}

interface World {
  journal: JournalEntry | undefined;
  kept: readonly JournalText[];
  /** Rejected rows in files, such as `A1`. */
  rejected: readonly string[];
  /** Which process has the lock. */
  lock: number | undefined;
  processes: readonly (Process | undefined)[];
  /** Rows that the service has received, and those that it has created. */
  received: readonly string[];
  created: readonly string[];
  files: number;
  runs: number;
  faults: number;
}

const INPUTS = ['A', 'B'];
const isDone = (state: RowState): boolean => state === 'created' || state === 'saved';
const isStarted = ({ isWhole, rows }: JournalText): boolean => isWhole && rows.some((row) => row !== 'left');

/**
 * Explores two processes that import files with the same journal. A step is one change of a file with its check, or one
 * request, in the order of `openImport`, `ImportRun` and `close`. The lock of a process can be lost at any step, as after
 * a suspension of 15 s.
 */
export function exploreFiles(bound: FilesBound, errors: FilesErrors = {}): Promise<Exploration> {
  const start: World = {
    journal: undefined,
    kept: [],
    rejected: [],
    lock: undefined,
    processes: [undefined, undefined],
    received: [],
    created: [],
    files: 0,
    runs: bound.runs,
    faults: bound.faults,
  };
  return explore(start, nextSteps);

  function nextSteps(world: World): Step<World>[] {
    return world.processes.flatMap((process, index) => {
      if (process !== undefined) return [...work(world, index, process), ...fail(world, index, process)];
      // Both processes are alike, so the first one without a run starts.
      const isFirst = world.processes.indexOf(undefined) === index;
      if (!isFirst || world.runs === 0 || world.lock !== undefined) return [];
      return INPUTS.flatMap((input) => [false, true].map((resumes) => acquire(world, index, input, resumes)));
    });
  }

  function acquire(world: World, index: number, input: string, resumes: boolean): Step<World> {
    const process: Process = {
      place: 'load',
      input,
      resumes,
      known: world.journal?.file,
      keeps: false,
      kept: undefined,
      isPublished: false,
      journal: emptyJournal(input),
      row: 0,
      outcome: undefined,
    };
    const state = change({ ...world, lock: index, runs: world.runs - 1 }, index, process);
    return {
      action: `${name(index)} locks the journal for ${input}${resumes ? ' with --resume' : ''}`,
      state,
    };
  }

  function emptyJournal(input: string): JournalText {
    return { input, isWhole: true, rows: Array.from({ length: bound.rows }, (): RowState => 'left') };
  }

  /** The next step of a process. Without the lock it changes nothing, and ends. */
  function work(world: World, index: number, process: Process): Step<World>[] {
    const act = (does: string, state: World, violation?: string): Step<World> => ({
      action: `${name(index)} ${does}`,
      state,
      violation,
    });
    const go = (more: Partial<Process>, before = world): World =>
      change(before, index, { ...process, ...more });
    const isOwn =
      world.lock === index && (world.journal === undefined || world.journal.file === process.known);
    const guarded = ['keep', 'publish', 'record', 'outcome', 'save'].includes(process.place);
    if (guarded && !isOwn) return [act('finds that the lock is lost', go({ place: 'close' }))];
    switch (process.place) {
      case 'load':
        return [load(world, index, process)];
      case 'plan': {
        const isNext = process.keeps && process.journal.rows.every((row) => row === 'left');
        if (errors.emptiesFirst === true && isNext && world.journal !== undefined) {
          const copied = { ...world, kept: [...world.kept, text(world.journal)] };
          const torn = put(copied, process, { ...process.journal, isWhole: false });
          return [
            act(
              'copies and empties the journal',
              change(torn.world, index, { ...torn.process, place: 'publish' }),
            ),
          ];
        }
        return [act('writes its plan to a draft', go({ place: isNext ? 'keep' : 'publish' }))];
      }
      case 'keep': {
        if (world.journal === undefined) return [act('finds no journal to keep', go({ place: 'close' }))];
        const kept = text(world.journal);
        return [
          act('keeps a copy', go({ place: 'publish', kept }, { ...world, kept: [...world.kept, kept] })),
        ];
      }
      case 'publish': {
        const next = put(world, process, process.journal);
        return [
          act(
            'publishes its journal',
            change(next.world, index, { ...next.process, isPublished: true, place: 'record' }),
          ),
        ];
      }
      case 'record': {
        const row = process.journal.rows.indexOf('left');
        if (row === -1) return [act('has sent all rows', go({ place: 'save' }))];
        const next = write(world, process, row, 'sent');
        return [
          act(
            `records row ${String(row + 1)} as sent`,
            change(next.world, index, { ...next.process, row, place: 'send' }),
          ),
        ];
      }
      case 'send':
        return (['created', 'rejected'] as const).map((outcome) => send(world, index, process, outcome));
      case 'outcome': {
        const { outcome, row } = process;
        if (outcome === 'lost' || outcome === undefined)
          return [act('has no outcome', go({ place: 'record' }))];
        const next = write(world, process, row, outcome);
        return [
          act(
            `records row ${String(row + 1)} as ${outcome}`,
            change(next.world, index, { ...next.process, place: 'record' }),
          ),
        ];
      }
      case 'save': {
        const row = process.journal.rows.indexOf('rejected');
        if (row === -1) return [act('has saved all rows', go({ place: 'close' }))];
        const saved = { ...world, rejected: [...world.rejected, process.input + String(row + 1)] };
        const next = write(saved, process, row, 'saved');
        return [act(`saves row ${String(row + 1)} in a file`, change(next.world, index, next.process))];
      }
      case 'close':
        return [close(world, index, process, isOwn)];
    }
  }

  /** Reads the journal, and decides whether and with what to start. */
  function load(world: World, index: number, process: Process): Step<World> {
    const { input, resumes } = process;
    const end = (why: string): Step<World> => ({
      action: `${name(index)} ends: ${why}`,
      state: unlock(change(world, index, undefined), index),
    });
    const found = world.journal !== undefined && isStarted(world.journal) ? world.journal : undefined;
    const isFinished = found?.rows.every(isDone) === true;
    if (found?.input === input) {
      if (!resumes && !isFinished) return end('rows are left');
      return {
        action: `${name(index)} resumes`,
        state: change(world, index, { ...process, journal: text(found), isPublished: true, place: 'record' }),
      };
    }
    if (found !== undefined && !isFinished) return end('the journal has other rows');
    if (found === undefined && resumes && world.journal?.isWhole !== true) return end('no journal to resume');
    const isCompared = errors.emptiesFirst !== true || found !== undefined;
    const isKept = isCompared && world.kept.some((kept) => kept.input === input && isStarted(kept));
    // All rows are equal. With --resume, none is left to send.
    if (isKept) return end('a finished import created these rows');
    return {
      action: `${name(index)} finds no import of ${input}`,
      state: change(world, index, { ...process, keeps: found !== undefined, place: 'plan' }),
    };
  }

  function send(
    world: World,
    index: number,
    process: Process,
    outcome: 'created' | 'rejected' | 'lost',
  ): Step<World> {
    const row = process.input + String(process.row + 1);
    const isCreated = outcome !== 'rejected';
    const state = change(
      {
        ...world,
        received: [...world.received, row],
        created: isCreated ? [...world.created, row] : world.created,
      },
      index,
      { ...process, outcome, place: 'outcome' },
    );
    const violation = world.received.includes(row) ? `row ${row} is sent twice` : undefined;
    return { action: `${name(index)} sends row ${row}: ${outcome}`, state, violation };
  }

  function close(world: World, index: number, process: Process, isOwn: boolean): Step<World> {
    const isUnsent = process.journal.rows.every((row) => row === 'left');
    let next = world;
    if (errors.removesUnguarded === true && isUnsent && !isOwn) next = { ...world, journal: undefined };
    else if (isOwn && isUnsent && process.kept !== undefined)
      next = { ...put(world, process, process.kept).world, kept: world.kept.slice(0, -1) };
    const state = unlock(change(next, index, undefined), index);
    return {
      action: `${name(index)} closes`,
      state,
      violation: isOwn ? findLost(world, process) : undefined,
    };
  }

  /** A row that the journal has as done was created, or is in a file. */
  function findLost({ created, rejected }: World, { input, journal }: Process): string | undefined {
    const lost = journal.rows.findIndex((state, row) => {
      const at = input + String(row + 1);
      return (state === 'created' && !created.includes(at)) || (state === 'saved' && !rejected.includes(at));
    });
    return lost === -1 ? undefined : `row ${input}${String(lost + 1)} is lost`;
  }

  function fail(world: World, index: number, process: Process): Step<World>[] {
    if (world.faults === 0) return [];
    const faulty = { ...world, faults: world.faults - 1 };
    const steps: Step<World>[] = [
      { action: `${name(index)} is killed`, state: unlock(change(faulty, index, undefined), index) },
    ];
    if (world.lock === index)
      steps.push({ action: `${name(index)} is suspended and loses the lock`, state: unlock(faulty, index) });
    if (process.place === 'send') steps.push(send(faulty, index, process, 'lost'));
    // A failed record stops the run. What the disk has of it does not count.
    else if (process.place !== 'close')
      steps.push({
        action: `${name(index)} can't write`,
        state: change(faulty, index, { ...process, place: 'close' }),
      });
    return steps;
  }

  function write(world: World, process: Process, row: number, state: RowState) {
    const journal = { ...process.journal, rows: process.journal.rows.with(row, state) };
    const entry = { ...journal, file: world.journal?.file ?? process.known ?? 0 };
    return { world: { ...world, journal: entry }, process: { ...process, journal } };
  }

  /** Puts a new file at the path of the journal. */
  function put(world: World, process: Process, journal: JournalText) {
    const file = world.files + 1;
    return {
      world: { ...world, files: file, journal: { ...journal, file } },
      process: { ...process, known: file },
    };
  }
}

const name = (index: number): string => `process ${String(index + 1)}`;
const text = ({ input, isWhole, rows }: JournalText): JournalText => ({ input, isWhole, rows });

function change(world: World, index: number, process: Process | undefined): World {
  return { ...world, processes: world.processes.with(index, process) };
}

function unlock(world: World, index: number): World {
  return world.lock === index ? { ...world, lock: undefined } : world;
}
