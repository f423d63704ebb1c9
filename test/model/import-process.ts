import type { OnUnknown } from '../../src/bulk/job/import-job.js';
import type { JournalFile } from '../../src/bulk/journal/journal-file.js';
import type { RowState } from '../../src/bulk/journal/row-states.js';
import type { openImport } from '../../src/bulk/open-import.js';
import type { RunInput } from '../../src/bulk/send/import-run.js';
import type { CallOptions, PetStore } from '../../src/client/index.js';
import { AbortedError, RateLimitError, UnknownOutcomeError } from '../../src/errors.js';
import type { Pet } from '../../src/schema/pet-reader.js';
import type { SourceChange } from './load-source.js';

/** The start of a run: what is on the disk, and its options. */
export interface RunSeed {
  journal: string;
  rows: number;
  options: { onUnknown: OnUnknown; concurrency: number };
}

export interface ImportPet {
  row: number;
  id: number;
}

type Outcome = 'created' | 'lost' | 429;

/** What happens to an import. */
export type ImportInput =
  | { kind: 'synced' }
  | ({ kind: 'response'; outcome: Outcome } & ImportPet)
  | { kind: 'listed'; pets: readonly ImportPet[] }
  | { kind: 'wake' };

export type ImportView = ReturnType<ImportProcess['view']>;

/** One run of an import, with its journal on a disk in memory. */
export class ImportProcess {
  safe: string;
  written: string;
  /** The state before the run starts: the number of syncs. */
  opening = 0;
  run: { readonly $input: RunInput } | undefined;
  /** All rows that the run has taken, and its lists. */
  readonly taken: number[] = [];
  lists = 0;
  readonly sent = new Map<number, (outcome: Outcome, id: number) => void>();
  readonly created: number[] = [];
  onSynced: (() => void) | undefined;
  onListed: ((pets: Pet[]) => void) | undefined;
  timers: (() => void)[] = [];
  hasEnded = false;
  failure: string | undefined;

  constructor(source: { openImport: typeof openImport }, { journal, rows, options }: RunSeed) {
    this.safe = this.written = journal;
    const setTimeout = (callback: () => void): (() => void) => {
      this.timers.push(callback);
      return () => (this.timers = this.timers.filter((other) => other !== callback));
    };
    const clock = { now: () => 0, monotonic: () => 0, setTimeout };
    const lines = Array.from({ length: rows }, (_, index) =>
      JSON.stringify({ name: nameOf(index + 1), categoryId: 7 }),
    );
    const input = { kind: 'file', path: `text:${lines.join('\n')}` } as const;
    const onEvent = ({ type, row = 0 }: { type: string; row?: number }): void => {
      if (type === 'created') this.created.push(row);
    };
    const onRun = (run: ImportProcess['run']): void => void (this.run = run);
    const store = { request: this.#request, pets: { listAll: this.#listAll } } as unknown as PetStore;
    source
      .openImport(
        { input, format: 'ndjson', journal: 'j', service: 's', resume: 'if-started', clock },
        async () => this.#file(),
      )
      .then((job) => job.run(store, { ...options, onEvent, onRun } as object))
      .then(() => (this.hasEnded = true))
      .catch((error: unknown) => (this.failure = String(error)));
  }

  apply(input: ImportInput): void {
    if (input.kind === 'synced') this.onSynced!();
    else if (input.kind === 'response') this.sent.get(input.row)!(input.outcome, input.id);
    else if (input.kind === 'listed') this.onListed!(input.pets.map(petOf));
    else for (const callback of this.timers.splice(0)) callback();
  }

  view() {
    const { safe, written, created, failure, hasEnded } = this;
    const states = this.run?.$input.journal.states;
    const rowStates = hasEnded
      ? Array.from({ length: states!.rows }, (_, at): RowState => states!.get(at + 1))
      : [];
    const isSyncing = this.onSynced !== undefined;
    const isListing = this.onListed !== undefined;
    const isWaiting = this.timers.length > 0;
    const unsynced = written.slice(safe.length);
    return {
      isSyncing,
      isListing,
      isWaiting,
      sent: [...this.sent.keys()],
      created,
      safe,
      unsynced,
      states: rowStates,
      failure,
    };
  }

  /** The order of the records of different rows does not matter. */
  toJSON(): object {
    const pending = [this.onSynced === undefined, this.onListed === undefined];
    return { ...this, safe: recordsOf(this.safe), written: recordsOf(this.written), pending };
  }

  #file(): JournalFile {
    const read = async function* (this: ImportProcess): AsyncGenerator<Uint8Array> {
      yield Buffer.from(this.written, 'latin1');
    };
    const sync = (): Promise<void> =>
      new Promise((resolve) => {
        this.onSynced = () => {
          this.onSynced = undefined;
          if (this.run === undefined) this.opening += 1;
          this.safe = this.written;
          resolve();
        };
      });
    return {
      isNew: this.safe === '',
      read: read.bind(this),
      truncate: async (length) => void (this.safe = this.written = this.written.slice(0, length)),
      append: async (text) => void (this.written += text),
      reserve: () => undefined,
      sync,
      close: async () => undefined,
      discard: async () => undefined,
    };
  }

