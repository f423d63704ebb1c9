import type { CommandDeclaration } from '../command-line/plain-line.js';
import { wrapText } from '../output/text/wrap.js';
import { pageOf } from './command-page.js';

/**
 * Ends a command's help with notes, examples and a pointer to the global flags.
 *
 * @param lines the examples, each a whole line to type.
 * @param notes plain text as `wrapText` reads it: paragraphs, headings and bullets.
 */
export function addExamples(command: CommandDeclaration, lines: readonly string[], notes?: string): void {
  Object.assign(pageOf(command), { examples: lines, ...(notes === undefined ? {} : { notes }) });
  const more = notes === undefined ? '' : `\n${notes}\n`;
  const examples = lines.map((line) => `  ${line}`).join('\n');
  const text = `${more}\nExamples:\n${examples}\n\nGlobal flags and help topics: petstore --help`;
  command.addHelpText('after', () => wrapText(text, command.configureOutput().getOutHelpWidth?.() ?? 80));
}
