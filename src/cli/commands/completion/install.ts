import { appendFileSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { readPlainFile, UnsupportedFileError } from '../../../security/plain-file.js';
import { type Shell, shellNamed, SHELLS } from './complete.js';
import { UsageError } from '../../errors/usage-error.js';
import type { Session } from '../../session/session.js';
import { type Context, variable } from '../../system/context.js';
import { hasNoHome } from '../../system/process-directories.js';
import { systemErrorCode } from '../../../security/system-error.js';

/** The file that a shell reads at its start, and what loads the completion. */
type StartUpFile = ReturnType<typeof startUpFileOf>;

const COMMENT = '# petstore completion, added by "petstore completion install"';
/** The content of a file that only this command has written, also in an earlier version. */
const OWN_FILE = new RegExp(`^${COMMENT}\n.*\n?$`);
const POWERSHELL = 'petstore completion powershell | Out-String | Invoke-Expression';
/**
 * Loads the script at the first TAB: a login shell of Debian reads .bashrc before it adds ~/.local/bin to the PATH. The
 * script replaces the function.
 */
const BASH_LINE =
  '_petstore() { local script; script=$(petstore completion bash 2>/dev/null) && eval "$script" && _petstore; }; ' +
  'complete -F _petstore petstore';
const BYTES_MAX = 10 * 2 ** 20;

/**
 * Adds the completion to the start-up file of a shell, once. Appends, so that links, permissions and other lines stay.
 *
 * @param input.shell default: the user's shell.
 * @throws UsageError if the shell is unknown, or the file can't be read or written.
 */
export async function installCompletion(
  { shell }: { shell: Shell | undefined },
  session: Session,
): Promise<undefined> {
  const { context, global } = session;
  const file = startUpFileOf(shell ?? userShell(context), context);
  if (hasNoHome(file.path))
    throw new UsageError('No home directory found', 'Set HOME to an existing directory.');
  const current = readStartUpFile(file);
  if (current?.split(/\r?\n/).some((line) => [file.command, file.line].includes(line.trim())) === true) {
    session.note(`${file.path} already loads the completion.`);
    return;
  }
  if (file.isOwn && current !== undefined && current.trim() !== '' && !OWN_FILE.test(current)) {
    throw new UsageError(
      `${file.path} is not from "petstore completion install"`,
      `Move the file away, or add this line to it: ${file.line}`,
    );
  }
  if (global.dryRun) {
    context.stdout.write(`Would add to ${file.path}:\n${file.line}\n`);
    return;
  }
  addLines(file, current);
  session.confirm(`Added the completion to ${file.path}; it works in new terminals.`, true);
}

/** The shell that the environment names. */
function userShell(context: Context): Shell {
  const name = basename(variable(context, 'SHELL') ?? '');
  const known = shellNamed(name);
  if (known !== undefined) return known;
  if (context.platform === 'win32') return 'powershell';
  throw new UsageError(
    name === '' ? 'SHELL is not set, so the shell is unknown' : `No completion for the shell ${name}`,
    `Name one of ${SHELLS.join(', ')}, such as: petstore completion install bash`,
  );
}

/**
 * @returns `line`: the command, if petstore is installed, because the line stays after petstore is removed. `isOwn`: whether
 * the file has no other content.
 */
function startUpFileOf(shell: Shell, context: Context) {
  const { homeDirectory: home, platform } = context;
  const shared = variable(context, 'XDG_CONFIG_HOME');
  const configDirectory = shared !== undefined && isAbsolute(shared) ? shared : join(home, '.config');
  if (shell === 'fish')
    // fish loads this file at the first completion of a petstore command.
    return {
      path: join(configDirectory, 'fish', 'completions', 'petstore.fish'),
      command: 'petstore completion fish | source',
      line: 'type -q petstore; and petstore completion fish | source',
      isOwn: true,
    };
  if (shell === 'powershell') {
    const folder =
      platform === 'win32' ? join(home, 'Documents', 'PowerShell') : join(configDirectory, 'powershell');
    return {
      path: join(folder, 'Microsoft.PowerShell_profile.ps1'),
      command: POWERSHELL,
      line: `if (Get-Command petstore -ErrorAction Ignore) { ${POWERSHELL} }`,
      isOwn: false,
    };
  }
  const command = `eval "$(petstore completion ${shell})"`;
  if (shell === 'bash')
    return {
      path: join(home, platform === 'darwin' ? loginFile(home) : '.bashrc'),
      command,
      line: BASH_LINE,
      isOwn: false,
    };
  return {
    path: join(variable(context, 'ZDOTDIR') ?? home, '.zshrc'),
    command,
    line: `if command -v petstore >/dev/null; then ${command}; fi`,
    isOwn: false,
  };
}

/**
 * The file that bash reads: terminals of macOS start login shells, which do not read .bashrc. A login shell reads only the
 * first of these files that exists, so that a new .bash_profile would turn off the others.
 */
function loginFile(home: string): string {
  const names = ['.bash_profile', '.bash_login', '.profile'];
  return names.find((name) => existsSync(join(home, name))) ?? '.bash_profile';
}

/** @returns `undefined` if the file does not exist. */
function readStartUpFile({ path, line }: StartUpFile): string | undefined {
  try {
    return readPlainFile(path, { bytesMax: BYTES_MAX });
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    const reason = error instanceof UnsupportedFileError ? `it is ${error.kind}` : (error as Error).message;
    throw new UsageError(`Can't read ${path}: ${reason}`, addHint(line));
  }
}

function addLines({ path, line, isOwn }: StartUpFile, current: string | undefined): void {
  const block = `${COMMENT}\n${line}\n`;
  try {
    if (statSync(dirname(path), { throwIfNoEntry: false }) === undefined)
      mkdirSync(dirname(path), { recursive: true });
    if (isOwn || current === undefined) writeFileSync(path, block);
    else appendFileSync(path, `${current === '' || current.endsWith('\n') ? '' : '\n'}\n${block}`);
  } catch (error) {
    throw new UsageError(`Can't write ${path}: ${(error as Error).message}`, addHint(line));
  }
}

function addHint(line: string): string {
  return `Add this line to the start-up file of your shell: ${line}`;
}
