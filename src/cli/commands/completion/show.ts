import type { Command } from 'commander';
import type { Bind, Session } from '../../session/action.js';
import { completionScript } from '../../completion/completion-script.js';
import { rejectOutputFlags } from '../../session/request-flags.js';
import { addExamples } from '../../help/examples.js';
import { choice } from '../../command-line/flag-values.js';
import { type Shell, SHELLS } from '../../completion/complete.js';
import { UsageError } from '../../errors/usage-error.js';

export function registerCompletion(program: Command, bind: Bind): void {
  const command = program
    .command('completion')
    .description('Print the completion script of a shell, for commands, flags, values, profiles and ids.')
    .argument('<shell>', `One of ${SHELLS.join(', ')}`)
    .action((shell: string) => bind(showScript, { shell: readShell(shell) }));
  addExamples(
    command,
    [
      'petstore completion bash',
      'petstore completion zsh',
      'petstore completion fish',
      'petstore completion powershell',
    ],
    `Add this line to the start-up file of your shell.

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

function readShell(word: string): Shell {
  if (!OTHER_SHELLS.includes(word)) return choice('Shell', SHELLS, word);
  throw new UsageError(`No completion for ${word}`, `Supported shells: ${SHELLS.join(', ')}.`);
}

async function showScript({ shell }: { shell: Shell }, session: Session): Promise<undefined> {
  rejectOutputFlags('completion', session);
  session.context.stdout.write(completionScript(shell) ?? '');
}
