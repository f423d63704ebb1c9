import type { Command } from 'commander';
import { pageOf } from './command-page.js';

/** Adds examples, and the way to the global flags and the topics, to the end of a command's help. Each example is a whole line to type. */
export function addExamples(command: Command, lines: readonly string[], notes?: string): Command {
  Object.assign(pageOf(command), { examples: lines, ...(notes === undefined ? {} : { notes }) });
  const more = notes === undefined ? '' : `\n${notes}\n`;
  const indented = lines.map((line) => `  ${line}`).join('\n');
  return command.addHelpText(
    'after',
    `${more}\nExamples:\n${indented}\n\nGlobal flags and help topics: petstore --help`,
  );
}
