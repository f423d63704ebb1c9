import type { Command } from 'commander';
import {
  checkDomains,
  type CheckOptions,
  type CheckRequest,
  createProbes,
  exitCodeOf,
  type KnownPlan,
  type ProbeTarget,
  type RedirectEntry,
  type VerdictExitCode,
} from '../../../../domain/index.js';
import type { Bind, Session } from '../../../session/action.js';
import { addExamples } from '../../../help/examples.js';
import { EXIT } from '../../../errors/exit-codes.js';
import { reshapingFlag } from '../../../output/index.js';
import { describeFields } from '../../../help/describe-fields.js';
import { UsageError } from '../../../errors/usage-error.js';
import {
  checkDnsFlags,
  type DnsAccess,
  MOCK_ISSUER,
  openDns,
  runTimeoutMs,
  TIMEOUT_HELP,
} from '../dns-access.js';
import {
  addDnsFlags,
  addProbeFlags,
  addVerifiedAtFlag,
  checkVerifiedAt,
  probeTarget,
} from '../domain-flags.js';
import { inferPlan, titled } from './inferred-plan.js';
import { asciiOf, shownName } from '../report/names.js';
import { inheritedFlags, longerTimeout, renderCommand, renderNextSteps } from '../next-commands.js';
import { PLAN_NAMES } from '../../../config/config-values.js';
import {
  checkReportOutput,
  COLUMNS,
  type JudgedReport,
  printReports,
  REPORT_FIELDS,
  worstExitCode,
} from '../report/reports.js';
import { type CommandSubject, readSubject } from '../subject.js';
import { isTrial, openVerifiedMemory, type VerifiedMemory } from './verified-memory.js';
import { GOALS, readVerifyOptions, type VerifyOptions } from './verify-options.js';
import { tellEvent, waitForDomains, type WaitPlan } from './wait.js';

const WAIT_TIMEOUT_MS = 30 * 60_000;

export function registerVerify(domain: Command, bind: Bind): void {
  const command = domain
    .command('verify')
    .description(
      'Check custom domains: what is wrong, what to type, and when it will be seen. Asks the name servers of the ' +
        'domain first, and resolvers only when those are right, so that none learns to say no.',
    )
    .argument('[domains...]', 'domains to check; else those of petstore.config.json');
  addVerifiedAtFlag(addProbeFlags(addDnsFlags(command)))
    .option('--plan <plan>', `plan of the project: ${PLAN_NAMES.join(', ')}`)
    .option('--deployed', 'the project has a successful deploy')
    .option('--not-deployed', 'it has none yet')
    .option('--issuer <name>', 'who issues certificates for the platform, as CAA records name it')
    .option('--no-certificate', 'do not look at the certificate')
    .option('--wait', 'check again until it is right; --timeout is how long (30m)')
    .option('--until <state>', `what is enough: ${GOALS.join(', ')}`, 'verified')
    .option('--strict', 'fail on a warning too, and on whatever blocks the certificate')
    .action((words: string[], flags: Record<string, unknown>) =>
      bind(verifyDomains, readVerifyOptions(words, flags)),
    );
  describeFields(command, COLUMNS, REPORT_FIELDS);
  addExamples(
    command,
    [
      'petstore --mock domain verify shop.example.test',
      'petstore domain verify shop.example.com --target cname.example.net',
      'petstore domain verify --wait --until active --timeout 1h',
      'petstore domain verify shop.example.com --json state,next',
    ],
    `${TIMEOUT_HELP}\n\n` +
      'With --wait, -o ndjson tells events: changed and reverify, and of each domain\n' +
      'one end: reached, timeout, blocked or interrupted.\n\n' +
      'Since when a domain is verified is remembered in the state directory, by domain\n' +
      'and target: a certificate is overdue 30 minutes later. --verified-at wins.\n' +
      'With --authoritative-port or --connect it is not: that may be a trial.\n' +
      'Without --plan the plan is inferred from the rate limit of the API key, where a\n' +
      'key and a base URL are set: one small request.\n\n' +
      'Exit codes: 0 verified or active, 1 something has to be changed, 8 only time is\n' +
      'missing, 9 could not be told. Names for --mock: petstore help mock-dns',
  );
}

async function verifyDomains(options: VerifyOptions, session: Session): Promise<VerdictExitCode> {
  checkDnsFlags(options.dns, session);
  checkVerifiedAt(options.verifiedAt, session.context);
  const probes = wantsProbes(options, session);
  const subject = readSubject(options.words, options.dns, session);
  const memory = openVerifiedMemory(session, {
    told: options.verifiedAt,
    isTrial: isTrial(options),
  });
  const probe = probes ? await probeTarget(options.probe, session) : undefined;
  if (options.wait) checkEventOutput(session);
  await checkReportOutput(subject.domains.length, session);
  const [plan, dns] = await Promise.all([
    knownPlan(options, subject, session),
    openDns(options.dns, session),
  ]);
  const requests = requestsOf(options, subject, { probe, memory, plan }, session);
  try {
    const { redirects } = subject.project;
    const checkOptions: CheckOptions = {
      ...dns.options,
      ...(probes ? { probes: createProbes({ attached: attachedTo(subject), redirects }) } : {}),
    };
    const judged = options.wait
      ? await waitForAll(requests, options, { checkOptions, memory }, session)
      : await checkAll(requests, options, { checkOptions, memory }, session);
    return worstExitCode(judged.map(({ exitCode }) => exitCode));
  } finally {
    memory.save();
    await closeQuietly(dns);
  }
}

