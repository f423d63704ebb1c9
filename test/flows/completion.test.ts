import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findProgram, type Program } from '../integration/programs.js';

const ROOT = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'petstore-completion-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Printed after the values of a line. */
const END = '(end)';

/** Each runs completion in its shell at the end of every line, and returns the values by line. */
const SHELLS = { bash: completeBash, zsh: completeZsh, fish: completeFish };

const EXPECTED = [
  ['petstore pets ', ['list', 'get', 'create']],
  ['petstore pets g', ['get']],
  ['petstore pets list --status p', ['pending']],
  ['petstore pets list --status=p', ['pending']],
  ['petstore pets list --base-url http://127.0.0.1:1/v1 --status s', ['sold']],
  ['petstore -o nd', ['ndjson']],
  ['petstore --profile s', ['shop', 'staging']],
  ['petstore pets list --fields id,n', ['id,name']],
  ['petstore auth list --fields profile,b', ['profile,baseUrl']],
  ['petstore domain verify --json st', ['state']],
  ["petstore --profile 'st", ['staging']],
  ['petstore domain verify ', ['shop.example.com']],
  ['petstore help exit', ['exit-codes']],
  ['petstore pets create -f pet.j', ['pet.json']],
] as const;
const WITHOUT_VALUES = 'petstore pets list --limit ';

describe.each(Object.keys(SHELLS) as (keyof typeof SHELLS)[])('%s', (shell) => {
  const program = findProgram(shell);
  if (program === undefined) {
    test(`completes (skipped: ${shell} is not installed; .ci/run fetches it, and PETSTORE_TEST_SHELLS names its folder)`, (context) => {
      context.skip();
    });
    return;
  }
  let values: string[][];
  beforeAll(() => {
    values = SHELLS[shell](program, [...EXPECTED.map(([line]) => line), WITHOUT_VALUES]);
  }, 120_000);

  test.each(EXPECTED.map(([line, expected], index) => [line, expected, index] as const))(
    '%s<TAB>',
    (line, expected, index) => {
      const found = values[index]!;
      expect(found.filter((value) => expected.some((each) => each === value))).toEqual(expected);
      if (!line.endsWith(' ')) expect(found).toHaveLength(expected.length);
    },
  );

  test('prints nothing if no values are known', () => {
    expect(values.at(-1)).toEqual([]);
  });
});

/** Creates a folder with the command on the path, profiles, a project file and an input file. */
function createFolder(shell: string): { cwd: string; env: Record<string, string> } {
  const cwd = join(folder, shell);
  const bin = join(cwd, 'bin');
  mkdirSync(bin, { recursive: true });
  mkdirSync(join(cwd, 'config'));
  writeFileSync(join(cwd, 'pet.json'), '{}');
  writeFileSync(join(cwd, 'petstore.config.json'), '{"domains":["shop.example.com"]}');
  writeFileSync(join(cwd, 'config/config.json'), '{"profiles":{"shop":{},"staging":{}}}');
  writeFileSync(
    join(bin, 'petstore'),
    `#!/bin/sh\nexec '${process.execPath}' '${ROOT}/bin/petstore.cjs' "$@"\n`,
  );
  chmodSync(join(bin, 'petstore'), 0o755);
  const env = {
    PATH: `${bin}${delimiter}${process.env.PATH ?? ''}`,
    HOME: cwd,
    PETSTORE_CONFIG_DIR: join(cwd, 'config'),
    PETSTORE_STATE_DIR: join(cwd, 'state'),
    TERM: 'dumb',
  };
  return { cwd, env };
}

function runShell(
  { path, libraryFolders }: Program,
  args: readonly string[],
  extra: Record<string, string> = {},
): string {
  const { cwd, env } = createFolder(basename(path));
  const libraries = libraryFolders.length === 0 ? {} : { LD_LIBRARY_PATH: libraryFolders.join(delimiter) };
  return execFileSync(path, args, {
    cwd,
    env: { ...env, ...libraries, ...extra },
    encoding: 'utf8',
    timeout: 100_000,
  });
}

