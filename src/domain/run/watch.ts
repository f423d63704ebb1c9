import { createWarningGuard, type Guard } from '../../options/guard-callback.js';
import { type Clock, pause, systemClock } from '../../time/clock.js';
import { throwIfAborted } from '../dns/concurrency/stop-signal.js';
import type { CheckOptions, CheckRequest } from '../request/options.js';
import type { Report } from '../report/report.js';
import { createChecker } from './checker.js';
import { CERTIFICATE_DUE_MS, nextDelay, pastTime, waitStateOf, type WaitState } from '../diagnose/wait.js';
import type { ZoneCache } from '../gather/check-context.js';
import { createMemo } from '../gather/memo.js';
import type { DnsClient } from '../dns/dns.js';
import { createDnsClient } from '../dns/dns-client.js';
import type { Probe } from '../probe/probe-request.js';
import { lazyProbe } from './probe-domain.js';
import { isLate, type StaleCache, staleCachesAfter } from './stale-caches.js';
import { createLimiter, type Limiter } from '../dns/concurrency/limiter.js';

export interface WatchOptions extends Omit<CheckOptions, 'timeoutMs' | 'concurrency'> {
  /**
   * Time limit of the watch in milliseconds.
   *
   * @default 1_800_000 (30 minutes)
   */
  timeoutMs?: number | undefined;
  /** Called before each pause, also without a change. An error is a warning of the process, and the watch continues. */
  onPause?: ((pause: WatchPause) => void) | undefined;
}

/** A pause between two checks. */
export interface WatchPause {
  request: CheckRequest;
  /** The latest report. */
  report: Report;
  /** Time of the next check. */
  nextCheckAt: Date;
}

/** A change during a watch. */
export interface WatchEvent {
  /** `reverify`: the certificate is overdue, so the user should start verification again. */
  kind: 'changed' | 'reverify';
  report: Report;
  /** Time of the next check. Absent in the last event. */
  nextCheckAt?: Date;
}

/** How a watch ended. */
export interface WatchEnd {
  /** `blocked`: waiting can't help, such as on the Free plan. */
  end: 'reached' | 'timeout' | 'blocked';
  /** The latest report. */
  report: Report;
}

const TIMEOUT_MS = 30 * 60_000;
/** The time for which the zone cache is reused while records are wrong, to make fewer queries. */
const CACHE_MS = 5 * 60_000;

/**
 * Watches one domain. Deadline, phases and cache age use the monotonic clock, so that setting the system clock neither
 * ends nor prolongs a watch.
 */
export async function* watch(
  request: CheckRequest,
  options: WatchOptions,
  share: WatchShare,
): AsyncGenerator<WatchEvent, WatchEnd, undefined> {
  const { until = 'verified', timeoutMs = TIMEOUT_MS, clock = systemClock, random = Math.random } = options;
  const deadline = clock.monotonic() + timeoutMs;
  let progress = initialProgress(request, clock);
  for (;;) {
    const cache = progress.cache ?? share.recentZoneCache();
    const report = await checkOnce(
      request,
      { ...options, clock, ...share },
      { ...progress, cache, deadline },
    );
    const now = clock.monotonic();
    const isTimedOut = now >= deadline;
    // A check that the deadline stopped is incomplete, so the report before it counts.
    if (isTimedOut && progress.report !== undefined) return { end: 'timeout', report: progress.report };
    const state = waitStateOf(report, until);
    const verifiedSince = verifiedSinceBy(report, progress, clock);
    const step = advance({ ...progress, verifiedSince }, report, state, now, cache);
    progress = step.progress;
    if (typeof state === 'string' || isTimedOut) {
      if (step.kind !== undefined) yield { kind: step.kind, report };
      return { end: typeof state === 'string' ? state : 'timeout', report };
    }
    const delayMs = Math.min(nextDelay(state, now - progress.phaseStartedAt, random()), deadline - now);
    const nextCheckAt = new Date(clock.now() + delayMs);
    share.guard('onPause', (): unknown => options.onPause?.({ request, report, nextCheckAt }));
    if (step.kind !== undefined) yield { kind: step.kind, report, nextCheckAt };
    await pause(clock, delayMs, options.signal);
    throwIfAborted(options.signal);
    if (clock.monotonic() >= deadline) return { end: 'timeout', report };
  }
}

/** The state of a watch between two checks. Times by the monotonic clock, in milliseconds. */
interface Progress {
  report: Report | undefined;
  phase: WaitState['phase'] | undefined;
  phaseStartedAt: number;
  verifiedSince: number | undefined;
  /** Whether the caller gave `verifiedSince` as the time of verification. */
  isTimeGiven: boolean;
  hasReverified: boolean;
  /** The stale records of resolvers, by label. Empty while the record is wrong. */
  staleCaches: ReadonlyMap<string, StaleCache>;
  /** Absent if zones must be looked up again. */
  cache: DatedZoneCache | undefined;
}

function initialProgress(request: CheckRequest, clock: Clock): Progress {
  const now = clock.now();
  const verifiedAt = pastTime(request.verifiedAt, now);
  return {
    report: undefined,
    phase: undefined,
    phaseStartedAt: 0,
    verifiedSince: verifiedAt === undefined ? undefined : clock.monotonic() - (now - verifiedAt),
    isTimeGiven: request.verifiedAtSource === 'given',
    hasReverified: false,
    staleCaches: new Map(),
    cache: undefined,
  };
}

