import type { Command } from 'commander';
import type { Bind, Session } from '../../session/action.js';
import { completionScript } from '../../completion/completion-script.js';
import { addExamples } from '../../help/examples.js';
import { choice } from '../../command-line/flag-values.js';
import { type Shell, SHELLS } from '../../completion/complete.js';
import { UsageError } from '../../errors/usage-error.js';

export function registerCompletion(program: Command, bind: Bind): void {
  const command = program
    .command('completion')
    .description(
      'Print the script that lets a shell complete petstore: commands, flags, values, profiles, ids.',
    )
    .argument('<shell>', SHELLS.join(', '))
    .action((shell: string) => bind(showScript, { shell: readShell(shell) }));
  addExamples(
    command,
    [
      'petstore completion bash',
      'petstore completion zsh',
      'petstore completion fish',
      'petstore completion powershell',
    ],
    `Now and for good, by shell:
  bash        eval "$(petstore completion bash)", in ~/.bashrc
  zsh         eval "$(petstore completion zsh)", in ~/.zshrc
  fish        petstore completion fish | source, in config.fish
  powershell  petstore completion powershell | Out-String | Invoke-Expression,
              in $PROFILE`,
  );
}

/** Shells that are none of ours: close to one in their letters alone. */
const OTHER_SHELLS = ['sh', 'ash', 'csh', 'dash', 'ksh', 'tcsh'];

function readShell(word: string): Shell {
  if (!OTHER_SHELLS.includes(word)) return choice('the shell', SHELLS, word);
  throw new UsageError(`there is no completion for ${word}`, `there is one for each of ${SHELLS.join(', ')}`);
}

async function showScript({ shell }: { shell: Shell }, { context }: Session): Promise<undefined> {
  context.stdout.write(completionScript(shell) ?? '');
}
