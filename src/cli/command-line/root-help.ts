import { COMMANDS, TOPICS } from './command-table.js';
import { GLOBAL_FLAGS, HELP_FLAG, VERSION_FLAG } from './global-flags.js';
import { pageWidth, wrapRow, wrapText } from '../output/text/wrap.js';

/** Returns the help of the bare program, made from the tables alone. @param columns of the terminal, if known. */
export function rootHelp(columns?: number): string {
  const width = pageWidth(columns);
  const section = (title: string, rows: readonly Row[]): string =>
    `${wrapText(title, width)}\n${termTable(rows, width)}`;
  const commands = Object.entries(COMMANDS).map(([word, { summary }]): Row => [word, summary]);
  const flags = [...GLOBAL_FLAGS, VERSION_FLAG, HELP_FLAG].map((flag): Row => [
    alignShort(flag.flags),
    flag.summary,
  ]);
  const sections = [
    wrapText('Operate a pet store service from the terminal.', width),
    wrapText('Usage: petstore COMMAND [flags]', width),
    section('Commands:', commands),
    section('Global flags, anywhere on the line:', flags),
    section('Help topics (petstore help TOPIC):', Object.entries(TOPICS)),
    wrapText(EXAMPLES, width),
    wrapText(ENVIRONMENT, width),
  ];
  return `${sections.join('\n\n')}\n`;
}

const EXAMPLES = `Examples:
  petstore pets list --mock
  petstore pets list --status available --limit 50
  petstore pets create --name Rex --category 7
  petstore pets list --json id,name`;

const ENVIRONMENT = `Environment:
  PETSTORE_API_KEY   API key
  PETSTORE_BASE_URL  Base URL of the service`;

type Row = [term: string, summary: string];

function termTable(rows: readonly Row[], width: number): string {
  const textColumn = Math.max(...rows.map(([term]) => term.length)) + 4;
  return rows.flatMap(([term, summary]) => wrapRow(`  ${term}`, summary, textColumn, width)).join('\n');
}

function alignShort(flags: string): string {
  return flags.startsWith('--') ? `    ${flags}` : flags;
}