/** Events of a wait are of several shapes, and come one by one. */
function checkEventOutput({ format, global }: Session): void {
  if (format !== 'ndjson') return;
  const given = reshapingFlag(global);
  if (given === undefined) return;
  throw new UsageError(
    `${given} and --wait -o ndjson contradict each other: the events are told as they come, and whole`,
    'leave one of them out, or let another program choose, such as jq',
  );
}

/** Of the mock's names there is no certificate, unless somebody says where. */
function wantsProbes({ probe, until }: VerifyOptions, { global }: Session): boolean {
  if (!global.mock || probe.connect !== undefined) return true;
  if (until === 'active') {
    throw new UsageError(
      'with --mock there is no certificate to look at, so no domain gets active',
      'leave --until active out, or name what serves one with --connect and --https-port',
    );
  }
  return false;
}

function requestsOf(
  options: VerifyOptions,
  { project, target, domains }: CommandSubject,
  {
    probe,
    memory,
    plan,
  }: { probe: ProbeTarget | undefined; memory: VerifiedMemory; plan: KnownPlan | undefined },
  session: Session,
): CheckRequest[] {
  const { mock } = session.global;
  const deployed = options.deployed ?? (mock ? true : project.deployed);
  return domains.map(({ input, ascii }) => ({
    domain: input,
    target,
    redirects: project.redirects.filter((entry) => concerns(entry, ascii)),
    plan,
    deployed,
    certificate: options.certificate && probe !== undefined,
    probe,
    kind: options.dns.kind,
    issuer: options.issuer ?? (mock ? MOCK_ISSUER : undefined),
    verifiedAt: memory.verifiedAt(ascii, target),
  }));
}

/** The plan from the flag or the project file; otherwise inferred. The mock's service meets all requirements. */
async function knownPlan(
  options: VerifyOptions,
  { project }: CommandSubject,
  session: Session,
): Promise<KnownPlan | undefined> {
  const plan = options.plan ?? (session.global.mock ? 'pro' : project.plan);
  return plan === undefined ? await inferPlan(session) : { name: titled(plan) };
}

function concerns({ from, to }: RedirectEntry, ascii: string): boolean {
  return [from, to].some((host) => asciiOf(host) === ascii);
}

/** Not known where the project file lists no domains. */
function attachedTo({ project, domains }: CommandSubject): string[] | undefined {
  if (project.domains.length === 0) return undefined;
  return [...project.domains.flatMap((host) => asciiOf(host) ?? []), ...domains.map(({ ascii }) => ascii)];
}

/** What checks go by, and where they are noted. */
interface Checking {
  checkOptions: CheckOptions;
  memory: VerifiedMemory;
}

async function checkAll(
  requests: readonly CheckRequest[],
  options: VerifyOptions,
  { checkOptions, memory }: Checking,
  session: Session,
): Promise<JudgedReport[]> {
  const judged: JudgedReport[] = [];
  const timeoutMs = runTimeoutMs(requests.length, session);
  // Line by line as they are ready, unless they have to be put in order first.
  const streams = session.format === 'ndjson' && session.global.sort === undefined;
  for await (const found of checkDomains(requests, { ...checkOptions, timeoutMs })) {
    memory.learn(found, requests[judged.length]?.target ?? '');
    const report = renderNextSteps(found, inheritedFlags(options, session), session.global);
    const one = { report, exitCode: exitCodeOf(report.state, report.findings, options) };
    judged.push(one);
    if (streams) await printReports([one], session);
  }
  if (!streams) await printReports(judged, session);
  return judged;
}

async function waitForAll(
  requests: readonly CheckRequest[],
  options: VerifyOptions,
  { checkOptions, memory }: Checking,
  session: Session,
): Promise<JudgedReport[]> {
  const timeoutMs = session.global.timeoutMs ?? WAIT_TIMEOUT_MS;
  const plan: WaitPlan = {
    options: { ...checkOptions, until: options.until, timeoutMs },
    take(report, { target }, isOver) {
      memory.learn(report, target);
      memory.save();
      const longerWait = isOver ? { longerWait: longerTimeout(timeoutMs, WAIT_TIMEOUT_MS) } : {};
      return renderNextSteps(report, { ...inheritedFlags(options, session), ...longerWait }, session.global);
    },
    resumeCommand: (left) => resumeCommand(left, options, session),
  };
  const judged: JudgedReport[] = [];
  await waitForDomains(requests, plan, session, (index, { end, report }) => {
    // A wait that ran out is pending, whatever stood in the way.
    const exitCode = end === 'timeout' ? EXIT.pending : exitCodeOf(report.state, report.findings, options);
    judged[index] = { report, exitCode };
    if (session.format === 'ndjson') {
      tellEvent({ event: 'end', end, timedOut: end === 'timeout', exitCode, report }, session);
    } else if (end === 'timeout') {
      const isKnown = report.findings.every(({ id }) => id !== 'time.ran-out');
      const what = isKnown
        ? 'and it is not there yet'
        : 'and there was no time to ask all that has to be asked';
      session.note(`${shownName(report.domain)}: the wait is over, ${what}`);
    }
  });
  if (session.format !== 'ndjson') await printReports(judged, session);
  return judged;
}

function resumeCommand(requests: readonly CheckRequest[], options: VerifyOptions, session: Session): string {
  const domains = requests.map(({ domain }) => domain);
  const command = { verb: 'verify', domains, target: requests[0]?.target, wait: true } as const;
  return renderCommand(command, inheritedFlags(options, session), session.global);
}

/** The result stands, whatever becomes of the sockets. */
async function closeQuietly(dns: DnsAccess): Promise<void> {
  await dns.close().catch(() => undefined);
}
