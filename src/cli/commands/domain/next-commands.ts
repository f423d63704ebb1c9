import type { Report } from '../../../domain/index.js';
import { shellWord } from '../../shell-word.js';
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
}

/** The report with commands that ask where this one asked, and look where it looked; each once. */
export function withOwnFlags(report: Report, flags: OwnFlags, mock: boolean): Report {
  const target = report.expected[0]?.value;
  const next = report.next
    .filter(({ command }) => !mock || isForMock(command, flags))
    .map(({ command, when }) => ({ command: ownCommand(withTarget(command, target), flags, mock), when }));
  const isFirst = ({ command }: { command: string }, index: number): boolean =>
    next.findIndex((step) => step.command === command) === index;
  return { ...report, next: next.filter(isFirst) };
}

/** A `petstore domain` command with those of the flags that it has; anything else as it is. */
export function ownCommand(command: string, flags: OwnFlags, mock: boolean): string {
  const [, name = ''] = /^petstore domain ([a-z]+) /.exec(command) ?? [];
  if (name === '' || command.endsWith(' --help')) return command;
  const words = [
    ...(mock ? [] : askWords(flags.ask)),
    ...(name === 'records' ? [] : probeWords(flags)),
    ...(name === 'verify' ? verifyWords(flags) : []),
  ];
  // Two flags that contradict each other: the command's own stands.
  const isMeant = (word: string): boolean =>
    word !== '--no-certificate' || !command.includes(' --until active');
  const given = words.filter((word) => isMeant(word) && !`${command} `.includes(` ${word} `));
  return [mock ? command.replace('petstore ', 'petstore --mock ') : command, ...given].join(' ');
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

function verifyWords({ plan, deployed, issuer, certificate, strict }: OwnFlags): string[] {
  return [
    ...(plan === undefined ? [] : [`--plan ${plan}`]),
    ...(deployed === undefined ? [] : [deployed ? '--deployed' : '--not-deployed']),
    ...(issuer === undefined ? [] : [`--issuer ${shellWord(issuer)}`]),
    ...(certificate === false ? ['--no-certificate'] : []),
    ...(strict === true ? ['--strict'] : []),
  ];
}

/** The mock's ports end with the command, and nothing serves its names but what somebody has named. */
function isForMock(command: string, { probe }: OwnFlags): boolean {
  if (!command.startsWith('petstore domain ') || command.includes(' --no-public')) return false;
  return probe?.connect !== undefined || !/ cert | --until active/.test(command);
}

function withTarget(command: string, target: string | undefined): string {
  const isComplete = target === undefined || !command.startsWith('petstore domain cert ');
  return isComplete ? command : `${command} --target ${shellWord(target)}`;
}
