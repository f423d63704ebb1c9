import {
  checkDomains,
  type CheckOptions,
  type CheckRequest,
  exitCodeOf,
  type VerdictExitCode,
} from '../../../domain/index.js';
import type { ValuesOf } from '../../command-line/flag.js';
import type { Session } from '../../session/session.js';
import { defineCommand } from '../../session/command.js';
import { EXIT } from '../../errors/exit-codes.js';
import { OUTPUT_FORMATS, reshapingFlag } from '../../output/index.js';
import { UsageError } from '../../errors/usage-error.js';
import {
  checkFlags,
  longerTimeout,
  mockWeb,
  runTimeoutMs,
  TIMEOUT_HELP,
  withDns,
  withMockAuthority,
} from './dns-access.js';
import { checkKind, DOMAIN_FLAGS, probeOptions } from './input/domain-flags.js';
import { shownName } from './input/names.js';
import { attachedDomains } from './input/project.js';
import { domainArguments, readSubject } from './input/subject.js';
import { reportProblems } from './report/findings.js';
import { renderCommand, renderNextSteps, type ReportResult } from './report/next-commands.js';
import { checkReportOutput, printReports, reportFields, worstExitCode } from './report/reports.js';
import { openVerificationTimes, type VerificationTimes } from './verification-times.js';
import { canProbe, knownPlan, requestsOf } from './verify-requests.js';
import { printEvent, waitForDomains, type WaitSettings } from './wait.js';

const WAIT_TIMEOUT_MS = 30 * 60_000;

const VERIFY_HELP = `How it checks:
- Queries the name servers of the domain first. Queries resolvers only once the
  records are correct, so that no resolver caches a negative answer.
- Resolvers named with --resolver or --doh decide the state. A system or public
  resolver that fails, filters or has an old record only causes a warning.
- ${TIMEOUT_HELP}
- --probe requests / from the domain and from the target. The same certificate
  or the same distinguishing header proves that the platform serves the domain,
  also through a proxy. A record that leads elsewhere is then a warning.
- -o markdown prints a page for the person who manages the DNS.
- -v shows the servers, the evidence, every DNS query and the hops of redirects;
  on stderr if stdout is a pipe. In JSON, it adds the queries as trace.
- Without --plan, infers the plan from the rate limit of the API key. This
  sends one small request, if a key and a base URL are configured.

With --wait:
- Checks again while you edit the records, and prints a line on each change.
- --timeout limits the wait (30m). A wait that times out exits 8.
- -o ndjson prints events: changed, reverify, and one end for each domain
  (reached, timeout, blocked or interrupted).

Certificate:
- It is overdue 30 minutes after verification. The time of verification is
  stored in the state directory, by domain and target.
- --verified-at overrides the stored time.
- With --authoritative-port or --connect nothing is stored.
- With --until active, a target that has only private addresses requires action.

Exit codes:
- 0: verified or active
- 1: action required, or with --strict a warning
- 2: a name, flag or setting is invalid; other names are checked
- 8: pending, only time is needed
- 9: could not check
- Several domains: the first of 2, 1, 9, 8, 0 that occurs

Names for --mock: petstore help mock-dns`;

const ARGUMENTS = domainArguments('check');

type VerifyOptions = ValuesOf<typeof ARGUMENTS> & ValuesOf<typeof DOMAIN_FLAGS.verify>;

export const verify = defineCommand({
  word: 'verify',
  summary: 'Check a domain and show what to fix',
  description:
    'Check the DNS records, certificate and redirects of custom domains, and show how to fix them.',
  arguments: ARGUMENTS,
  flags: DOMAIN_FLAGS.verify,
  formats: [...OUTPUT_FORMATS, 'markdown'],
  fields: reportFields(1),
  examples: [
    'petstore --mock domain verify shop.example.test',
    'petstore domain verify shop.example.com --target cname.example.net',
    'petstore domain verify --wait --until active --timeout 1h',
    'petstore domain verify shop.example.com --json state,next',
    'petstore domain verify shop.example.com -o markdown',
  ],
  notes: VERIFY_HELP,
  check(options) {
    checkKind(options);
    if (options.deployed && options.notDeployed)
      throw new UsageError("--deployed and --not-deployed can't be combined", 'Use one of the two.');
    if (options.until === 'active' && !options.certificate) {
      throw new UsageError(
        "--until active and --no-certificate can't be combined",
        'Use one of the two: active requires the certificate.',
      );
    }
  },
  run: verifyDomains,
});