interface CheckSettings
  extends Omit<CheckOptions, 'clock' | 'dns'>, Pick<WatchShare, 'dns' | 'limiter' | 'probe'> {
  clock: Clock;
}

function checkOnce(
  request: CheckRequest,
  { limiter, probe, ...options }: CheckSettings,
  {
    cache,
    deadline,
    verifiedSince,
    isTimeGiven,
    staleCaches,
  }: { cache: DatedZoneCache; deadline: number } & Pick<
    Progress,
    'verifiedSince' | 'isTimeGiven' | 'staleCaches'
  >,
): Promise<Report> {
  const { clock } = options;
  return limiter.run(async () => {
    const now = clock.monotonic();
    const checker = await createChecker(
      { ...options, timeoutMs: Math.max(0, deadline - now) },
      {
        zoneCache: cache.zones,
        probe,
        redirectsWhenRight: true,
        isLate: (label, remaining) => isLate(staleCaches.get(label), remaining, clock.monotonic()),
        runPause: (wait) => limiter.runReleased(wait),
      },
    );
    // By the wall clock, as the check expects. Rounded down, so that an overdue certificate is not reported as pending.
    const verifiedAt =
      verifiedSince === undefined ? undefined : new Date(Math.floor(clock.now() - (now - verifiedSince)));
    try {
      const verifiedAtSource = isTimeGiven ? 'given' : 'earlier-check';
      return await checker.check({ ...request, verifiedAt, verifiedAtSource });
    } finally {
      checker.close();
    }
  });
}

/** When verification succeeded, by the monotonic clock. `undefined` if the record is not right any more. */
function verifiedSinceBy(
  { state, verifiedAt }: Report,
  { verifiedSince }: Progress,
  clock: Clock,
): number | undefined {
  if (state === 'action-required' && verifiedAt === undefined) return undefined;
  if (verifiedSince !== undefined || verifiedAt === undefined) return verifiedSince;
  return clock.monotonic() - (clock.now() - verifiedAt.getTime());
}

function advance(
  before: Progress,
  report: Report,
  state: WaitState | string,
  now: number,
  cache: DatedZoneCache,
): { progress: Progress; kind: WatchEvent['kind'] | undefined } {
  const { verifiedSince } = before;
  const phase = typeof state === 'string' ? undefined : state.phase;
  const isDue = phase === 'certificate' && now - (verifiedSince ?? now) >= CERTIFICATE_DUE_MS;
  const reusesCache = phase === 'record' && hasValidZone(report) && now - cache.since < CACHE_MS;
  const progress: Progress = {
    report,
    phase,
    // The certificate phase starts with verification, each other phase with its first check.
    phaseStartedAt:
      phase === 'certificate' ? (verifiedSince ?? now) : before.phase === phase ? before.phaseStartedAt : now,
    verifiedSince,
    isTimeGiven: before.isTimeGiven && verifiedSince !== undefined,
    hasReverified: verifiedSince !== undefined && (before.hasReverified || isDue),
    staleCaches: staleCachesAfter(before.staleCaches, report, now),
    cache: reusesCache ? cache : undefined,
  };
  const isReverification = isDue && !before.hasReverified;
  const hasChanged = before.report === undefined || digest(before.report) !== digest(report);
  return { progress, kind: isReverification ? 'reverify' : hasChanged ? 'changed' : undefined };
}

function hasValidZone({ state, findings }: Report): boolean {
  return state !== 'inconclusive' && findings.every(({ axis }) => axis !== 'zone');
}

/** The parts of a report that count as a change. TTLs, times in messages and the order of records do not. */
function digest({ state, findings, observed, certificate }: Report): string {
  const records = [...observed.authoritative, ...observed.recursive].map((view) => [
    view.response,
    view.records.toSorted(),
  ]);
  const ids = findings.map(({ id, severity }) => [id, severity]);
  return JSON.stringify([state, ids, records, certificate?.status]);
}

/** Shared by watches that run at the same time. */
export interface WatchShare {
  dns: DnsClient;
  /** Limits the checks that run at the same time. */
  limiter: Limiter;
  /** The zone cache of very recent checks, or an empty one. */
  recentZoneCache(): DatedZoneCache;
  probe: Probe;
  /** Calls functions of the caller. */
  guard: Guard;
  /** Closes the DNS client, unless the caller passed it. */
  close(): void;
}

/** A zone cache and its age. */
export interface DatedZoneCache {
  zones: ZoneCache;
  /** When it was created, by the monotonic clock in milliseconds. */
  since: number;
}

const CONCURRENCY = 32;
/** Shorter than the pause between two checks of one domain, so that no check gets the cache of the check before it. */
const RECENT_MS = 3_000;

/** Creates the parts that watches share. Opens no socket before the first query. */
export function openWatchShare(options: CheckOptions): WatchShare {
  const { dns: given, clock = systemClock, concurrency = CONCURRENCY } = options;
  const dns = given ?? createDnsClient();
  let newest: DatedZoneCache | undefined;
  return {
    dns,
    limiter: createLimiter(concurrency),
    probe: lazyProbe(options),
    guard: createWarningGuard('The watch continues.'),
    recentZoneCache() {
      const now = clock.monotonic();
      if (newest === undefined || now - newest.since >= RECENT_MS) {
        newest = { zones: createMemo(), since: now };
      }
      return newest;
    },
    close() {
      if (given === undefined) dns.close();
    },
  };
}
