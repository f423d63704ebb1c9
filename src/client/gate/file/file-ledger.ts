import { chmodSync, linkSync, mkdirSync, readdirSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPlainFile } from '../../../plain-file.js';
import type { Ledger, Reading, Swap } from '../gate-store.js';
import { elapsedMs, type MachineMoment, type MachineTime } from './machine-time.js';
import { isProcessGone } from './process-name.js';

/** What a file ledger is made with. */
export interface FileLedgerOptions {
  /** The folder of this budget, and of nothing else. Made when first written to. */
  folder: string;
  holder: string;
  time: MachineTime;
  /** Told when the folder has been made: a budget that is new here. */
  onNew?: () => void;
}

/**
 * A ledger in a folder, without any lock that a killed process could leave behind. Each text is a file of its own, named
 * by a number that counts up, and the highest is the one that counts. A swap writes its text aside and links it to the
 * next number, which fails where somebody else was first: all there or not there at all, whenever the process dies.
 *
 * Everything is synchronous: the files are small and local, and a one-shot command has nothing else to do meanwhile.
 */
export function createFileLedger(options: FileLedgerOptions): Ledger {
  return new FileLedger(options);
}

/**
 * So many old versions are left. A process that was stopped between reading and linking must not find its number free
 * again; where more than these have come since, it can't tell and counts itself as beaten.
 */
const VERSIONS_KEPT = 8;
/** Others may delete what one is about to read, as often as they write. */
const READS_MAX = 20;
/** Many times what a budget takes: more was not written by a ledger. */
const BYTES_MAX = 2 ** 20;
const ONLY_OWNER = 0o700;
/** A draft of a process that can't be looked up is left behind after this. */
const DRAFT_KEPT_MS = 60_000;

class FileLedger implements Ledger {
  readonly holder: string;
  readonly #folder: string;
  readonly #time: MachineTime;
  readonly #onNew: () => void;
  /** When each reading was taken, on the clocks of the machine. */
  readonly #moments = new WeakMap<Reading, MachineMoment>();
  #isFolderChecked = false;
  #drafts = 0;

  constructor({ folder, holder, time, onNew = () => undefined }: FileLedgerOptions) {
    this.holder = holder;
    this.#folder = folder;
    this.#time = time;
    this.#onNew = onNew;
  }

  isDead(holder: string): boolean {
    return isProcessGone(holder, this.holder);
  }

