import { spawnSync } from 'node:child_process';
import { chmodSync, lstatSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { homeDirectory } from '../../../../src/cli/system/process-directories.js';
import { runFake } from '../../../support/fake-context.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const BASH_COMMAND = 'eval "$(petstore completion bash)"';
const BASH_LINE =
  '_petstore() { local script; script=$(petstore completion bash 2>/dev/null) && eval "$script" && _petstore; }; complete -F _petstore petstore';
const ZSH_LINE = 'if command -v petstore >/dev/null; then eval "$(petstore completion zsh)"; fi';
const FISH_LINE = 'type -q petstore; and petstore completion fish | source';
const POWERSHELL_LINE =
  'if (Get-Command petstore -ErrorAction Ignore) { petstore completion powershell | Out-String | Invoke-Expression }';

function install(
  line: string,
  home: string,
  world: { env?: Record<string, string>; platform?: string } = {},
) {
  return runFake(`completion install ${line}`, {
    env: { SHELL: '/bin/bash' },
    ...world,
    homeDirectory: home,
  });
}

describe('completion install', () => {
  test('adds a line to the start-up file of the shell, and keeps the other lines', async () => {
    const home = temporaryFolder({ '.bashrc': 'alias ll="ls -l"' });
    const { exitCode, stderr } = await install('', home);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: `Added the completion to ${home}/.bashrc; it works in new terminals.\n`,
    });
    expect(readFileSync(join(home, '.bashrc'), 'utf8')).toBe(
      `alias ll="ls -l"\n\n# petstore completion, added by "petstore completion install"\n${BASH_LINE}\n`,
    );
  });

  test.each([BASH_LINE, BASH_COMMAND])('changes nothing if the file has the line %s', async (line) => {
    const home = temporaryFolder({ '.bashrc': `${line}\n` });
    expect((await install('', home)).stderr).toBe(`${home}/.bashrc already loads the completion.\n`);
    expect(readFileSync(join(home, '.bashrc'), 'utf8')).toBe(`${line}\n`);
  });

  test('the line of bash loads the completion at the first TAB, and nothing after petstore is removed', () => {
    const home = temporaryFolder({
      'bin/petstore': `#!/bin/sh
[ "$*" = 'completion bash' ] && echo '_petstore() { COMPREPLY=(loaded); }; complete -F _petstore petstore'
`,
    });
    chmodSync(join(home, 'bin/petstore'), 0o755);
    // A login shell of Debian sets the PATH after it has read .bashrc.
    const tab = '_petstore || echo "code $?"; echo "${COMPREPLY[*]}"';
    const script = `${BASH_LINE}\n${tab}\nPATH=$HOME/bin:/bin\n${tab}\ncomplete -p petstore`;
    const { stdout, stderr } = spawnSync('/bin/bash', ['--norc', '-eu', '-c', script], {
      env: { HOME: home, PATH: '/nowhere' },
      encoding: 'utf8',
    });
    expect({ stdout, stderr }).toEqual({
      stdout: 'code 127\n\nloaded\ncomplete -F _petstore petstore\n',
      stderr: '',
    });
  });

  test('does not count a line that is commented out', async () => {
    const home = temporaryFolder({ '.bashrc': `# ${BASH_LINE}\n` });
    await install('', home);
    expect(readFileSync(join(home, '.bashrc'), 'utf8')).toContain(`\n${BASH_LINE}\n`);
  });

  test('on macOS, does not create a file that turns off .profile', async () => {
    const home = temporaryFolder({ '.profile': 'PATH=~/bin:$PATH\n' });
    expect((await install('', home, { platform: 'darwin' })).stderr).toContain(`${home}/.profile;`);
  });

  test('keeps a link to the start-up file', async () => {
    const home = temporaryFolder({ 'dotfiles/bashrc': '' });
    symlinkSync(join(home, 'dotfiles/bashrc'), join(home, '.bashrc'));
    await install('', home);
    expect(lstatSync(join(home, '.bashrc')).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(home, 'dotfiles/bashrc'), 'utf8')).toContain(BASH_LINE);
  });

  test.each([
    ['bash', 'darwin', '.bash_profile', BASH_LINE],
    ['zsh', 'linux', '.zshrc', ZSH_LINE],
    ['fish', 'linux', '.config/fish/completions/petstore.fish', FISH_LINE],
    ['powershell', 'win32', 'Documents/PowerShell/Microsoft.PowerShell_profile.ps1', POWERSHELL_LINE],
    ['pwsh', 'linux', '.config/powershell/Microsoft.PowerShell_profile.ps1', POWERSHELL_LINE],
  ])('%s on %s', async (shell, platform, file, line) => {
    const home = temporaryFolder({});
    expect(await install(shell, home, { platform, env: {} })).toMatchObject({ exitCode: 0 });
    expect(readFileSync(join(home, file), 'utf8')).toContain(`${line}\n`);
  });

  test('uses ZDOTDIR and XDG_CONFIG_HOME', async () => {
    const home = temporaryFolder({ 'z/.zshrc': '' });
    const env = { ZDOTDIR: join(home, 'z'), XDG_CONFIG_HOME: join(home, 'x') };
    await install('zsh', home, { env });
    await install('fish', home, { env });
    expect(readFileSync(join(home, 'z/.zshrc'), 'utf8')).toContain('completion zsh');
    expect(readFileSync(join(home, 'x/fish/completions/petstore.fish'), 'utf8')).toContain('| source');
  });

  test.each([
    ['complete -c petstore -a mine\n'],
    ['# petstore completion, added by "petstore completion install"\nold\ncomplete -c petstore -a mine\n'],
  ])('does not replace a fish completion of the user (%#)', async (own) => {
    const home = temporaryFolder({ '.config/fish/completions/petstore.fish': own });
    const file = join(home, '.config/fish/completions/petstore.fish');
    for (const line of ['fish', 'fish --dry-run']) {
      expect(await install(line, home)).toMatchObject({
        exitCode: 2,
        stderr:
          `error: ${file} is not from "petstore completion install"\n` +
          `hint: Move the file away, or add this line to it: ${FISH_LINE}\n`,
      });
      expect(readFileSync(file, 'utf8')).toBe(own);
    }
  });

  test('replaces a fish completion of an earlier version, and an empty file', async () => {
    const comment = '# petstore completion, added by "petstore completion install"';
    for (const before of ['', `${comment}\npetstore completion fish --old | source\n`]) {
      const home = temporaryFolder({ '.config/fish/completions/petstore.fish': before });
      expect(await install('fish', home)).toMatchObject({ exitCode: 0 });
      expect(readFileSync(join(home, '.config/fish/completions/petstore.fish'), 'utf8')).toBe(
        `${comment}\n${FISH_LINE}\n`,
      );
    }
  });

  test.each(['bash', 'zsh', 'fish', 'powershell'])('%s without a home directory', async (shell) => {
    const nowhere = homeDirectory([() => join(temporaryFolder({}), 'missing')]);
    expect(await install(shell, nowhere)).toMatchObject({
      exitCode: 2,
      stderr: 'error: No home directory found\nhint: Set HOME to an existing directory.\n',
    });
  });

  test('--dry-run shows the line', async () => {
    const home = temporaryFolder({ '.bashrc': '' });
    expect((await install('--dry-run', home)).stdout).toBe(`Would add to ${home}/.bashrc:\n${BASH_LINE}\n`);
    expect(readFileSync(join(home, '.bashrc'), 'utf8')).toBe('');
  });

  test.each([
    [
      '',
      {},
      /SHELL is not set, so the shell is unknown\nhint: Name one of bash, .*: petstore completion install bash$/m,
    ],
    ['', { SHELL: '/bin/tcsh' }, /No completion for the shell tcsh/],
    ['zhs', {}, /Did you mean "zsh"\?/],
  ])('%s with %j names the shells', async (line, env, said) => {
    const { exitCode, stderr } = await install(line, temporaryFolder({}), { env });
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(said);
  });

  test('a directory at that path is an error with the line to add', async () => {
    const home = temporaryFolder({ '.bashrc/x': '' });
    const { exitCode, stderr } = await install('', home);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr:
        `error: Can't read ${home}/.bashrc: it is a directory\n` +
        `hint: Add this line to the start-up file of your shell: ${BASH_LINE}\n`,
    });
  });
});
