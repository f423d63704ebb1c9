import type { Report } from '../../../domain/index.js';
import type { GlobalOptions } from '../../command-line/global-options.js';
import { shellWord } from '../../text/shell-word.js';
import type { AskFlags, ProbeFlags } from './domain-flags.js';
import type { PlanName } from './project.js';

/** What a command was told, as far as another one that goes on with it has to be told the same. */
export interface OwnFlags {
  ask: AskFlags;
  probe?: ProbeFlags;
  /** Of --ca. */
  caFile?: string;
  plan?: PlanName;
  deployed?: boolean;
  /** The authority that issues for the platform, by its CAA name. */
  issuer?: string;
  certificate?: boolean;
  strict?: boolean;
  /** Milliseconds since the epoch. */
  verifiedAt?: number;
  /** Whether --timeout is how long to wait, and not the limit of one run. */
  wait?: boolean;
  /** Of a wait that ran out: what the next one is to be told instead of this one's --timeout. */
  longerWait?: string;
  until?: 'verified' | 'active';
}

/** The global flags that bear on what another command finds. */
export type GlobalFlags = Pick<GlobalOptions, 'mock' | 'timeoutMs' | 'profile' | 'baseUrl' | 'staging'>;

/** What another command is to be told as this one was. */
export function ownFlags(
  options: Omit<OwnFlags, 'caFile'>,
  { global: { caFile } }: { global: Pick<GlobalOptions, 'caFile'> },
): OwnFlags {
  return caFile === undefined ? options : { ...options, caFile };
}

/** Where the time for a wait or a run was over: how long another one may take, as a flag. Longer than this one was. */
export function longerTimeout(ranOutAfterMs: number, leastMs: number): string {
  return `--timeout ${durationWord(Math.max(leastMs, 2 * ranOutAfterMs))}`;
}

/** A length of time as flags take it, in whole units: `45s`, `30m`, `2h`. */
function durationWord(durationMs: number): string {
  const seconds = Math.ceil(durationMs / 1_000);
  if (seconds % 3_600 === 0) return `${String(seconds / 3_600)}h`;
  return seconds % 60 === 0 ? `${String(seconds / 60)}m` : `${String(seconds)}s`;
}

/** The report with commands that ask where this one asked, and look where it looked; each once. */
export function withOwnFlags(report: Report, flags: OwnFlags, global: GlobalFlags): Report {
  const target = report.expected[0]?.value;
  const next = report.next
    .filter(({ command }) => (!global.mock || isForMock(command, flags)) && isNews(command, flags))
    .map(({ command, when }) => ({
      command: ownCommand(withTarget(waitingAgain(command, flags), target), flags, global),
      when,
    }));
  const isFirst = ({ command }: { command: string }, index: number): boolean =>
    next.findIndex((step) => step.command === command) === index;
  return { ...report, next: next.filter(isFirst) };
}

/** A `petstore domain` command with those of the flags that it has; anything else as it is. */
export function ownCommand(command: string, flags: OwnFlags, global: GlobalFlags): string {
  const [, name = ''] = /^petstore domain ([a-z]+) /.exec(command) ?? [];
  if (name === '' || command.endsWith(' --help')) return command;
  const hasTimeout = command.includes(' --timeout ');
  const words = [
    ...(global.mock ? [] : askWords(flags.ask)),
    ...(name === 'records' ? [] : probeWords(flags)),
    ...(name === 'verify' ? verifyWords(flags) : []),
    ...(name === 'verify' || name === 'cert' ? sinceWords(flags) : []),
    ...(command.includes(' --wait') === (flags.wait === true) && !hasTimeout
      ? timeoutWords(flags, global)
      : []),
    ...(global.mock ? [] : serviceWords(global)),
  ];
  // Two flags that contradict each other: the command's own stands.
  const isMeant = (word: string): boolean =>
    word !== '--no-certificate' || !command.includes(' --until active');
  const given = words.filter((word) => isMeant(word) && !`${command} `.includes(` ${word} `));
  return [global.mock ? command.replace('petstore ', 'petstore --mock ') : command, ...given].join(' ');
}

/** The flags as they are typed, each with its value. */
function askWords(flags: AskFlags): string[] {
  const { kind, resolvers, doh, authoritativePort, usePublic } = flags;
  return [
    ...(kind === undefined ? [] : [`--${kind}`]),
    ...resolvers.map((resolver) => `--resolver ${shellWord(resolver)}`),
    ...(doh === undefined ? [] : [`--doh ${shellWord(doh)}`]),
    ...(authoritativePort === undefined ? [] : [`--authoritative-port ${String(authoritativePort)}`]),
    ...(usePublic ? [] : ['--no-public']),
  ];
}

function probeWords({ probe: { connect, httpsPort, httpPort } = {}, caFile }: OwnFlags): string[] {
  return [
    ...(connect === undefined ? [] : [`--connect ${shellWord(connect)}`]),
    ...(httpsPort === undefined ? [] : [`--https-port ${String(httpsPort)}`]),
    ...(httpPort === undefined ? [] : [`--http-port ${String(httpPort)}`]),
    ...(caFile === undefined ? [] : [`--ca ${shellWord(caFile)}`]),
  ];
}

function verifyWords({ plan, deployed, issuer, certificate, strict, until }: OwnFlags): string[] {
  return [
    ...(until === 'active' ? ['--until active'] : []),
    ...(plan === undefined ? [] : [`--plan ${plan}`]),
    ...(deployed === undefined ? [] : [deployed ? '--deployed' : '--not-deployed']),
    ...(issuer === undefined ? [] : [`--issuer ${shellWord(issuer)}`]),
    ...(certificate === false ? ['--no-certificate'] : []),
    ...(strict === true ? ['--strict'] : []),
  ];
}

function sinceWords({ verifiedAt }: OwnFlags): string[] {
  return verifiedAt === undefined ? [] : [`--verified-at ${new Date(verifiedAt).toISOString()}`];
}

/** What a check had no time for is asked by another one; in a wait, by another wait. */
function waitingAgain(command: string, { wait = false }: OwnFlags): string {
  return wait ? command.replace(/ --timeout \S+$/, ' --wait') : command;
}

function timeoutWords({ longerWait }: OwnFlags, { timeoutMs }: GlobalFlags): string[] {
  if (longerWait !== undefined) return [longerWait];
  return timeoutMs === undefined ? [] : [`--timeout ${String(timeoutMs / 1_000)}s`];
}

/** Where the plan is inferred from. */
function serviceWords({ profile, baseUrl, staging }: GlobalFlags): string[] {
  return [
    ...(profile === undefined ? [] : [`--profile ${shellWord(profile)}`]),
    ...(baseUrl === undefined ? [] : [`--base-url ${shellWord(baseUrl)}`]),
    ...(staging ? ['--staging'] : []),
  ];
}

/** The mock's ports end with the command, and nothing serves its names but what somebody has named. */
function isForMock(command: string, { probe }: OwnFlags): boolean {
  if (!command.startsWith('petstore domain ') || command.includes(' --no-public')) return false;
  return probe?.connect !== undefined || !/ cert | --until active/.test(command);
}

/** Where a resolver is named, no public one is asked in any case. */
function isNews(command: string, { ask }: OwnFlags): boolean {
  const hasOwn = ask.resolvers.length > 0 || ask.doh !== undefined;
  return !hasOwn || !ask.usePublic || !command.includes(' --no-public');
}

function withTarget(command: string, target: string | undefined): string {
  const isComplete = target === undefined || !command.startsWith('petstore domain cert ');
  return isComplete ? command : `${command} --target ${shellWord(target)}`;
}
