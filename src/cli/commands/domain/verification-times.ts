import { join } from 'node:path';
import type { Report, VerifiedAtSource } from '../../../domain/index.js';
import type { Session } from '../../session/session.js';
import { isMissing } from '../../../security/system-error.js';
import { UnsafeFolderError } from '../../../security/private-folder.js';
import { stateDirectory } from '../../system/files/paths.js';
import { readPrivateFile, writePrivateFile, describeFileError } from '../../system/files/safe-file.js';
import type { DnsOptions, ProbeFlags } from './input/domain-flags.js';

export type VerificationTimes = ReturnType<typeof openVerificationTimes>;

/** `verifiedAt` is `undefined` if the time is unknown. */
interface KnownVerification {
  verifiedAt: Date | undefined;
  verifiedAtSource: VerifiedAtSource;
}

/** One domain in the file. */
interface Entry {
  /** ASCII, like the target. */
  domain: string;
  target: string;
  /** ISO 8601. */
  verifiedAt: string;
  /** Absent for the time of the first check that found DNS correct. */
  source?: 'given';
}

/** Name of the file in the state directory. */
const VERIFIED_FILE = 'verified-domains.json';
/** Older entries are removed. */
const ENTRIES_MAX = 2_000;

/**
 * Opens the stored times of verification: a certificate is overdue 30 minutes later. A failure only warns. A time given by the user overrides the stored one, and is stored. With --mock and for test
 * servers (name servers on another port, or an address to connect to), nothing is read or stored.
 */
export function openVerificationTimes(
  flags: Pick<DnsOptions & ProbeFlags, 'authoritativePort' | 'connect'> & {
    verifiedAt: number | undefined;
  },
  session: Session,
) {
  const { context, global } = session;
  const { verifiedAt: given, authoritativePort, connect } = flags;
  const isStored = !global.mock && authoritativePort === undefined && connect === undefined;
  const path = join(stateDirectory(context), VERIFIED_FILE);
  let known: Map<string, Entry> | undefined;
  const changes = new Map<string, Entry | undefined>();
  const entryOf = (key: string): Entry | undefined => {
    known ??= readEntries(path, session);
    return changes.has(key) ? changes.get(key) : known.get(key);
  };
  return {
    /** Returns when a domain was verified, as fields of a request. Without a target, only the given time is known. */
    verification(domain: string, target: string | undefined): KnownVerification {
      if (given !== undefined || target === undefined || !isStored)
        return { verifiedAt: given === undefined ? undefined : new Date(given), verifiedAtSource: 'given' };
      const entry = entryOf(keyOf(domain, target));
      const storedAt = Date.parse(entry?.verifiedAt ?? '');
      return {
        verifiedAt: Number.isNaN(storedAt) ? undefined : new Date(storedAt),
        verifiedAtSource: entry?.source ?? 'earlier-check',
      };
    },
    /** Stores the time of verification. Removes it once the certificate is active, or if DNS is wrong again. */
    update(report: Report, target: string): void {
      if (!isStored) return;
      const { domain, state } = report;
      const verifiedAt = report.verifiedAt?.toISOString();
      const key = keyOf(domain.ascii, target);
      const isRemoved = state === 'active' || (state === 'action-required' && verifiedAt === undefined);
      if (isRemoved) changes.set(key, undefined);
      if (verifiedAt === undefined || entryOf(key)?.verifiedAt === verifiedAt) return;
      const source = report.verifiedAtSource === 'given' ? { source: 'given' as const } : {};
      changes.set(key, { domain: domain.ascii, target, verifiedAt, ...source });
    },
    /** Writes the changes. */
    save(): void {
      if (changes.size === 0) return;
      // Another command may have written in the meantime.
      known = readEntries(path, session);
      let isChanged = false;
      for (const [key, entry] of changes) {
        isChanged = known.delete(key) || entry !== undefined || isChanged;
        if (entry !== undefined) known.set(key, entry);
      }
      changes.clear();
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
    text = readPrivateFile(path, undefined, session.context.userId);
  } catch (error) {
    if (!isMissing(error)) warnOf(error, `read from ${path} (${describeFileError(error)})`, session);
    return new Map();
  }
  try {
    const { verified } = JSON.parse(text) as { verified: unknown };
    if (Array.isArray(verified)) {
      return new Map(verified.filter(isEntry).map((entry) => [keyOf(entry.domain, entry.target), entry]));
    }
  } catch {
    // Reported below, as other unknown content.
  }
  warnOf(undefined, `read from ${path} (unknown content)`, session);
  return new Map();
}

function isEntry(value: unknown): value is Entry {
  if (typeof value !== 'object' || value === null) return false;
  const { domain, target, verifiedAt, source } = value as Partial<Record<keyof Entry, unknown>>;
  const isText = typeof domain === 'string' && typeof target === 'string' && typeof verifiedAt === 'string';
  const isSource = source === undefined || source === 'given';
  return isText && isSource && !Number.isNaN(Date.parse(verifiedAt));
}

function writeEntries(path: string, entries: readonly Entry[], session: Session): void {
  const verified = entries
    .toSorted((one, other) => Date.parse(one.verifiedAt) - Date.parse(other.verifiedAt))
    .slice(-ENTRIES_MAX);
  try {
    writePrivateFile(path, `${JSON.stringify({ verified })}\n`, session.context.userId);
  } catch (error) {
    warnOf(error, `written to ${path} (${describeFileError(error)})`, session);
  }
}

function warnOf(error: unknown, failure: string, session: Session): void {
  // The session has already warned about the folder.
  if (error instanceof UnsafeFolderError) return;
  session.warn(
    `The times of verification can't be ${failure}. An overdue certificate may be reported as pending.`,
  );
}
