import type { Report } from '../report/report.js';

/** What a wait is for. */
export type WaitGoal = 'verified' | 'active';

/** What stands in the way, as far as waiting is concerned. */
export interface WaitState {
  /** `record`: somebody has to edit it; `propagation`: resolvers have to forget; `certificate`: it has to be issued. */
  phase: 'record' | 'propagation' | 'certificate';
  /** Milliseconds until the first resolver forgets what it remembers, where that is known. */
  nextExpiryMs?: number;
}

/** A moment yet to come was kept by a clock that was wrong, and tells nothing. Milliseconds since the epoch. */
export function pastTime(told: number | undefined, now: number): number | undefined {
  return told !== undefined && told <= now ? told : undefined;
}

/** Since verification, in milliseconds: from then on a certificate is overdue (specification, custom domain, 8). */
export const CERTIFICATE_DUE_MS = 30 * 60_000;

const SECOND_MS = 1_000;
const JITTER = 0.2;
/** Resolvers may forget earlier than they said, and count whole seconds. */
const EXPIRY_MARGIN_MS = 1_000;
const EXPIRY_MIN_MS = 5_000;
const EXPIRY_MAX_MS = 300_000;

/**
 * How long to wait before the next check.
 *
 * @param elapsedMs Since the phase began.
 * @param random From 0 up to, but not including, 1: spreads the checks of many waits.
 * @returns milliseconds.
 */
export function nextDelay(state: WaitState, elapsedMs: number, random: number): number {
  if (state.phase === 'certificate') return certificateDelay(elapsedMs);
  if (state.phase === 'propagation' && state.nextExpiryMs !== undefined) {
    return Math.min(Math.max(state.nextExpiryMs + EXPIRY_MARGIN_MS, EXPIRY_MIN_MS), EXPIRY_MAX_MS);
  }
  return Math.round(recordDelay(elapsedMs) * (1 - JITTER + 2 * JITTER * random));
}

/** What a report leaves to wait for; `reached` where it is the goal, `blocked` where no wait can help. */
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
  // Without an estimate it is a name server that is behind, and that may catch up at any time.
  if (remaining.length === 0) return { phase: 'record' };
  return { phase: 'propagation', nextExpiryMs: Math.min(...remaining) * SECOND_MS };
}

/** The plan and the deploy are told, not looked up: in a wait they do not change. */
function blockedBy({ findings }: Report): WaitState | 'blocked' {
  const isTold = findings.some(
    ({ axis, severity }) => severity === 'block' && (axis === 'plan' || axis === 'deploy'),
  );
  return isTold ? 'blocked' : { phase: 'record' };
}

/** 5, 10, 20, then 30 s; the steps leave room for the jitter of the delays before. */
function recordDelay(elapsedMs: number): number {
  if (elapsedMs < 4 * SECOND_MS) return 5 * SECOND_MS;
  if (elapsedMs < 12 * SECOND_MS) return 10 * SECOND_MS;
  if (elapsedMs < 28 * SECOND_MS) return 20 * SECOND_MS;
  return 30 * SECOND_MS;
}

/** Every 5 s for 2 minutes, 15 s up to 10, 30 s up to 30, exactly at 30, and then every minute. */
function certificateDelay(elapsedMs: number): number {
  if (elapsedMs >= CERTIFICATE_DUE_MS) return 60 * SECOND_MS;
  const delayMs = elapsedMs < 120_000 ? 5_000 : elapsedMs < 600_000 ? 15_000 : 30_000;
  return Math.min(delayMs, CERTIFICATE_DUE_MS - elapsedMs);
}
