import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';

const COMMAND = join(import.meta.dirname, '../../bin/petstore.cjs');

/** A command on its own pseudo-terminal. */
export interface AtTerminal {
  /** Types on the keyboard: \r is Enter, \u0003 is ^C. */
  type(keys: string): void;
  /** The output so far, with control sequences. */
  readonly shown: string;
  /** Resolves when the text has appeared since the last call; rejects if the command ends first. */
  sees(pattern: RegExp): Promise<RegExpExecArray>;
  finished: Promise<{ exitCode: number | null; shown: string; settingsAfter: string }>;
}

/** Returns why no pseudo-terminal is available, or `undefined` if one is. */
export function whyNoTerminal(): string | undefined {
  const { status, stdout } = spawnSync('script', ['--version'], { encoding: 'utf8' });
  return status === 0 && stdout.includes('util-linux') ? undefined : 'script of util-linux is not installed';
}

/** Runs the built command on a pseudo-terminal made by `script` of util-linux. */
export function atTerminal(
  args: readonly string[],
  options: {
    columns?: number;
    env?: Record<string, string>;
    cwd?: string;
    /** Files instead of the terminal. */
    stdin?: string;
    stdout?: string;
    stderr?: string;
  } = {},
): AtTerminal {
  const { columns = 80, cwd } = options;
  const line = [process.execPath, COMMAND, ...args].map(quote).join(' ');
  const redirected = (
    [
      ['<', options.stdin],
      ['>', options.stdout],
      ['2>', options.stderr],
    ] as const
  )
    .map(([sign, file]) => (file === undefined ? '' : ` ${sign} ${quote(file)}`))
    .join('');
  // The terminal settings afterwards show whether the command has restored them.
  const script = `trap : INT; stty columns ${String(columns)} rows 24; ${line}${redirected}; code=$?; echo; echo "AFTER: $(stty -a | tr '\\n' ' ')"; exit $code`;
  const child = spawn('script', ['-qfe', '-c', script, '/dev/null'], {
    cwd,
    env: {
      PATH: process.env.PATH ?? '',
      TERM: 'xterm',
      SHELL: '/bin/sh',
      PETSTORE_CONFIG_DIR: '/nowhere',
      PETSTORE_STATE_DIR: '/dev/null/state',
      ...options.env,
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let shown = '';
  let from = 0;
  const watchers = new Set<() => void>();
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    for (const check of watchers) check();
  });
  child.stdin.on('error', () => undefined);
  const finished = new Promise<{ exitCode: number | null; shown: string; settingsAfter: string }>(
    (resolve, reject) => {
      child.once('error', reject);
      child.once('close', (exitCode) => {
        const [before = '', settingsAfter = ''] = shown.split(/\r\nAFTER: /);
        resolve({ exitCode, shown: before, settingsAfter });
      });
    },
  );
  return {
    type(keys) {
      child.stdin.write(keys);
    },
    get shown() {
      return shown;
    },
    sees: (pattern) =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          const match = pattern.exec(shown.slice(from));
          if (match === null) return;
          watchers.delete(check);
          from += match.index + match[0].length;
          resolve(match);
        };
        watchers.add(check);
        check();
        finished.then(
          () => {
            reject(new Error(`ended without ${String(pattern)}; shown: ${JSON.stringify(shown)}`));
          },
          (error: unknown) => {
            reject(error);
          },
        );
      }),
    finished,
  };
}

/** Removes colours and cleared lines, as a terminal shows the text. */
export function withoutEscapes(text: string): string {
  return text.replace(/\u001b\[[\d;?]*[A-Za-z]/g, '').replaceAll('\r\n', '\n');
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