  /** What a client does with a create request. */
  readonly #request = async (
    _method: string,
    _path: string,
    { body }: { body: { name: string } },
    { beforeSend, waitSignal, schema }: CallOptions & { schema: { parse(body: unknown): Pet } },
  ): Promise<Pet> => {
    const row = Number(body.name.slice(nameOf('').length));
    this.taken.push(row);
    try {
      await beforeSend?.();
      waitSignal?.throwIfAborted();
    } catch (cause) {
      throw new AbortedError('aborted', { outcome: 'not-sent', cause });
    }
    const [outcome, id] = await new Promise<[Outcome, number]>((resolve) =>
      this.sent.set(row, (...end) => resolve(end)),
    );
    this.sent.delete(row);
    if (outcome === 'lost') throw new UnknownOutcomeError('the response was lost');
    if (outcome === 429) throw new RateLimitError('rejected', { status: 429, retryAt: new Date(0) } as never);
    return schema.parse(petOf({ row, id }));
  };

  readonly #listAll = async (): Promise<{ pets: Pet[]; complete: boolean }> => {
    this.lists += 1;
    const pets = await new Promise<Pet[]>((resolve) => (this.onListed = resolve));
    this.onListed = undefined;
    return { pets, complete: true };
  };
}

const nameOf = (row: number | ''): string => `pet-${row}`;
const petOf = ({ row, id }: ImportPet): Pet => ({ id: BigInt(id), name: nameOf(row), categoryId: 7n });

/** Returns the records of complete lines by row, and whether the last line is complete. */
function recordsOf(journal: string): unknown[] {
  const lines = journal.split('\n');
  const isTorn = lines.pop() !== '';
  const records = lines.flatMap((line) => line.split(' ').slice(0, -1));
  const rowOf = (record: string): number => Number(/^[>=!?-](\d+)/.exec(record)?.[1] ?? 0);
  return [...records.sort((one, other) => rowOf(one) - rowOf(other)), isTorn];
}

const INPUT = 'bulk/input/input-file.ts';
const [READ, SIZE] = ['const stream = createReadStream', 'const stats = await stat(path)'];
const RUN = 'return new ImportRun(store, input, options).run();';

/** The path of the input is its text, and the model gets the run. */
export const ACCESS: readonly SourceChange[] = [
  {
    file: INPUT,
    from: READ,
    to: `if (path.startsWith('text:')) return yield Buffer.from(path.slice(5)); ${READ}`,
  },
  { file: INPUT, from: SIZE, to: `if (path.startsWith('text:')) return path.length - 5; ${SIZE}` },
  {
    file: 'bulk/open-import.ts',
    from: RUN,
    to: 'const run = new ImportRun(store, input, options); options.onRun(run); return run.run();',
  },
];
