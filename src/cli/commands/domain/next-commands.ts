import type { Finding, NextAction, Report } from '../../../domain/index.js';
import type { GlobalOptions } from '../../command-line/global-options.js';
import { withTextTimes, type WithTextTimes } from './text-times.js';
import { shellWord } from '../../text/shell-word.js';
import type { DnsFlags, ProbeFlags } from './domain-flags.js';
import { runnableFindings } from './runnable-evidence.js';
import type { PlanName } from '../../config/config-values.js';

/** Flags of the current command that a follow-up command repeats. */
export interface InheritedFlags {
  dns: DnsFlags;
  probe?: ProbeFlags;
  /** Path given with --ca. */
  caFile?: string;
  plan?: PlanName;
  deployed?: boolean;
  /** The certificate authority of the platform, by its CAA name. */
  issuer?: string;
  certificate?: boolean;
  /** Whether to query rare record types too. */
  thorough?: boolean;
  /** Whether to compare the responses of the domain and the target. */
  probesPlatform?: boolean;
  strict?: boolean;
  /** Milliseconds since the epoch. */
  verifiedAt?: number;
  /** Whether --timeout limits a wait rather than one check. */
  wait?: boolean;
  /** A `--timeout` flag that replaces the current one after a wait that timed out. */
  longerWait?: string;
  until?: 'verified' | 'active';
}

/** Global flags that a follow-up command repeats. */
export type InheritedGlobals = Pick<GlobalOptions, 'mock' | 'timeoutMs' | 'profile' | 'baseUrl' | 'staging'>;

/** A `petstore domain` command to run next. */
export type DomainCommand = Omit<Extract<NextAction, { step: 'verify' }>, 'step' | 'domain' | 'target'> & {
  verb: 'verify' | 'records' | 'cert' | 'redirects';
  domains: readonly string[];
  target?: string | undefined;
  /** A `--timeout` flag that replaces the current one. */
  timeout?: string;
};

/** Returns the flags of a command that its follow-up commands repeat. */
export function inheritedFlags(
  options: Omit<InheritedFlags, 'caFile'>,
  { global: { caFile } }: { global: Pick<GlobalOptions, 'caFile'> },
): InheritedFlags {
  return caFile === undefined ? options : { ...options, caFile };
}

/** Returns a `--timeout` flag with twice the time limit that was reached, at least `minimumMs`. */
export function longerTimeout(reachedMs: number, minimumMs: number): string {
  return `--timeout ${durationWord(Math.max(minimumMs, 2 * reachedMs))}`;
}

/** Formats a duration for a flag, in whole units: `45s`, `30m`, `2h`. */
function durationWord(durationMs: number): string {
  const seconds = Math.ceil(durationMs / 1_000);
  if (seconds % 3_600 === 0) return `${String(seconds / 3_600)}h`;
  return seconds % 60 === 0 ? `${String(seconds / 60)}m` : `${String(seconds)}s`;
}

/** A report for output. Its times are RFC 3339 texts, and its next steps are command lines. */
export type RenderedReport = Omit<WithTextTimes<Report>, 'next'> & {
  next: readonly { command: string; when: string }[];
};

/** Renders the next steps of a report as commands that repeat the flags of the current command. Removes duplicates. */
export function renderNextSteps(
  report: Report,
  flags: InheritedFlags,
  globals: InheritedGlobals,
): RenderedReport {
  const whenByCommand = new Map<string, string>();
  const ownFlags = withoutRefuted(flags, report.findings);
  for (const { action, when } of report.next) {
    if (!isUseful(action, flags, globals)) continue;
    const command =
      action.step === 'dig' ? action.command : renderCommand(commandOf(action, flags), ownFlags, globals);
    if (!whenByCommand.has(command)) whenByCommand.set(command, when);
  }
  const findings = runnableFindings(report.findings, flags.probe ?? {}, globals);
  return {
    ...withTextTimes({ ...report, findings }),
    next: Array.from(whenByCommand, ([command, when]) => ({ command, when })),
  };
}

/** Leaves out a flag that names what blocks, such as `--not-deployed`: it is no longer true once that is fixed. */
function withoutRefuted(
  { plan, deployed, ...flags }: InheritedFlags,
  findings: readonly Finding[],
): InheritedFlags {
  const isBlocked = (wanted: Finding['id']): boolean =>
    findings.some(({ id, severity }) => id === wanted && severity === 'block');
  return {
    ...flags,
    ...(plan === undefined || isBlocked('plan.required') ? {} : { plan }),
    ...(deployed === undefined || isBlocked('deploy.required') ? {} : { deployed }),
  };
}

function isUseful(action: NextAction, { dns }: InheritedFlags, { mock }: InheritedGlobals): boolean {
  const excludesPublic = action.step === 'verify' && action.noPublic === true;
  if (!mock) {
    // With a chosen resolver, public ones are not queried anyway.
    const choosesResolver = dns.resolvers.length > 0 || dns.doh !== undefined;
    return !excludesPublic || !choosesResolver || !dns.usePublic;
  }
  // The mock's name servers end with the command.
  return action.step !== 'dig' && !excludesPublic;
}

