import { nodeModule } from '../../../node-module.js';
import { readPlainFile, UnsupportedFileError } from '../../../security/plain-file.js';
import { makePrivateFolder, resolvePrivateFolder } from '../../../security/private-folder.js';
import type { BudgetStore, Reading, Swap } from '../gate-store.js';
import { elapsedMs, isProcessDead, type MachineTime } from './machine.js';
import { systemErrorCode, systemErrorReason } from '../../../security/system-error.js';

const fs = nodeModule('node:fs');
const nodePath = nodeModule('node:path');

/** Options of `FileBudgetStore`. */
export interface FileBudgetStoreOptions {
  /** Folder of this budget only. Created at the first write. */
  folder: string;
  holder: string;
  readTime: () => MachineTime;
  /** Called after the folder has been created. */
  onCreate?: () => void;
}

/**
 * Maximum number of old versions. If a process is suspended between its read and its link, the link fails, because the
 * version exists. After more versions than these, the link may succeed, but the swap still counts as failed.
 */
const OLD_VERSIONS_MAX = 8;
/** Maximum number of reads, because other processes may delete a version before it is read. */
const READS_MAX = 20;
/** Many times the size of a budget. A larger file was not written by a store. */
const BYTES_MAX = 2 ** 20;
/** Drafts are removed after this time, even if their process may be alive. */
const DRAFT_LIFETIME_MS = 60_000;

/**
 * A store in a folder, without locks that a killed process could leave behind. Each version of the text is a
 * file named by its number; the highest number is current. A swap writes a draft and links it to the next number.
 * Linking is atomic, and fails if another process has used the number.
 *
 * Uses the folder only if no other user can change it. Removes nothing that a store has not written.
 *
 * All operations are synchronous: the files are small and local, and a one-shot command has nothing else to do.
 */
export class FileBudgetStore implements BudgetStore {
  readonly holder: string;
  readonly #options: FileBudgetStoreOptions;
  /** The folder without links, once it exists and is checked. */
  #checked: string | undefined;
  /** When each reading was taken. */
  readonly #readAt = new WeakMap<Reading, MachineTime>();
  #draftCount = 0;

  constructor(options: FileBudgetStoreOptions) {
    this.holder = options.holder;
    this.#options = options;
  }

  isDead(holder: string): boolean {
    return isProcessDead(holder, this.holder);
  }