/** Calls the completion function like readline: splits words at blanks, = and :, and reads COMPREPLY. */
function completeBash(program: Program, lines: readonly string[]): string[][] {
  const calls = lines.map((line) => {
    const words = line.split(/\s+|(?=[=:])|(?<=[=:])/).map(quote);
    return `complete_words ${words.join(' ')}`;
  });
  // compopt works only during a completion, so a function records its arguments.
  const script = `compopt() { [ "$*" = '-o default' ] && FILES=1; }
source <(petstore completion bash)
complete_words() {
  COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); FILES=; _petstore
  if [ \${#COMPREPLY[@]} = 0 ] && [ -n "$FILES" ]; then compgen -f -- "\${COMP_WORDS[COMP_CWORD]}"; else
  printf '%s\\n' "\${COMPREPLY[@]}"; fi; echo '${END}'
}
${calls.join('\n')}`;
  return valuesByLine(runShell(program, ['--norc', '-c', script]));
}

/** Runs zsh in a pseudo-terminal and requests the list of matches. */
function completeZsh(program: Program, lines: readonly string[]): string[][] {
  const root = program.path.replace(/\/(?:usr\/)?bin\/zsh$/, '');
  const isUnpacked = program.libraryFolders.length > 0;
  const modules = isUnpacked ? `module_path=(${root}/usr/lib/*/zsh/*(/))` : '';
  const functions = isUnpacked
    ? `fpath=(${root}/usr/share/zsh/functions/**/*(/) ${root}/usr/share/zsh/functions)`
    : '';
  // The matches that the completion system passes to the line editor.
  const inner = `${modules}; ${functions}; PROMPT=; autoload -Uz compinit; compinit -u -D
eval "$(petstore completion zsh)"
compadd() { builtin compadd -A found -D none "$@" 2>/dev/null; builtin compadd -O matched "$@"; print -rl -- "\${matched[@]}" >> $HOME/found; builtin compadd "$@" }
complete-and-report() { zle complete-word; BUFFER=; print '${END}' >> $HOME/found; : > $HOME/done.$((line += 1)) }
zle -N complete-and-report; bindkey '^I' complete-and-report; : > $HOME/done.0`;
  const outer = `${modules}; zmodload zsh/zpty zsh/zselect
wait-for() { for i in {1..3000}; do [[ -e $HOME/done.$1 ]] && break; zselect -t 1; done }
print -r -- ${quote(inner)} > $HOME/inner
zpty shell ${program.path} -f -i; zpty -w shell 'source $HOME/inner'; wait-for 0
${lines.map((line, index) => `zpty -w -n shell ${quote(line)}$'\t'; wait-for ${String(index + 1)}`).join('\n')}
zpty -d shell; cat $HOME/found`;
  const found = valuesByLine(runShell(program, ['-f', '-c', outer]));
  return found.map((values) => [...new Set(values.map(withoutFlag))]);
}

function completeFish(program: Program, lines: readonly string[]): string[][] {
  const functions =
    program.libraryFolders.length > 0
      ? `set -p fish_function_path ${program.path.replace(/bin\/fish$/, 'share/fish/functions')};`
      : '';
  const calls = lines.map((line) => `complete -C ${quote(line)}; echo '${END}'`);
  const script = `${functions} petstore completion fish | source\n${calls.join('\n')}`;
  const found = valuesByLine(runShell(program, ['--no-config', '-c', script]));
  return found.map((values) => values.map((value) => withoutFlag(value.split('\t')[0] ?? '')));
}

/** Splits what a shell prints: the values of each line, one a line, and END. */
function valuesByLine(text: string): string[][] {
  const parts = text.split(`${END}\n`).slice(0, -1);
  return parts.map((part) => part.split('\n').filter((value) => value !== ''));
}

/** Some shells complete `--flag=value` as one word. */
function withoutFlag(word: string): string {
  return word.replace(/^--[\w-]+=/, '');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
