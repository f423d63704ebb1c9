import { pause, systemClock } from './clock.js';
import { createZoneMemory, type ZoneMemory } from './inquiry.js';
import type { CheckOptions, CheckRequest } from './options.js';
import type { Report } from './report.js';
import { createDnsClient } from './resolver/dns-client.js';
import { openRun } from './run.js';
import { CERTIFICATE_DUE_MS, nextDelay, waitStateOf, type WaitGoal, type WaitState } from './wait.js';

export interface WatchOptions extends Omit<CheckOptions, 'timeoutMs' | 'concurrency'> {
  /** What to wait for. Default `verified`. */
  until?: WaitGoal | undefined;
  /** Milliseconds that the wait may take. Default 30 minutes. */
  timeoutMs?: number | undefined;
}

/** One thing worth telling in a wait. */
export interface WatchEvent {
  /** `reverify`: the certificate is overdue, and verification is to be triggered once more. */
  kind: 'changed' | 'reverify';
  report: Report;
  /** Milliseconds since the epoch: the next check. Absent in the last event. */
  nextCheckAt?: number;
}

/** How a wait ended. */
export interface WatchEnd {
  /** `hopeless`: waiting can't help, such as with the wrong plan. */
  end: 'reached' | 'timeout' | 'hopeless';
  /** The newest report. */
  report: Report;
}

const TIMEOUT_MS = 30 * 60_000;
/** How long zones stay known while somebody edits records, so that resolvers are left alone. */
const MEMORY_MS = 5 * 60_000;

/**
 * Checks a domain again and again until the goal is reached, and tells whenever something has changed. While the record is
 * not right, authoritative servers alone are asked; while resolvers have to forget, it sleeps until the first of them does.
 *
 * @returns how it ended, as the generator's return value.
 * @throws as `checkDomain` does.
 */
export async function* watchDomain(
  request: CheckRequest,
  options: WatchOptions = {},
): AsyncGenerator<WatchEvent, WatchEnd, undefined> {
  const { until = 'verified', timeoutMs = TIMEOUT_MS, clock = systemClock, random = Math.random } = options;
  const dns = options.dns ?? createDnsClient();
  const deadline = clock.now() + timeoutMs;
  let progress = startOf(request, clock.now());
  try {
    for (;;) {
      const report = await checkOnce(
        request,
        { ...options, dns, timeoutMs: deadline - clock.now() },
        progress,
      );
      const now = clock.now();
      const isLate = now >= deadline;
      // A check that the deadline cut short says nothing: the one before it stands.
      if (isLate && progress.report !== undefined) return { end: 'timeout', report: progress.report };
      const state = waitStateOf(report, until);
      const step = advance(progress, report, state, now);
      progress = step.progress;
      if (typeof state === 'string' || isLate) {
        if (step.kind !== undefined) yield { kind: step.kind, report };
        return { end: typeof state === 'string' ? state : 'timeout', report };
      }
      const delayMs = Math.min(nextDelay(state, now - progress.phaseStartedAt, random()), deadline - now);
      if (step.kind !== undefined) yield { kind: step.kind, report, nextCheckAt: now + delayMs };
      await pause(clock, delayMs, options.signal);
      options.signal?.throwIfAborted();
      if (clock.now() >= deadline) return { end: 'timeout', report };
    }
  } finally {
    if (options.dns === undefined) dns.close();
  }
}

/** What a wait knows from one check to the next. */
interface Progress {
  report: Report | undefined;
  phase: WaitState['phase'] | undefined;
  phaseStartedAt: number;
  verifiedAt: number | undefined;
  hasReverified: boolean;
  memory: ZoneMemory;
  memorySince: number;
}

function startOf({ verifiedAt }: CheckRequest, memorySince: number): Progress {
  return {
    report: undefined,
    phase: undefined,
    phaseStartedAt: 0,
    verifiedAt,
    hasReverified: false,
    memory: createZoneMemory(),
    memorySince,
  };
}

async function checkOnce(request: CheckRequest, options: CheckOptions, progress: Progress): Promise<Report> {
  const run = await openRun(options, { memory: progress.memory, redirectsWhenRight: true });
  try {
    return await run.check({ ...request, verifiedAt: progress.verifiedAt });
  } finally {
    run.close();
  }
}

function advance(
  before: Progress,
  report: Report,
  state: WaitState | string,
  now: number,
): { progress: Progress; kind: WatchEvent['kind'] | undefined } {
  const isVerified = report.state === 'verified' || report.state === 'active';
  const verifiedAt = before.verifiedAt ?? (isVerified ? now : undefined);
  const phase = typeof state === 'string' ? undefined : state.phase;
  const isDue = phase === 'certificate' && now - (verifiedAt ?? now) >= CERTIFICATE_DUE_MS;
  const keepsMemory = phase === 'record' && hasSoundZone(report) && now - before.memorySince < MEMORY_MS;
  const progress: Progress = {
    report,
    phase,
    phaseStartedAt: phaseStart(before, phase, verifiedAt, now),
    verifiedAt,
    hasReverified: before.hasReverified || isDue,
    memory: keepsMemory ? before.memory : createZoneMemory(),
    memorySince: keepsMemory ? before.memorySince : now,
  };
  const isReverification = isDue && !before.hasReverified;
  const hasChanged = before.report === undefined || digest(before.report) !== digest(report);
  return { progress, kind: isReverification ? 'reverify' : hasChanged ? 'changed' : undefined };
}

/** That of the certificate began with verification; the others when they were first seen. */
function phaseStart(
  before: Progress,
  phase: Progress['phase'],
  verifiedAt: number | undefined,
  now: number,
): number {
  if (phase === 'certificate') return verifiedAt ?? now;
  return before.phase === phase ? before.phaseStartedAt : now;
}

function hasSoundZone({ state, findings }: Report): boolean {
  return state !== 'inconclusive' && findings.every(({ axis }) => axis !== 'zone');
}

/** What people would call a change: TTLs run, messages name times, and servers turn the order of records round. */
function digest({ state, findings, observed, certificate }: Report): string {
  const records = [...observed.authoritative, ...observed.recursive].map((view) => [
    view.answer,
    view.records.toSorted(),
  ]);
  const ids = findings.map(({ id, severity }) => [id, severity]);
  return JSON.stringify([state, ids, records, certificate?.status]);
}
