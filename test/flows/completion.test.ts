import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { findProgram, type Program } from '../integration/programs.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const ROOT = join(import.meta.dirname, '../..');
const scripts = mkdtempSync(join(tmpdir(), 'petstore-completion-'));
afterAll(() => {
  rmSync(scripts, { recursive: true });
});

/** Each runs completion in its shell at the end of a line, and returns the values. */
const SHELLS = { bash: completeBash, zsh: completeZsh, fish: completeFish };

describe.each(Object.keys(SHELLS) as (keyof typeof SHELLS)[])('%s', (shell) => {
  const program = findProgram(shell);
  if (program === undefined) {
    test(`completes (skipped: ${shell} is not installed; .ci/run fetches it, and PETSTORE_TEST_SHELLS names its folder)`, (context) => {
      context.skip();
    });
    return;
  }
  const complete = (line: string): string[] => SHELLS[shell](program, line);

  test.each([
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
  ])('%s<TAB>', (line, values) => {
    const found = complete(line);
    expect(found.filter((value) => values.includes(value))).toEqual(values);
    if (!line.endsWith(' ')) expect(found).toHaveLength(values.length);
  });

  test('prints nothing if no values are known', () => {
    expect(complete('petstore pets list --limit ')).toEqual([]);
  });
});

/** Writes what `petstore completion SHELL` prints, once. @returns the path of the file. */
function scriptOf(shell: string): string {
  const path = join(scripts, shell);
  if (!existsSync(path)) {
    const args = [join(ROOT, 'bin/petstore.cjs'), 'completion', shell];
    writeFileSync(path, execFileSync(process.execPath, args, { env: {} }));
  }
  return path;
}

/** Creates a folder with the command on the path, profiles, a project file and an input file. */
function createFolder(shell: string): { cwd: string; env: Record<string, string> } {
  const cwd = temporaryFolder({
    'pet.json': {},
    'petstore.config.json': { domains: ['shop.example.com'] },
    'config/config.json': { profiles: { shop: {}, staging: {} } },
  });
  const bin = join(cwd, 'bin');
  mkdirSync(bin);
  // Each shell needs the same script for all its lines.
  const ownScript = `[ "$1" = completion ] && exec cat '${scriptOf(shell)}'`;
  const command = `exec '${process.execPath}' '${ROOT}/bin/petstore.cjs' "$@"`;
  writeFileSync(join(bin, 'petstore'), `#!/bin/sh\n${ownScript}\n${command}\n`);
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
    timeout: 30_000,
  });
}

/** Calls the completion function like readline: splits words at blanks, = and :, and reads COMPREPLY. */
function completeBash(program: Program, line: string): string[] {
  const words = line.split(/\s+|(?=[=:])|(?<=[=:])/);
  const script = `source <(petstore completion bash)
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _petstore
if [ \${#COMPREPLY[@]} = 0 ] && [ -n "$FILES" ]; then compgen -f -- "\${COMP_WORDS[COMP_CWORD]}"; else
printf '%s\\n' "\${COMPREPLY[@]}"; fi`;
  // compopt works only during a completion, so a function records its arguments.
  const recorded = `compopt() { [ "$*" = '-o default' ] && FILES=1; }\n${script}`;
  return lines(runShell(program, ['--norc', '-c', recorded, 'bash', ...words]));
}

/** Runs zsh in a pseudo-terminal and requests the list of matches. */
function completeZsh(program: Program, line: string): string[] {
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
complete-and-report() { zle complete-word; touch $HOME/done }
zle -N complete-and-report; bindkey '^I' complete-and-report; touch $HOME/ready`;
  const outer = `${modules}; zmodload zsh/zpty zsh/zselect
print -r -- ${quote(inner)} > $HOME/inner
zpty shell ${program.path} -f -i; zpty -w shell 'source $HOME/inner'
for i in {1..1000}; do [[ -e $HOME/ready ]] && break; zselect -t 1; done
zpty -w -n shell ${quote(line)}$'\\t'
for i in {1..1000}; do [[ -e $HOME/done ]] && break; zselect -t 1; done
zpty -d shell; cat $HOME/found 2>/dev/null; true`;
  return [...new Set(lines(runShell(program, ['-f', '-c', outer])).map(withoutFlag))];
}

function completeFish(program: Program, line: string): string[] {
  const functions =
    program.libraryFolders.length > 0
      ? `set -p fish_function_path ${program.path.replace(/bin\/fish$/, 'share/fish/functions')};`
      : '';
  const script = `${functions} petstore completion fish | source; complete -C ${quote(line)}`;
  return lines(runShell(program, ['--no-config', '-c', script])).map((found) =>
    withoutFlag(found.split('\t')[0] ?? ''),
  );
}

/** Some shells complete `--flag=value` as one word. */
function withoutFlag(word: string): string {
  return word.replace(/^--[\w-]+=/, '');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function lines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}
