import type { JournalFile } from '../../src/bulk/journal/journal-file.js';

/** Thrown where a test has the machine stop. */
export class Crash extends Error {}

/** When the machine stops, and what is then on the disk of what was being written. */
export interface CrashPlan {
  /** The n-th write or sync, from 1, does not come back. */
  at: number;
  /** How much of what was not yet safe is there all the same: a share from 0 to 1. */
  kept: number;
}

/** A disk that holds one journal. */
export interface MemoryDisk {
  /** Writes and syncs so far. */
  steps: number;
  open(): Promise<JournalFile>;
  /** What is there once the machine has stopped, or all is written. */
  content(): string;
}

/** Makes a disk with this on it, which stops the machine when the plan says so. */
export function createMemoryDisk(content = '', plan?: CrashPlan): MemoryDisk {
  let safe = content;
  let written = content;
  let isDown = false;
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
    async *read() {
      // In odd pieces, so that lines are cut.
      for (let at = 0; at < written.length; at += 7) yield Buffer.from(written.slice(at, at + 7), 'latin1');
    },
    async truncate(length) {
      if (isDown) throw new Crash('the machine is down');
      written = written.slice(0, length);
      safe = safe.slice(0, length);
    },
    async append(text) {
      step(written + text);
      written += text;
    },
    async sync() {
      await new Promise((resolve) => setImmediate(resolve));
      step(written);
      safe = written;
    },
    async close() {
      // Nothing is held.
    },
    async discard() {
      // Nothing is held.
    },
  };
  return Object.assign(disk, { open: async () => file, content: () => safe });
}