async function verifyDomains(options: VerifyOptions, session: Session): Promise<VerdictExitCode> {
  checkFlags(options, session);
  const probes = canProbe(options, session);
  const subject = readSubject(options.words, options, session);
  const times = openVerificationTimes(options, session);
  const probe = await probeOptions(options, session);
  if (options.wait) checkEventOutput(session);
  await checkReportOutput(subject.domains.length, session);
  const plan = await knownPlan(options, subject, session);
  const web = probes ? mockWeb(options) : undefined;
  return withDns({ flags: options, names: subject.names, web }, session, async (access) => {
    const probeWith = probes ? withMockAuthority(probe, access) : undefined;
    const requests = requestsOf(options, subject, { probe: probeWith, times, plan }, session);
    const checkOptions: CheckOptions = {
      ...access.options,
      until: options.until,
      ...(session.global.verbose && { trace: true }),
      ...(probes && {
        attached: attachedDomains(subject.project, subject.domains),
        projectRedirects: subject.project.redirects,
      }),
    };
    const check = options.wait ? waitForAll : checkAll;
    try {
      const results = await check(requests, options, { checkOptions, times }, session);
      for (const { report, exitCode } of results)
        reportProblems({ ...report, name: shownName(report.domain), exitCode }, session);
      return worstExitCode(results.map(({ exitCode }) => exitCode));
    } finally {
      times.save();
    }
  });
}

/** Events have several shapes, so columns and queries do not apply. */
function checkEventOutput({ format, global }: Session): void {
  if (format !== 'ndjson') return;
  const given = reshapingFlag(global);
  if (given === undefined) return;
  throw new UsageError(
    `${given} can't be combined with --wait -o ndjson, which prints whole events`,
    'Remove one of them, or select with another program, such as jq.',
  );
}

interface Checking {
  checkOptions: CheckOptions;
  times: VerificationTimes;
}

async function checkAll(
  requests: readonly CheckRequest[],
  options: VerifyOptions,
  { checkOptions, times }: Checking,
  session: Session,
): Promise<ReportResult[]> {
  const results: ReportResult[] = [];
  const timeoutMs = runTimeoutMs(requests.length, session);
  // Prints each report when it is ready, unless --sort needs all of them.
  const streams = session.format === 'ndjson' && session.global.sort === undefined;
  for await (const checked of checkDomains(requests, { ...checkOptions, timeoutMs })) {
    times.update(checked, requests[results.length]?.target ?? '');
    const report = renderNextSteps(checked, session);
    const result = { report, exitCode: exitCodeOf(report.state, report.findings, options) };
    results.push(result);
    if (streams) await printReports([result], session);
  }
  if (!streams) await printReports(results, session);
  return results;
}

async function waitForAll(
  requests: readonly CheckRequest[],
  options: VerifyOptions,
  { checkOptions, times }: Checking,
  session: Session,
): Promise<ReportResult[]> {
  const timeoutMs = session.global.timeoutMs ?? WAIT_TIMEOUT_MS;
  const settings: WaitSettings = {
    options: { ...checkOptions, timeoutMs },
    process(report, { target }, hasTimedOut) {
      times.update(report, target);
      times.save();
      const longerWait = hasTimedOut ? longerTimeout(timeoutMs, WAIT_TIMEOUT_MS) : undefined;
      return renderNextSteps(report, session, longerWait);
    },
    resumeCommand(left) {
      const domains = left.map(({ domain }) => domain);
      return renderCommand({ verb: 'verify', domains, target: left[0]?.target, wait: true }, session);
    },
  };
  const results: ReportResult[] = [];
  await waitForDomains(requests, settings, session, (index, { end, report }) => {
    // A wait that timed out is always pending.
    const exitCode = end === 'timeout' ? EXIT.pending : exitCodeOf(report.state, report.findings, options);
    results[index] = { report, exitCode };
    if (session.format === 'ndjson') {
      printEvent({ event: 'end', end, timedOut: end === 'timeout', exitCode, report }, session);
    } else if (end === 'timeout') {
      const isKnown = report.findings.every(({ id }) => id !== 'time.ran-out');
      const detail = isKnown ? 'The goal is not reached.' : 'No check was completed.';
      session.note(`The wait for ${shownName(report.domain)} timed out. ${detail}`);
    }
  });
  if (session.format !== 'ndjson') await printReports(results, session);
  return results;
}
