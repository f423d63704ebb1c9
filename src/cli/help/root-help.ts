import { COMMANDS, TOPICS } from '../command-line/command-table.js';
import { GLOBAL_FLAGS, HELP_FLAG, VERSION_FLAG } from '../command-line/global-flags.js';

/** The help of the bare command, made from the tables alone. */
export function rootHelp(): string {
  const commands = Object.entries(COMMANDS).map(([word, { summary }]): Row => [word, summary]);
  const flags = [...GLOBAL_FLAGS, VERSION_FLAG, HELP_FLAG].map((flag): Row => [
    alignShort(flag.flags),
    flag.summary,
  ]);
  return `Operate a pet store service from the terminal.

Usage: petstore COMMAND [flags]

Commands:
${table(commands)}

Global flags, anywhere on the line:
${table(flags)}

Help topics (petstore help TOPIC):
${table(Object.entries(TOPICS))}

Examples:
  petstore pets list --mock
  petstore pets list --status available --limit 50
  petstore pets create --name Rex --category-id 7
  petstore pets list --json id,name

PETSTORE_API_KEY holds the key and PETSTORE_BASE_URL the address of the service.
`;
}

type Row = [term: string, summary: string];

function table(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(([term]) => term.length));
  return rows.map(([term, summary]) => `  ${term.padEnd(width)}  ${summary}`).join('\n');
}

function alignShort(flags: string): string {
  return flags.startsWith('--') ? `    ${flags}` : flags;
}
