import { type DomainClock, pause, systemClock } from '../concurrency/clock.js';
import type { CheckOptions, CheckRequest } from '../report/options.js';
import type { Report } from '../report/report.js';
import { createChecker } from '../run/checker.js';
import {
  CERTIFICATE_DUE_MS,
  nextDelay,
  pastTime,
  waitStateOf,
  type WaitGoal,
  type WaitState,
} from '../verdict/wait.js';
import type { DatedZoneCache, WatchShare } from './watch-share.js';

export interface WatchOptions extends Omit<CheckOptions, 'timeoutMs' | 'concurrency'> {
  /** What to wait for. Default `verified`. */
  until?: WaitGoal | undefined;
  /** Milliseconds that the wait may take. Default 30 minutes. */
  timeoutMs?: number | undefined;
  /** Told before each pause, also where nothing has changed: for who shows what is waited for. Must not throw. */
  onPause?: ((pause: WatchPause) => void) | undefined;
}

/** A pause between two checks. */
export interface WatchPause {
  request: CheckRequest;
  /** The newest report. */
  report: Report;
  /** Milliseconds since the epoch. */
  nextCheckAt: number;
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
  /** `blocked`: waiting can't help, such as with the wrong plan. */
  end: 'reached' | 'timeout' | 'blocked';
  /** The newest report. */
  report: Report;
}

const TIMEOUT_MS = 30 * 60_000;
/** How long zones stay known while somebody edits records, so that resolvers are left alone. */
const MEMORY_MS = 5 * 60_000;

/**
 * One wait, which may be one of many. Deadline, phases and the age of what is known go by the monotonic clock: somebody who
 * sets the clock neither ends a wait nor prolongs it.
 */
export async function* watch(
  request: CheckRequest,
  options: WatchOptions,
  share: WatchShare,
): AsyncGenerator<WatchEvent, WatchEnd, undefined> {
  const { until = 'verified', timeoutMs = TIMEOUT_MS, clock = systemClock, random = Math.random } = options;
  const deadline = clock.monotonic() + timeoutMs;
  let progress = startOf(request, clock);
  for (;;) {
    const memory = progress.memory ?? share.recentZoneCache();
    const report = await checkOnce(
      request,
      { ...options, clock, ...share },
      { memory, deadline, verifiedSince: progress.verifiedSince },
    );
    const now = clock.monotonic();
    const isLate = now >= deadline;
    // A check that the deadline cut short says nothing: the one before it stands.
    if (isLate && progress.report !== undefined) return { end: 'timeout', report: progress.report };
    const state = waitStateOf(report, until);
    const verifiedSince = verifiedSinceBy(report, progress, clock);
    const step = advance({ ...progress, verifiedSince }, report, state, now, memory);
    progress = step.progress;
    if (typeof state === 'string' || isLate) {
      if (step.kind !== undefined) yield { kind: step.kind, report };
      return { end: typeof state === 'string' ? state : 'timeout', report };
    }
    const delayMs = Math.min(nextDelay(state, now - progress.phaseStartedAt, random()), deadline - now);
    const nextCheckAt = clock.now() + delayMs;
    options.onPause?.({ request, report, nextCheckAt });
    if (step.kind !== undefined) yield { kind: step.kind, report, nextCheckAt };
    await pause(clock, delayMs, options.signal);
    options.signal?.throwIfAborted();
    if (clock.monotonic() >= deadline) return { end: 'timeout', report };
  }
}

/** What a wait knows from one check to the next. Times are of the monotonic clock, in milliseconds. */
interface Progress {
  report: Report | undefined;
  phase: WaitState['phase'] | undefined;
  phaseStartedAt: number;
  verifiedSince: number | undefined;
  hasReverified: boolean;
  /** Absent where the zones are to be looked up anew. */
  memory: DatedZoneCache | undefined;
}

function startOf(request: CheckRequest, clock: DomainClock): Progress {
  const now = clock.now();
  const verifiedAt = pastTime(request.verifiedAt, now);
  return {
    report: undefined,
    phase: undefined,
    phaseStartedAt: 0,
    verifiedSince: verifiedAt === undefined ? undefined : clock.monotonic() - (now - verifiedAt),
    hasReverified: false,
    memory: undefined,
  };
}

interface CheckSettings extends Omit<CheckOptions, 'clock' | 'dns'>, Pick<WatchShare, 'dns' | 'limiter'> {
  clock: DomainClock;
}

function checkOnce(
  request: CheckRequest,
  { limiter, ...options }: CheckSettings,
  {
    memory,
    deadline,
    verifiedSince,
  }: { memory: DatedZoneCache; deadline: number; verifiedSince: number | undefined },
): Promise<Report> {
  const { clock } = options;
  return limiter.run(async () => {
    const now = clock.monotonic();
    const run = await createChecker(
      { ...options, timeoutMs: Math.max(0, deadline - now) },
      { zoneCache: memory.zones, redirectsWhenRight: true, runPause: (rest) => limiter.runReleased(rest) },
    );
    // By the wall clock as it is now, which is what the check goes by; never later than it was, or a due one were pending.
    const verifiedAt =
      verifiedSince === undefined ? undefined : Math.floor(clock.now() - (now - verifiedSince));
    try {
      return await run.check({ ...request, verifiedAt });
    } finally {
      run.close();
    }
  });
}

/** A record that is wrong again has to be verified again. */
function verifiedSinceBy(
  { state, verifiedAt }: Report,
  { verifiedSince }: Progress,
  clock: DomainClock,
): number | undefined {
  if (state === 'action-required') return undefined;
  if (verifiedSince !== undefined || verifiedAt === undefined) return verifiedSince;
  return clock.monotonic() - (clock.now() - Date.parse(verifiedAt));
}

function advance(
  before: Progress,
  report: Report,
  state: WaitState | string,
  now: number,
  memory: DatedZoneCache,
): { progress: Progress; kind: WatchEvent['kind'] | undefined } {
  const { verifiedSince } = before;
  const phase = typeof state === 'string' ? undefined : state.phase;
  const isDue = phase === 'certificate' && now - (verifiedSince ?? now) >= CERTIFICATE_DUE_MS;
  const keepsMemory = phase === 'record' && hasSoundZone(report) && now - memory.since < MEMORY_MS;
  const progress: Progress = {
    report,
    phase,
    phaseStartedAt: phaseStart(before, phase, verifiedSince, now),
    verifiedSince,
    hasReverified: verifiedSince !== undefined && (before.hasReverified || isDue),
    memory: keepsMemory ? memory : undefined,
  };
  const isReverification = isDue && !before.hasReverified;
  const hasChanged = before.report === undefined || digest(before.report) !== digest(report);
  return { progress, kind: isReverification ? 'reverify' : hasChanged ? 'changed' : undefined };
}

/** That of the certificate began with verification; the others when they were first seen. */
function phaseStart(
  before: Progress,
  phase: Progress['phase'],
  verifiedSince: number | undefined,
  now: number,
): number {
  if (phase === 'certificate') return verifiedSince ?? now;
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