  read(): Reading {
    for (let reads = 0; reads < READS_MAX; reads += 1) {
      const version = this.#versions().at(-1) ?? 0;
      if (version === 0) return this.#empty();
      const content = ifThere(() =>
        readPlainFile(join(this.#folder, String(version)), { bytesMax: BYTES_MAX }),
      );
      if (content !== undefined) return this.#reading(version, parseContent(content));
    }
    throw new Error('the files of the gate change faster than they can be read');
  }

  swap(seen: Reading, text: string): Swap {
    if (!this.#isFolderChecked) this.#checkFolder();
    const version = Number(seen.version) + 1;
    const since = { now: seen.now, moment: this.#moments.get(seen) ?? this.#time() };
    if (this.#link(`${JSON.stringify(since)}\n${text}`, version)) {
      const versions = this.#versions();
      if ((versions.at(-1) ?? 0) < version + VERSIONS_KEPT) {
        for (const old of versions) if (old <= version - VERSIONS_KEPT) this.#remove(String(old));
        return { swapped: true, reading: this.#reading(version, { since, text }) };
      }
    }
    return { swapped: false, reading: this.read() };
  }

  #empty(): Reading {
    const moment = this.#time();
    const reading = { text: undefined, version: '0', now: moment.wall };
    this.#moments.set(reading, moment);
    return reading;
  }

  #reading(version: number, { since, text }: Content): Reading {
    const moment = this.#time();
    const now = since === undefined ? moment.wall : since.now + elapsedMs(since.moment, moment);
    const reading = { text, version: String(version), now };
    this.#moments.set(reading, moment);
    return reading;
  }

  /** The numbers of the texts, ascending. */
  #versions(): number[] {
    const names = ifThere(() => readdirSync(this.#folder)) ?? [];
    const versions: number[] = [];
    for (const name of names) {
      if (VERSION.test(name)) versions.push(Number(name));
      else if (name.endsWith(DRAFT)) this.#sweepDraft(name);
    }
    return versions.sort((one, other) => one - other);
  }

  /** Writes the text whole, then puts it in its place, unless that is taken. */
  #link(content: string, version: number): boolean {
    const draft = join(this.#folder, `${this.holder}.${String((this.#drafts += 1))}${DRAFT}`);
    try {
      this.#writeDraft(draft, content);
      return this.#putInPlace(draft, version);
    } finally {
      // Also where only half of it was written, to a disk that is full.
      this.#unlink(draft);
    }
  }

  #writeDraft(draft: string, content: string): void {
    const write = (): true => {
      writeFileSync(draft, content, { mode: 0o600, flag: 'wx' });
      return true;
    };
    if (ifThere(write) !== undefined) return;
    // Somebody has taken the folder away.
    this.#checkFolder();
    write();
  }

  #putInPlace(draft: string, version: number): boolean {
    try {
      linkSync(draft, join(this.#folder, String(version)));
      return true;
    } catch (error) {
      // Not there: this process slept for so long that its draft was swept.
      if (codeOf(error) === 'EEXIST' || codeOf(error) === 'ENOENT') return false;
      throw error;
    }
  }

  #sweepDraft(name: string): void {
    const writer = name.slice(0, name.indexOf('.'));
    if (writer === this.holder) return;
    const path = join(this.#folder, name);
    const writtenAt = ifThere(() => statSync(path).mtimeMs);
    const isOld = writtenAt !== undefined && Math.abs(this.#time().wall - writtenAt) > DRAFT_KEPT_MS;
    if (isOld || this.isDead(writer)) this.#remove(name);
  }

  #remove(name: string): void {
    this.#unlink(join(this.#folder, name));
  }

  #unlink(path: string): void {
    ifThere(() => {
      unlinkSync(path);
    });
  }

  #checkFolder(): void {
    let mode = ifThere(() => statSync(this.#folder).mode);
    if (mode === undefined) {
      mkdirSync(this.#folder, { recursive: true, mode: ONLY_OWNER });
      mode = statSync(this.#folder).mode;
      this.#onNew();
    }
    if ((mode & 0o077) !== 0) chmodSync(this.#folder, ONLY_OWNER);
    this.#isFolderChecked = true;
  }
}

const VERSION = /^[1-9]\d{0,14}$/;
const DRAFT = '.tmp';

/** What a file holds: the text, and a moment by which the time of the ledger is known. */
interface Content {
  since: { now: number; moment: MachineMoment } | undefined;
  text: string;
}

/** A file that is torn or none of ours gives a text that is no budget, and whoever reads that begins anew. */
function parseContent(content: string): Content {
  const end = content.indexOf('\n');
  try {
    const { now, moment } = JSON.parse(content.slice(0, end)) as Record<string, unknown>;
    if (typeof now === 'number' && isMoment(moment))
      return { since: { now, moment }, text: content.slice(end + 1) };
  } catch {
    // Not ours.
  }
  return { since: undefined, text: content };
}

function isMoment(data: unknown): data is MachineMoment {
  if (typeof data !== 'object' || data === null) return false;
  const { boot, monotonic, uptime, wall } = data as Record<string, unknown>;
  return typeof boot === 'string' && [monotonic, uptime, wall].every((value) => typeof value === 'number');
}

/** `undefined` where the file has gone meanwhile, or was never there. */
function ifThere<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function codeOf(error: unknown): unknown {
  return (error as NodeJS.ErrnoException).code;
}
