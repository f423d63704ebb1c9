import type { Command } from 'commander';

/** What each command gave as its examples, for what is made of the commands: man pages, the tree for tools. */
const examples = new WeakMap<Command, readonly string[]>();
/** What else its page says. */
const notesBefore = new WeakMap<Command, string>();

/** Adds examples, and the way to the global flags and the topics, to the end of a command's help. Each example is a whole line to type. */
export function addExamples(command: Command, lines: readonly string[], notes?: string): Command {
  examples.set(command, lines);
  if (notes !== undefined) notesBefore.set(command, notes);
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

/** What the page of a command says before its examples, in lines as they stand there. */
export function notesOf(command: Command): string | undefined {
  return notesBefore.get(command);
}
