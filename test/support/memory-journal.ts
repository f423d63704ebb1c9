import { join } from 'node:path';
import type { JournalFile } from '../../src/bulk/journal/journal-file.js';
import { LockedFiles } from '../../src/security/locked-files.js';
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
  /** The journal, and the draft of the next one. Of both, what is on the disk, and all writes. */
  let safe = content;
  let written = content;
  let draft: { safe: string; written: string } | undefined;
  let isDown = false;
  /** Size of the file with the reserved space, which remains if the machine stops. */
  let reserved = 0;
  const disk = { steps: 0 };
  /** @param keep puts a share of the unsafe content on the disk. */
  const step = (keep: (share: number) => void): void => {
    if (isDown) throw new Crash('the machine is down');
    disk.steps += 1;
    if (disk.steps !== plan?.at) return;
    isDown = true;
    keep(plan.kept);
    throw new Crash(`the machine stops at step ${String(disk.steps)}`);
  };
  const partOf = (unsafe: string, share: number): string =>
    unsafe.slice(safe.length, safe.length + Math.floor((unsafe.length - safe.length) * share));
  const files = new LockedFiles({
    path: '/nowhere/j',
    isHeld: () => true,
    draftPath: (name) => join(temporaryFolder(), name),
  });
  const file: JournalFile = {
    isNew: content === '',
    files,
    async *read() {
      // In short chunks, so that lines are split; a long file in a thousand.
      const length = Math.max(7, Math.ceil(written.length / 1_000));
      for (let at = 0; at < written.length; at += length)
        yield Buffer.from(written.slice(at, at + length), 'latin1');
    },
    draft(hasContent) {
      if (isDown) throw new Crash('the machine is down');
      draft = hasContent ? { safe: written, written } : { safe: '', written: '' };
    },
    publish() {
      if (draft === undefined) return;
      const next = draft;
      // All of the new name is on the disk, or nothing.
      step((share) => {
        if (share >= 0.5) safe = next.safe;
      });
      ({ safe, written } = next);
      draft = undefined;
    },
    async truncate(length) {
      if (isDown) throw new Crash('the machine is down');
      reserved = 0;
      written = written.slice(0, length);
      safe = safe.slice(0, length);
    },
    async append(text) {
      const next = (draft?.written ?? written) + text;
      step((share) => {
        if (draft === undefined) safe += partOf(next, share);
      });
      if (draft === undefined) written = next;
      else draft.written = next;
    },
    reserve(bytes) {
      if (draft === undefined) reserved = Math.max(reserved, safe.length + bytes);
    },
    async sync() {
      await new Promise((resolve) => setImmediate(resolve));
      step((share) => {
        if (draft === undefined) safe += partOf(written, share);
      });
      if (draft === undefined) safe = written;
      else draft.safe = draft.written;
    },
    remove() {
      throw new Error('a journal with a sent row is kept');
    },
    async close() {
      // Nothing is held.
    },
  };
  return Object.assign(disk, {
    open: async () => file,
    content: () => (isDown ? safe.padEnd(reserved, '\0') : safe),
    written: () => written,
  });
}
