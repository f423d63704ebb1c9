import type { Shell } from './complete.js';

/**
 * Returns the completion script of a shell. It runs `petstore __complete SHELL INDEX -- WORDS`, which prints one
 * candidate a line, so that the script never changes.
 *
 * @returns `undefined` for an unsupported shell.
 */
export function completionScript(shell: string): string | undefined {
  return Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell as Shell] : undefined;
}

const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `# bash completion for petstore. To try it: eval "$(petstore completion bash)"
_petstore() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    if [ "$line" = ':files' ]; then
      # bash 3.2 has no compopt and then offers nothing.
      compopt -o default 2>/dev/null
      return 0
    fi
    COMPREPLY+=("$line")
  done < <(petstore __complete bash "$((COMP_CWORD - 1))" -- "\${COMP_WORDS[@]:1}" 2>/dev/null)
}
complete -F _petstore petstore
`,
  zsh: `#compdef petstore
# zsh completion for petstore. To try it: eval "$(petstore completion zsh)"
# To keep it: petstore completion zsh > "\${fpath[1]}/_petstore"
_petstore() {
  local -a described
  local line value summary
  while IFS= read -r line; do
    if [[ $line == ':files' ]]; then
      # After --flag= only the rest is a path.
      compset -P '*='
      _files
      return
    fi
    value=\${line%%$'\\t'*}
    summary=\${line#*$'\\t'}
    # A colon without text would show an empty description.
    described+=("\${value//:/\\\\:}\${summary:+:$summary}")
  done < <(petstore __complete zsh "$((CURRENT - 2))" -- "\${(@)words[2,-1]}" 2>/dev/null)
  _describe -V command described
}
if [ "$funcstack[1]" = '_petstore' ]; then
  _petstore "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
  compdef _petstore petstore
fi
`,
  fish: `# fish completion for petstore. To try it: petstore completion fish | source
# To keep it: petstore completion fish > ~/.config/fish/completions/petstore.fish
function __petstore_complete
  set -l before (commandline -opc)
  set -l current (commandline -ct)
  set -l index (math (count $before) - 1)
  set -l lines (petstore __complete fish $index -- $before[2..-1] "$current" 2>/dev/null)
  if test "$lines" = ':files'
    __fish_complete_path "$current"
  else
    printf '%s\\n' $lines
  end
end
complete -c petstore -f -k -a '(__petstore_complete)'
`,
  powershell: `# PowerShell completion for petstore. To try it: petstore completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName petstore -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $elements = @($commandAst.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.StartOffset -lt $cursorPosition })
  $words = @($elements | ForEach-Object { $_.Extent.Text })
  $index = $words.Count
  # Complete the word that ends at the cursor, also after its comma.
  if ($index -gt 0 -and $elements[-1].Extent.EndOffset -ge $cursorPosition) { $index = $index - 1 }
  $lines = @(petstore __complete powershell $index '--' @words 2>$null)
  if ($lines.Count -eq 1 -and $lines[0] -eq ':files') {
    [System.Management.Automation.CompletionCompleters]::CompleteFilename($wordToComplete)
    return
  }
  foreach ($line in $lines) {
    $value, $summary = $line -split "\`t", 2
    if (-not $summary) { $summary = $value }
    [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $summary)
  }
}
`,
};
