import { anyText, argument, offering } from '../../command-line/flag.js';
import { defineCommand, rejectGlobalFlags } from '../../session/command.js';
import { completionScript } from './completion-script.js';
import { choice } from '../../command-line/flag-values.js';
import { type Shell, shellNamed, SHELLS } from './complete.js';
import { UsageError } from '../../errors/usage-error.js';
import { installCompletion } from './install.js';

export const completion = defineCommand({
  word: 'completion',
  description: 'Print or install the completion of a shell, for commands, flags, values, profiles and ids.',
  arguments: {
    word: argument(
      '<shell>',
      `One of ${SHELLS.join(', ')}, to print its script; or install`,
      offering([...SHELLS, 'install'], anyText),
    ),
    name: argument('[name]', 'With install: the shell (default: your shell)', offering(SHELLS, anyText)),
  },
  examples: [
    'petstore completion install',
    'petstore completion install zsh --dry-run',
    'petstore completion bash',
    'petstore completion powershell',
  ],
  notes: `petstore completion install adds a line to the start-up file of your shell, once.
It changes nothing else. To add it yourself, see its line with --dry-run.`,
  async run({ word, name }, session) {
    if (word === 'install') {
      rejectGlobalFlags(['completion', 'install'], { request: ['curl'] }, session.global);
      return installCompletion({ shell: name === undefined ? undefined : readShell(name) }, session);
    }
    const shell = readShell(word, name);
    rejectGlobalFlags(['completion'], { output: true }, session.global);
    session.context.stdout.write(completionScript(shell) ?? '');
    return undefined;
  },
});

function readShell(word: string, excess?: string): Shell {
  if (excess !== undefined) {
    throw new UsageError(`Too many arguments for "completion": ${excess}`, 'Only install takes a shell.');
  }
  return shellNamed(word) ?? choice('Shell', SHELLS, word);
}