  isCurrent({ version }: Reading): boolean {
    const exists = (number: number): boolean =>
      fs.existsSync(nodePath.join(this.#checked ?? '', nameOf(number)));
    // Old versions are removed in order: while this one exists, the next one was not removed.
    return this.#checked !== undefined && !exists(Number(version) + 1) && exists(Number(version));
  }

  /** @throws UnsafeFolderError; Error that names the directory and what is wrong with it. */
  read(): Reading {
    return this.#explaining(() => this.#readCurrent());
  }

  /** @throws as `read`. */
  swap(seen: Reading, text: string): Swap {
    return this.#explaining(() => this.#swapCurrent(seen, text));
  }

  /** Adds the meaning to the system's errors, because a warning shows their message. */
  #explaining<T>(operate: () => T): T {
    try {
      return operate();
    } catch (error) {
      const code = systemErrorCode(error);
      if (code === undefined) throw error;
      const isLink = (error as NodeJS.ErrnoException).syscall === 'link' && NO_LINK_CODES.has(code);
      const reason = isLink ? 'its file system has no hard links' : systemErrorReason(error);
      throw new Error(`${nodePath.dirname(this.#options.folder)}: ${reason}`, { cause: error });
    }
  }

  /** @throws UnsafeFolderError */
  get #folder(): string {
    if (this.#checked !== undefined) return this.#checked;
    const folder = resolvePrivateFolder(this.#options.folder);
    if (fs.existsSync(folder)) this.#checked = folder;
    return folder;
  }

  #readCurrent(): Reading {
    for (let reads = 0; reads < READS_MAX; reads += 1) {
      const version = versionsIn(this.#names()).at(-1) ?? 0;
      if (version === 0) return this.#reading(0, { text: undefined });
      const content = this.#readVersion(nameOf(version));
      if (content !== undefined) return this.#reading(version, content);
    }
    throw new Error('The stored rate budget changes faster than it can be read');
  }

  #swapCurrent(seen: Reading, text: string): Swap {
    const version = Number(seen.version) + 1;
    // A store never gets there by itself.
    if (version > VERSION_MAX) throw new Error('The stored rate budget has the highest version');
    const timestamp = { now: seen.now, moment: this.#readAt.get(seen) ?? this.#options.readTime() };
    if (this.#write(`${JSON.stringify(timestamp)}\n${text}`, version)) {
      const versions = versionsIn(this.#names());
      if ((versions.at(-1) ?? 0) < version + OLD_VERSIONS_MAX) {
        for (const old of versions) if (old <= version - OLD_VERSIONS_MAX) this.#removeVersion(nameOf(old));
        return { swapped: true, reading: this.#reading(version, { timestamp, text }) };
      }
    }
    return { swapped: false, reading: this.#readCurrent() };
  }

  /**
   * Reads a version, if it exists. Content that no store writes counts as damaged: the next version replaces it.
   */
  #readVersion(name: string): Content | undefined {
    try {
      return ifExists(() =>
        parseContent(readPlainFile(nodePath.join(this.#folder, name), { bytesMax: BYTES_MAX })),
      );
    } catch (error) {
      if (!(error instanceof UnsupportedFileError)) throw error;
      return { text: undefined, damage: error.message };
    }
  }

  #reading(version: number, { timestamp, text, damage }: Content): Reading {
    const time = this.#options.readTime();
    const now = timestamp === undefined ? time.wall : timestamp.now + elapsedMs(timestamp.moment, time);
    const reading: Reading = { text, version: String(version), now };
    if (damage !== undefined) reading.damage = damage;
    this.#readAt.set(reading, time);
    return reading;
  }

  /** Returns the names in the folder. Removes old drafts. */
  #names(): string[] {
    const names = ifExists(() => fs.readdirSync(this.#folder));
    if (names === undefined) this.#checked = undefined;
    for (const name of names ?? []) if (DRAFT.test(name)) this.#removeOldDraft(name);
    return names ?? [];
  }

  /** Writes a version atomically. Returns false if the version exists. */
  #write(content: string, version: number): boolean {
    const name = `${this.holder}.${String((this.#draftCount += 1))}.tmp`;
    try {
      this.#writeDraft(name, content);
      fs.linkSync(nodePath.join(this.#folder, name), nodePath.join(this.#folder, nameOf(version)));
      return true;
    } catch (error) {
      // The folder can't be created, so a retry would not help.
      if ((error as NodeJS.ErrnoException).syscall === 'mkdir') throw error;
      // ENOENT: another process removed the draft, because this process was suspended for too long.
      if (systemErrorCode(error) === 'EEXIST' || systemErrorCode(error) === 'ENOENT') return false;
      throw error;
    } finally {
      // Also after a partial write to a full disk.
      unlink(nodePath.join(this.#folder, name));
    }
  }

  #writeDraft(name: string, content: string): void {
    const write = (): true => {
      fs.writeFileSync(nodePath.join(this.#folder, name), content, { mode: 0o600, flag: 'wx' });
      return true;
    };
    if (ifExists(write) !== undefined) return;
    // The folder does not exist yet, or was deleted.
    this.#checked = makePrivateFolder(this.#options.folder);
    this.#options.onCreate?.();
    write();
  }

  #removeOldDraft(name: string): void {
    const writer = name.slice(0, name.indexOf('.'));
    if (writer === this.holder) return;
    const path = nodePath.join(this.#folder, name);
    const found = fs.lstatSync(path, { throwIfNoEntry: false });
    if (found?.isFile() !== true) return;
    const isOld = Math.abs(this.#options.readTime().wall - found.mtimeMs) > DRAFT_LIFETIME_MS;
    if (isOld || this.isDead(writer)) unlink(path);
  }

  /** Other content with the name of a version stays. */
  #removeVersion(name: string): void {
    if (this.#readVersion(name)?.timestamp !== undefined) unlink(nodePath.join(this.#folder, name));
  }
}

/** How systems reject a link on a file system without links. */
const NO_LINK_CODES: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

const PREFIX = 'petstore-budget-';
const VERSION = new RegExp(`^${PREFIX}([1-9]\\d{0,13})$`);
/** The highest version that the pattern accepts. */
const VERSION_MAX = 10 ** 14 - 1;
/** The process name of the writer, and a number. */
const DRAFT = /^\w+-\d+-\d+-\w+\.\d+\.tmp$/;

function nameOf(version: number): string {
  return PREFIX + String(version);
}

/** Returns the versions of these names, ascending. */
function versionsIn(names: readonly string[]): number[] {
  return names
    .flatMap((name) => VERSION.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((one, other) => one - other);
}

/** Content of a file: the text, and a time of the store (`now`) with the machine time at which it was read. */
interface Content {
  timestamp?: { now: number; moment: MachineTime } | undefined;
  text: string | undefined;
  damage?: string | undefined;
}

/** Parses a file. The text of an incomplete or foreign file is not a budget, so the client starts a new one. */
function parseContent(content: string): Content {
  const end = content.indexOf('\n');
  try {
    const { now, moment } = JSON.parse(content.slice(0, end)) as NonNullable<Content['timestamp']>;
    if ([now, moment.monotonic, moment.uptime, moment.wall].every(Number.isFinite))
      return { timestamp: { now, moment }, text: content.slice(end + 1) };
  } catch {
    // Not written by a store.
  }
  return { text: content };
}

function unlink(path: string): void {
  ifExists(() => {
    fs.unlinkSync(path);
  });
}

/** Runs a file operation. Returns `undefined` if the file does not exist. */
function ifExists<T>(operate: () => T): T | undefined {
  try {
    return operate();
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
