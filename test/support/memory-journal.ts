import { join } from 'node:path';
import type { JournalFile } from '../../src/bulk/journal/journal-file.js';
import { lockedFiles } from './locked-files.js';
import { temporaryFolder } from './temporary-folder.js';

/** Thrown when the simulated machine stops. */
export class Crash extends Error {}

/** When the machine stops, and how much of the unsynced data reaches the disk. */
export interface CrashPlan {
  /** The n-th write or sync, counted from 1, does not return. */
  at: number;
  /** Share of the unsynced bytes that are on the disk all the same, 0 to 1. */
  kept: number;
}

/** A disk with one journal. */
export interface MemoryDisk {
  /** Number of writes and syncs so far. */
  steps: number;
  open(): Promise<JournalFile>;
  /** The content after the machine has stopped, or after all writes. */
  content(): string;
  /** The content with all writes, which are not safe before a sync. */
  written(): string;
}

/** Creates a disk with this content, which stops the machine as planned. */
export function createMemoryDisk(content = '', plan?: CrashPlan): MemoryDisk {
  let safe = content;
  let written = content;
  let isDown = false;
  /** Size of the file with the reserved space, which remains if the machine stops. */
  let reserved = 0;
  const disk = { steps: 0 };
  const step = (unsafe: string): void => {
    if (isDown) throw new Crash('the machine is down');
    disk.steps += 1;
    if (disk.steps !== plan?.at) return;
    isDown = true;
    safe += unsafe.slice(safe.length, safe.length + Math.floor((unsafe.length - safe.length) * plan.kept));
    throw new Crash(`the machine stops at step ${String(disk.steps)}`);
  };
  const file: JournalFile = {
    isNew: true,
    get files() {
      return lockedFiles(join(temporaryFolder(), 'j'));
    },
    async *read() {
      // In short chunks, so that lines are split; a long file in a thousand.
      const length = Math.max(7, Math.ceil(written.length / 1_000));
      for (let at = 0; at < written.length; at += length)
        yield Buffer.from(written.slice(at, at + length), 'latin1');
    },
    async truncate(length) {
      if (isDown) throw new Crash('the machine is down');
      reserved = 0;
      written = written.slice(0, length);
      safe = safe.slice(0, length);
    },
    async append(text) {
      step(written + text);
      written += text;
    },
    reserve(bytes) {
      reserved = Math.max(reserved, safe.length + bytes);
    },
    async sync() {
      await new Promise((resolve) => setImmediate(resolve));
      step(written);
      safe = written;
    },
    async close() {
      // Nothing is held.
    },
    remove() {
      throw new Error('a journal with a sent row is kept');
    },
    async discard() {
      // Nothing is held.
    },
  };
  return Object.assign(disk, {
    open: async () => file,
    content: () => (isDown ? safe.padEnd(reserved, '\0') : safe),
    written: () => written,
  });
}
