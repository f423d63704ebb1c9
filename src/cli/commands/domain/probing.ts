import type { Finding, VerdictExitCode } from '../../../domain/index.js';
import type { Session } from '../../session/action.js';
import type { Page } from '../../output/table/page.js';
import { startTimeLimit } from '../../system/time-limit.js';
import { UsageError } from '../../errors/usage-error.js';
import { runTimeoutMs } from './dns-access.js';
import type { ProbeFlags } from './domain-flags.js';
import { withLocalTimes } from './report/local-time.js';

/**
 * Runs a probe within the time limit of a command. At the limit it aborts the probe, which reports this as a finding.
 */
export async function withinRunTime<T>(
  session: Session,
  probe: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = startTimeLimit(runTimeoutMs(1, session), session.context);
  try {
    const result = await probe(limit.signal);
    session.context.signal.throwIfAborted();
    return result;
  } finally {
    limit.cancel();
  }
}

/** @throws UsageError with --mock without --connect: the mock's names have no web server. */
export function checkProbeFlags({ connect }: ProbeFlags, { global }: Session): void {
  if (!global.mock || connect !== undefined) return;
  throw new UsageError(
    'The names of --mock have no web server to check',
    'Pass a server with --connect, --https-port and --http-port.',
  );
}

/** Returns 0 (ok), 1 (a problem), 8 (pending) or 9 (unknown). */
export function probeExitCode(findings: readonly Finding[]): VerdictExitCode {
  const has = (severity: Finding['severity']): boolean =>
    findings.some((finding) => finding.severity === severity);
  if (has('block')) return 1;
  if (has('wait')) return 8;
  return has('unknown') || findings.length === 0 ? 9 : 0;
}

/** Adds the findings of a probe to a page. `now`: milliseconds since the epoch, for local times. */
export function showFindings(findings: readonly Finding[], page: Page, now: number): void {
  for (const { message, fix, id } of findings) {
    page.text(`${withLocalTimes(message, now)} [${id}]`, { first: '  - ', rest: '    ' });
    if (fix !== undefined) page.text(withLocalTimes(fix.text, now), { first: '    ' });
  }
}
