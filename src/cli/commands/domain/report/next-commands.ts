import type { Axis, Finding, NextAction, Report, VerdictExitCode } from '../../../../domain/index.js';
import { type GivenFlag, longName } from '../../../command-line/flag.js';
import type { GlobalOptions } from '../../../command-line/global-options.js';
import { API_FLAGS, repeatedFlags } from '../../../session/follow-up.js';
import { shellWord } from '../../../errors/shell-word.js';
import { DOMAIN_FLAGS } from '../input/domain-flags.js';

/** The command line that follow-up commands repeat. */
export interface CurrentLine {
  readonly given: readonly GivenFlag[];
  readonly global: Pick<GlobalOptions, 'mock' | 'timeoutMs'>;
}

/** A `petstore domain` command to run next. */
export type DomainCommand = Omit<Extract<NextAction, { step: 'verify' }>, 'step' | 'domain' | 'target'> & {
  verb: keyof typeof DOMAIN_FLAGS;
  domains: readonly string[];
  target?: string | undefined;
  /** A `--timeout` flag that replaces the current one. */
  timeout?: string;
};

/** A value with RFC 3339 texts instead of dates. */
type WithTextTimes<T> = T extends Date
  ? string
  : T extends object
    ? { [Field in keyof T]: WithTextTimes<T[Field]> }
    : T;

/** Replaces the dates in plain data by RFC 3339 texts in UTC, as JSON has them. */
export function withTextTimes<T>(data: T): WithTextTimes<T> {
  return JSON.parse(JSON.stringify(data)) as WithTextTimes<T>;
}

/** A report for output. Its times are RFC 3339 texts, and its next steps are command lines. */
export type RenderedReport = Omit<WithTextTimes<Report>, 'next'> & {
  next: readonly { step: NextAction['step']; command: string; when: string }[];
};

/** A report with its exit code. */
export interface ReportResult {
  report: RenderedReport;
  exitCode: VerdictExitCode;
}

/**
 * Renders the next steps of a report as commands that repeat the flags of the current line. Removes duplicates.
 *
 * @param longerWait a `--timeout` flag that replaces the current one after a wait that timed out.
 */
export function renderNextSteps(report: Report, line: CurrentLine, longerWait?: string): RenderedReport {
  const steps = new Map<string, RenderedReport['next'][number]>();
  const omitted = refutedFlags(report.findings);
  for (const { action, when } of report.next) {
    if (!isUseful(action, line)) continue;
    const command =
      action.step === 'dig'
        ? action.command
        : renderCommand(commandOf(action, line), line, { omitted, longerWait });
    if (!steps.has(command)) steps.set(command, { step: action.step, command, when });
  }
  return {
    ...withTextTimes({ ...report, findings: runnableFindings(report.findings, line) }),
    next: [...steps.values()],
  };
}

/** The flags that name what blocks, such as `--not-deployed`: they are no longer true once that is fixed. */
function refutedFlags(findings: readonly Finding[]): string[] {
  const isBlocked = (wanted: Finding['id']): boolean =>
    findings.some(({ id, severity }) => id === wanted && severity === 'block');
  return [
    ...(isBlocked('plan.required') ? ['--plan'] : []),
    ...(isBlocked('deploy.required') ? ['--deployed', '--not-deployed'] : []),
  ];
}

function isUseful(action: NextAction, { given, global }: CurrentLine): boolean {
  const excludesPublic = action.step === 'verify' && action.noPublic === true;
  // The mock's name servers end with the command.
  if (global.mock) return action.step !== 'dig' && !excludesPublic;
  // With a chosen resolver, public ones are not queried anyway.
  const choosesResolver = isGiven('--resolver', given) || isGiven('--doh', given);
  return !excludesPublic || !choosesResolver || isGiven('--no-public', given);
}

function isGiven(flag: string, given: readonly GivenFlag[]): boolean {
  return given.some(({ name }) => name === flag);
}

function commandOf(action: Exclude<NextAction, { step: 'dig' }>, { given }: CurrentLine): DomainCommand {
  const { step: verb, domain, ...rest } = action;
  // Without a host, all entries of the project file.
  if (verb === 'redirects') return { verb, domains: [], target: rest.target };
  const command = { ...rest, verb, domains: [domain] };
  if (!('timeoutMs' in command)) return command;
  // After a wait that timed out, the next command waits too.
  const { timeoutMs, ...untimed } = command;
  return isGiven('--wait', given) ? { ...untimed, wait: true } : { ...command, timeoutMs };
}

/** Renders a command line that repeats the flags of the current one, as far as the command has them. */
export function renderCommand(
  command: DomainCommand,
  line: CurrentLine,
  { omitted = [], longerWait }: { omitted?: readonly string[]; longerWait?: string | undefined } = {},
): string {
  const { verb, domains, target, until, wait, noPublic } = command;
  const { given, global } = line;
  const excluded = [
    ...omitted,
    '--target',
    '--wait',
    ...(until === undefined ? [] : ['--until']),
    // Contradicts --until active.
    ...(until === 'active' ? ['--no-certificate'] : []),
  ];
  const own = Object.values(DOMAIN_FLAGS[verb]).map(({ flags }) => longName(flags));
  const words = [
    ...(target === undefined ? [] : [`--target ${shellWord(target)}`]),
    ...(until === undefined ? [] : [`--until ${until}`]),
    ...(wait === true ? ['--wait'] : []),
    ...(noPublic === true ? ['--no-public'] : []),
    ...repeatedFlags(
      own.filter((name) => !excluded.includes(name)),
      given,
    ),
    ...timeoutWords(command, line, longerWait),
    // The plan is inferred from the service.
    ...(global.mock ? [] : repeatedFlags(API_FLAGS, given)),
    ...(verb === 'records' ? [] : repeatedFlags(['--ca'], given)),
  ];
  const program = global.mock ? 'petstore --mock domain' : 'petstore domain';
  return [program, verb, ...domains.map(shellWord), ...new Set(words)].join(' ');
}

/** Repeats --timeout only if both commands wait or both check once: the flag limits a wait or a check. */
function timeoutWords(
  { wait = false, timeout, timeoutMs: ownMs }: DomainCommand,
  { given, global: { timeoutMs } }: CurrentLine,
  longerWait: string | undefined,
): string[] {
  if (timeout !== undefined) return [timeout];
  if (ownMs !== undefined) return [`--timeout ${String(ownMs / 1_000)}s`];
  if (wait !== isGiven('--wait', given)) return [];
  if (longerWait !== undefined) return [longerWait];
  return timeoutMs === undefined ? [] : [`--timeout ${String(timeoutMs / 1_000)}s`];
}

/** Removes the commands of the evidence that query the servers of --mock, which end with the command. */
export function runnableFindings(
  findings: readonly Finding[],
  { given, global }: CurrentLine,
): readonly Finding[] {
  if (!global.mock) return findings;
  const isRunnable = (axis: Axis): boolean => isGiven('--connect', given) && PROBED.has(axis);
  return findings.map((finding) => ({
    ...finding,
    evidence: finding.evidence.map(({ text, command }) =>
      command !== undefined && isRunnable(finding.axis) ? { text, command } : { text },
    ),
  }));
}

/** The commands of these query the address of --connect. Those of all others query name servers. */
const PROBED: ReadonlySet<Axis> = new Set<Axis>(['certificate', 'redirect', 'serving']);
