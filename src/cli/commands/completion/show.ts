import type { Command } from 'commander';
import type { Bind, Session } from '../../session/action.js';
import { completionScript } from '../../completion/completion-script.js';
import { rejectOutputFlags } from '../../session/request-flags.js';
import { addExamples } from '../../help/examples.js';
import { choice } from '../../command-line/flag-values.js';
import { type Shell, shellNamed, SHELLS } from '../../completion/complete.js';
import { UsageError } from '../../errors/usage-error.js';
import { installCompletion } from './install.js';

export function registerCompletion(program: Command, bind: Bind): void {
  const command = program
    .command('completion')
    .description('Print or install the completion of a shell, for commands, flags, values, profiles and ids.')
    .argument('<shell>', `One of ${SHELLS.join(', ')}, to print its script; or install`)
    .argument('[name]', 'With install: the shell (default: your shell)')
    .action((word: string, name?: string) =>
      word === 'install'
        ? bind(installCompletion, { shell: name === undefined ? undefined : readShell(name) })
        : bind(showScript, { shell: readShell(word, name) }),
    );
  addExamples(
    command,
    [
      'petstore completion install',
      'petstore completion install zsh --dry-run',
      'petstore completion bash',
      'petstore completion powershell',
    ],
    `petstore completion install adds a line to the start-up file of your shell, once.
It changes nothing else.

To add the line yourself:

bash, in ~/.bashrc:
    eval "$(petstore completion bash)"

zsh, in ~/.zshrc:
    eval "$(petstore completion zsh)"

fish, in config.fish:
    petstore completion fish | source

PowerShell, in $PROFILE:
    petstore completion powershell | Out-String | Invoke-Expression`,
  );
}

/** Other shells, whose names are close to those of supported ones. */
const OTHER_SHELLS = ['sh', 'ash', 'csh', 'dash', 'ksh', 'tcsh'];

function readShell(word: string, excess?: string): Shell {
  if (excess !== undefined) {
    throw new UsageError(`Too many arguments for "completion": ${excess}`, 'Only install takes a shell.');
  }
  if (!OTHER_SHELLS.includes(word)) return shellNamed(word) ?? choice('Shell', SHELLS, word);
  throw new UsageError(`No completion for ${word}`, `Supported shells: ${SHELLS.join(', ')}.`);
}

async function showScript({ shell }: { shell: Shell }, session: Session): Promise<undefined> {
  rejectOutputFlags('completion', session);
  session.context.stdout.write(completionScript(shell) ?? '');
}
