import type { Finding, VerdictExitCode } from '../../../domain/index.js';
import type { Session } from '../../session/action.js';
import type { Page } from '../../output/table/page.js';
import { startTimeLimit } from '../../system/time-limit.js';
import { UsageError } from '../../errors/usage-error.js';
import { runTimeoutMs } from './dns-access.js';
import type { ProbeFlags } from './domain-flags.js';

/** Looks at something within the time that a run may take; what was not looked at by then is found as such. */
export async function withinRunTime<Seen>(
  session: Session,
  look: (signal: AbortSignal) => Promise<Seen>,
): Promise<Seen> {
  const limit = startTimeLimit(runTimeoutMs(1, session), session.context);
  try {
    const seen = await look(limit.signal);
    session.context.signal.throwIfAborted();
    return seen;
  } finally {
    limit.cancel();
  }
}

/** @throws UsageError with --mock, whose names nothing serves, unless somebody says where to connect. */
export function checkProbeFlags({ connect }: ProbeFlags, { global }: Session): void {
  if (!global.mock || connect !== undefined) return;
  throw new UsageError(
    'nothing serves the names of --mock, so there is nothing to look at',
    'name a server with --connect, --https-port and --http-port',
  );
}

/** 0 where nothing is wrong, 1 where something is, 8 where time is missing, 9 where it could not be told. */
export function probeExitCode(findings: readonly Finding[]): VerdictExitCode {
  const has = (severity: Finding['severity']): boolean =>
    findings.some((finding) => finding.severity === severity);
  if (has('block')) return 1;
  if (has('wait')) return 8;
  return has('unknown') || findings.length === 0 ? 9 : 0;
}

/** What follows from a probe, for people. */
export function showFindings(findings: readonly Finding[], page: Page): void {
  for (const { message, fix, id } of findings) {
    page.text(`${message} [${id}]`, { first: '  - ', rest: '    ' });
    if (fix !== undefined) page.text(fix.text, { first: '    ' });
  }
}
