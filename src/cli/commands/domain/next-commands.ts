import type { Report } from '../../../domain/index.js';
import { shellWord } from '../../shell-word.js';
import type { AskFlags } from './domain-flags.js';

/** The report with commands that ask where this one asked. */
export function withOwnFlags(report: Report, flags: AskFlags, mock: boolean): Report {
  const target = report.expected[0]?.value;
  const next = report.next
    .filter(({ command }) => !mock || isForMock(command))
    .map(({ command, when }) => ({ command: ownCommand(withTarget(command, target), flags, mock), when }));
  return { ...report, next };
}

/** A `petstore domain` command with the flags that say whom to ask; anything else as it is. */
export function ownCommand(command: string, flags: AskFlags, mock: boolean): string {
  if (!command.startsWith('petstore domain ')) return command;
  if (mock) return command.replace('petstore ', 'petstore --mock ');
  const given = askWords(flags).filter((words) => !command.includes(` ${words}`));
  return [command, ...given].join(' ');
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

/** The mock's ports end with the command, and nothing serves its names. */
function isForMock(command: string): boolean {
  return command.startsWith('petstore domain ') && !/ cert | --until active| --no-public/.test(command);
}

function withTarget(command: string, target: string | undefined): string {
  const isComplete = target === undefined || !command.startsWith('petstore domain cert ');
  return isComplete ? command : `${command} --target ${shellWord(target)}`;
}
