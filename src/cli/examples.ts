import type { Command } from 'commander';

/** What each command gave as its examples, for what is made of the commands: man pages, the tree for tools. */
const examples = new WeakMap<Command, readonly string[]>();

/** Adds examples, and the way to the global flags and the topics, to the end of a command's help. Each example is a whole line to type. */
export function addExamples(command: Command, lines: readonly string[], notes?: string): Command {
  examples.set(command, lines);
  const more = notes === undefined ? '' : `\n${notes}\n`;
  const indented = lines.map((line) => `  ${line}`).join('\n');
  return command.addHelpText(
    'after',
    `${more}\nExamples:\n${indented}\n\nGlobal flags and help topics: petstore --help`,
  );
}

/** The examples of a command: whole lines to type. */
export function examplesOf(command: Command): readonly string[] {
  return examples.get(command) ?? [];
}
