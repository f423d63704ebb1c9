import { checkArgument, requireFields } from '../../options/check-argument.js';
import { type Check, mustBe, mustBeOneOf } from '../../options/check-options.js';
import type { CheckRequest } from '../request/options.js';
import type { Report, VerifiedAtSource } from '../report/report.js';

/** The goal of a wait. */
export type WaitGoal = 'verified' | 'active';

/** What a wait depends on. */
export interface WaitState {
  /** `record`: a change by its owner. `propagation`: expiry of resolver caches. `certificate`: its issuance. */
  phase: 'record' | 'propagation' | 'certificate';
  /** Milliseconds until the first resolver cache expires, if known. */
  nextExpiryMs?: number;
}

/**
 * Returns a time in milliseconds since the epoch; `undefined` for a time in the future, which comes from a wrong clock.
 *
 * @param time a date or its RFC 3339 text.
 */
export function pastTime(time: Date | string | undefined, now: number): number | undefined {
  if (time === undefined) return undefined;
  const timeMs = new Date(time).getTime();
  return timeMs <= now ? timeMs : undefined;
}

/** When a domain was verified, and how that is known. */
export interface Verification {
  verifiedAt: Date;
  verifiedAtSource: VerifiedAtSource;
}

/**
 * Returns the time of verification of a request. Without one, or with a time in the future, the check is the first to
 * observe it.
 */
export function verificationOf(
  { verifiedAt: time, verifiedAtSource = 'earlier-check' }: CheckRequest,
  now: number,
): Verification {
  const verifiedAt = pastTime(time, now);
  if (verifiedAt === undefined) return { verifiedAt: new Date(now), verifiedAtSource: 'this-check' };
  const isGiven = verifiedAtSource === 'given';
  return { verifiedAt: new Date(verifiedAt), verifiedAtSource: isGiven ? 'given' : 'earlier-check' };
}

/** Milliseconds from verification until a certificate is overdue (interface specification, "What the service does", 8). */
export const CERTIFICATE_DUE_MS = 30 * 60_000;

const SECOND_MS = 1_000;
const JITTER = 0.2;
/** Resolvers count whole seconds. */
const EXPIRY_MARGIN_MS = 1_000;
const EXPIRY_MIN_MS = 5_000;
const EXPIRY_MAX_MS = 300_000;

/**
 * Computes the delay before the next check of a wait.
 *
 * @param elapsedMs Milliseconds since the phase began.
 * @param random From 0 (inclusive) to 1 (exclusive). Spreads the checks of many waits.
 * @returns Milliseconds.
 * @throws InvalidInputError if an argument is invalid.
 * @example
 * await sleep(nextDelay({ phase: 'record' }, Date.now() - startedAt, Math.random()));
 */
export function nextDelay(state: WaitState, elapsedMs: number, random: number): number {
  requireFields(state, STATE, 'The state');
  checkArgument(elapsedMs, 'elapsedMs', mustBeNumber);
  checkArgument(random, 'random', mustBeNumber);
  if (state.phase === 'certificate') return certificateDelay(elapsedMs);
  if (state.phase === 'propagation' && state.nextExpiryMs !== undefined) {
    return Math.min(Math.max(state.nextExpiryMs + EXPIRY_MARGIN_MS, EXPIRY_MIN_MS), EXPIRY_MAX_MS);
  }
  return Math.round(recordDelay(elapsedMs) * (1 - JITTER + 2 * JITTER * random));
}

const mustBeNumber = mustBe('a number', Number.isFinite);

const STATE = {
  phase: mustBeOneOf('record', 'propagation', 'certificate'),
  nextExpiryMs: (value, field) => (value === undefined ? undefined : mustBeNumber(value, field)),
} satisfies Record<keyof WaitState, Check>;

/** Returns what to wait for after a report. `reached`: no wait is needed. `blocked`: waiting can't help. */
export function waitStateOf(report: Report, goal: WaitGoal): WaitState | 'reached' | 'blocked' {
  switch (report.state) {
    case 'active':
      return 'reached';
    case 'verified':
      return goal === 'verified' ? 'reached' : { phase: 'certificate' };
    case 'propagating':
      return propagation(report);
    case 'inconclusive':
      return { phase: 'record' };
    case 'action-required':
      return blockedBy(report);
    case 'invalid':
      return 'blocked';
  }
}

function propagation({ estimate }: Report): WaitState {
  const remaining = (estimate?.perResolver ?? []).map((resolver) => resolver.remaining);
  // Without an estimate, a name server has an old copy, and may update at any time.
  if (remaining.length === 0) return { phase: 'record' };
  return { phase: 'propagation', nextExpiryMs: Math.min(...remaining) * SECOND_MS };
}

/**
 * A plan or deploy that blocks comes from the caller, and does not change during a wait. If DNS is correct, the wait is
 * for a new certificate, unless a CAA record forbids it: a new verification would fail.
 */
function blockedBy({ findings, verifiedAt }: Report): WaitState | 'blocked' {
  const axes = findings.filter(({ severity }) => severity === 'block').map(({ axis }) => axis);
  if (axes.includes('plan') || axes.includes('deploy')) return 'blocked';
  const awaitsCertificate = verifiedAt !== undefined && axes.includes('certificate') && !axes.includes('caa');
  return { phase: awaitsCertificate ? 'certificate' : 'record' };
}

/** 5, 10, 20, then 30 s. The thresholds allow for the jitter of the earlier delays. */
function recordDelay(elapsedMs: number): number {
  if (elapsedMs < 4 * SECOND_MS) return 5 * SECOND_MS;
  if (elapsedMs < 12 * SECOND_MS) return 10 * SECOND_MS;
  if (elapsedMs < 28 * SECOND_MS) return 20 * SECOND_MS;
  return 30 * SECOND_MS;
}

/** Every 5 s for 2 minutes, 15 s until minute 10, 30 s until minute 30, exactly at 30 minutes, then every minute. */
function certificateDelay(elapsedMs: number): number {
  if (elapsedMs >= CERTIFICATE_DUE_MS) return 60 * SECOND_MS;
  const delayMs = elapsedMs < 120_000 ? 5_000 : elapsedMs < 600_000 ? 15_000 : 30_000;
  return Math.min(delayMs, CERTIFICATE_DUE_MS - elapsedMs);
}
