import type { Command } from 'commander';

/** Adds examples, and the way to the global flags, to the end of a command's help. Each example is a whole line to type. */
export function addExamples(command: Command, examples: readonly string[], notes?: string): Command {
  const lines = examples.map((example) => `  ${example}`).join('\n');
  const more = notes === undefined ? '' : `\n${notes}\n`;
  return command.addHelpText('after', `${more}\nExamples:\n${lines}\n\nGlobal flags: petstore --help`);
}
