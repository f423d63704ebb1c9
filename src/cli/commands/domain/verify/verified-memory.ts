import { join } from 'node:path';
import type { Report } from '../../../../domain/index.js';
import type { Session } from '../../../session/action.js';
import { stateDirectory } from '../../../files/paths.js';
import { writePrivateFile } from '../../../files/private-file.js';
import { readRegularFile, whyUnreadable } from '../../../files/regular-file.js';
import type { DnsFlags, ProbeFlags } from '../domain-flags.js';

/**
 * Remembers from one command to the next when a domain was first seen verified: its certificate is overdue 30 minutes
 * later. It is help and no more: what goes wrong with it costs a warning, never the check.
 */
export interface VerifiedMemory {
  /** Milliseconds since the epoch; `undefined` where it was not seen. */
  verifiedAt(domain: string, target: string): number | undefined;
  /**
   * Takes note of a report: since when a domain is verified. Forgets it when its certificate has come, and when it has to be
   * verified anew.
   */
  learn(report: Report, target: string): void;
  /** Writes what was learnt. */
  save(): void;
}

/** One domain, as the file holds it. */
interface Entry {
  /** ASCII, as the target is. */
  domain: string;
  target: string;
  /** ISO 8601. */
  verifiedAt: string;
}

/** What it is called in the state directory. */
export const VERIFIED_FILE = 'verified-domains.json';
/** The latest are kept. */
const ENTRIES_MAX = 2_000;

/** What the memory has to do with a command. */
export interface MemoryUse {
  /** When verification succeeded, as the user says: wins over what is remembered, and is remembered. */
  told?: number | undefined;
  /** Whether name servers or addresses are asked that the user chose, so that what is seen may be no more than a trial. */
  isTrial?: boolean;
}

/** Whether the flags lead to a rehearsal: to name servers on a port of their own, or to an address that the user chose. */
export function isTrial({ dns, probe }: { dns: DnsFlags; probe: ProbeFlags }): boolean {
  return dns.authoritativePort !== undefined || probe.connect !== undefined;
}

/** Opens the memory in the state directory; with --mock and for a trial, one that is empty and stays so. */
export function openVerifiedMemory(
  session: Session,
  { told, isTrial = false }: MemoryUse = {},
): VerifiedMemory {
  const { context, global } = session;
  if (global.mock || isTrial)
    return { verifiedAt: () => told, learn: () => undefined, save: () => undefined };
  const path = join(stateDirectory(context), VERIFIED_FILE);
  let known: Map<string, Entry> | undefined;
  const learnt = new Map<string, Entry | undefined>();
  const entryOf = (key: string): Entry | undefined => {
    known ??= readEntries(path, session);
    return learnt.has(key) ? learnt.get(key) : known.get(key);
  };
  return {
    verifiedAt(domain, target) {
      const seenAt = Date.parse(entryOf(keyOf(domain, target))?.verifiedAt ?? '');
      return told ?? (Number.isNaN(seenAt) ? undefined : seenAt);
    },
    learn(report, target) {
      const { domain, state, verifiedAt } = report;
      const key = keyOf(domain.ascii, target);
      if (state === 'active' || state === 'action-required') learnt.set(key, undefined);
      if (verifiedAt === undefined || entryOf(key)?.verifiedAt === verifiedAt) return;
      learnt.set(key, { domain: domain.ascii, target, verifiedAt });
    },
    save() {
      if (learnt.size === 0) return;
      // Read again: another command may have written meanwhile.
      known = readEntries(path, session);
      let isChanged = false;
      for (const [key, entry] of learnt) {
        isChanged = known.delete(key) || entry !== undefined || isChanged;
        if (entry !== undefined) known.set(key, entry);
      }
      learnt.clear();
      if (isChanged) writeEntries(path, [...known.values()], session);
    },
  };
}

function keyOf(domain: string, target: string): string {
  return `${domain} ${target}`;
}

function readEntries(path: string, session: Session): Map<string, Entry> {
  let text: string;
  try {
    text = readRegularFile(path);
  } catch (error) {
    const why = whyUnreadable(error);
    if (why !== 'ENOENT' && why !== 'ENOTDIR') warnOf(`read in ${path} (${why})`, session);
    return new Map();
  }
  try {
    const { verified } = JSON.parse(text) as { verified: unknown };
    if (Array.isArray(verified)) {
      return new Map(verified.filter(isEntry).map((entry) => [keyOf(entry.domain, entry.target), entry]));
    }
  } catch {
    // The same as any other text that is not ours.
  }
  warnOf(`read in ${path} (it is not what petstore wrote)`, session);
  return new Map();
}

function isEntry(value: unknown): value is Entry {
  if (typeof value !== 'object' || value === null) return false;
  const { domain, target, verifiedAt } = value as Partial<Record<keyof Entry, unknown>>;
  const isText = typeof domain === 'string' && typeof target === 'string' && typeof verifiedAt === 'string';
  return isText && !Number.isNaN(Date.parse(verifiedAt));
}

function writeEntries(path: string, entries: readonly Entry[], session: Session): void {
  const verified = entries
    .toSorted((one, other) => Date.parse(one.verifiedAt) - Date.parse(other.verifiedAt))
    .slice(-ENTRIES_MAX);
  try {
    writePrivateFile(path, `${JSON.stringify({ verified })}\n`);
  } catch (error) {
    warnOf(`kept in ${path} (${whyUnreadable(error)})`, session);
  }
}

function warnOf(what: string, session: Session): void {
  session.warn(
    `when domains were verified can't be ${what}: a certificate that is overdue may count as pending`,
  );
}