function commandOf(action: Exclude<NextAction, { step: 'dig' }>, { wait }: InheritedFlags): DomainCommand {
  const { step: verb, domain, ...rest } = action;
  // Without a host, all entries of the project file.
  if (verb === 'redirects') return { verb, domains: [], target: rest.target };
  const command = { ...rest, verb, domains: [domain] };
  if (!('timeoutMs' in command)) return command;
  // After a wait that timed out, the next command waits too.
  const { timeoutMs, ...untimed } = command;
  return wait === true ? { ...untimed, wait } : { ...command, timeoutMs };
}

/** Renders a command line that repeats the flags of the current command. */
export function renderCommand(
  command: DomainCommand,
  flags: InheritedFlags,
  globals: InheritedGlobals,
): string {
  const { verb, domains, target } = command;
  const words = [
    ...(target === undefined ? [] : [`--target ${shellWord(target)}`]),
    ...ownWords(command),
    ...(globals.mock ? [] : dnsWords(flags.dns)),
    ...(verb === 'records' ? [] : probeWords(flags)),
    ...(verb === 'verify' ? verifyWords(flags, command.until) : []),
    ...(verb === 'verify' || verb === 'cert' ? verifiedAtWords(flags) : []),
    ...timeoutWords(command, flags, globals),
    ...(globals.mock ? [] : serviceWords(globals)),
  ];
  const program = globals.mock ? 'petstore --mock domain' : 'petstore domain';
  return [program, verb, ...domains.map(shellWord), ...new Set(words)].join(' ');
}

function ownWords({ until, wait, noPublic, timeout, timeoutMs }: DomainCommand): string[] {
  return [
    ...(until === undefined ? [] : [`--until ${until}`]),
    ...(wait === true ? ['--wait'] : []),
    ...(noPublic === true ? ['--no-public'] : []),
    ...(timeout === undefined ? [] : [timeout]),
    ...(timeoutMs === undefined ? [] : [`--timeout ${String(timeoutMs / 1_000)}s`]),
  ];
}

function dnsWords({ kind, resolvers, doh, authoritativePort, usePublic }: DnsFlags): string[] {
  return [
    ...(kind === undefined ? [] : [`--${kind}`]),
    ...resolvers.map((resolver) => `--resolver ${shellWord(resolver)}`),
    ...(doh === undefined ? [] : [`--doh ${shellWord(doh)}`]),
    ...(authoritativePort === undefined ? [] : [`--authoritative-port ${String(authoritativePort)}`]),
    ...(usePublic ? [] : ['--no-public']),
  ];
}

function probeWords({ probe: { connect, httpsPort, httpPort } = {}, caFile }: InheritedFlags): string[] {
  return [
    ...(connect === undefined ? [] : [`--connect ${shellWord(connect)}`]),
    ...(httpsPort === undefined ? [] : [`--https-port ${String(httpsPort)}`]),
    ...(httpPort === undefined ? [] : [`--http-port ${String(httpPort)}`]),
    ...(caFile === undefined ? [] : [`--ca ${shellWord(caFile)}`]),
  ];
}

function verifyWords(
  { plan, deployed, issuer, certificate, thorough, probesPlatform, strict, until }: InheritedFlags,
  ownUntil: DomainCommand['until'],
): string[] {
  return [
    ...(until === 'active' ? ['--until active'] : []),
    ...(plan === undefined ? [] : [`--plan ${plan}`]),
    ...(deployed === undefined ? [] : [deployed ? '--deployed' : '--not-deployed']),
    ...(issuer === undefined ? [] : [`--issuer ${shellWord(issuer)}`]),
    // Contradicts --until active.
    ...(certificate === false && ownUntil !== 'active' ? ['--no-certificate'] : []),
    ...(thorough === true ? ['--thorough'] : []),
    ...(probesPlatform === true ? ['--probe'] : []),
    ...(strict === true ? ['--strict'] : []),
  ];
}

function verifiedAtWords({ verifiedAt }: InheritedFlags): string[] {
  return verifiedAt === undefined ? [] : [`--verified-at ${new Date(verifiedAt).toISOString()}`];
}

/** Repeats --timeout only if both commands wait or both check once: the flag limits a wait or a check. */
function timeoutWords(
  { wait = false, timeout, timeoutMs: ownMs }: DomainCommand,
  flags: InheritedFlags,
  { timeoutMs }: InheritedGlobals,
): string[] {
  if (timeout !== undefined || ownMs !== undefined || wait !== (flags.wait === true)) return [];
  if (flags.longerWait !== undefined) return [flags.longerWait];
  return timeoutMs === undefined ? [] : [`--timeout ${String(timeoutMs / 1_000)}s`];
}

/** The flags that select the service, from which the plan is inferred. */
function serviceWords({ profile, baseUrl, staging }: InheritedGlobals): string[] {
  return [
    ...(profile === undefined ? [] : [`--profile ${shellWord(profile)}`]),
    ...(baseUrl === undefined ? [] : [`--base-url ${shellWord(baseUrl)}`]),
    ...(staging ? ['--staging'] : []),
  ];
}
