import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';

const COMMAND = join(import.meta.dirname, '../../bin/petstore.cjs');

/** A command at a pseudo-terminal of its own. */
export interface AtTerminal {
  /** Types, as at a keyboard: \r is Enter, \u0003 is ^C. */
  type(keys: string): void;
  /** Everything that has appeared so far, control sequences included. */
  readonly shown: string;
  /** Resolves once that has appeared since the last call; rejects where the command ends before. */
  sees(pattern: RegExp): Promise<RegExpExecArray>;
  finished: Promise<{ exitCode: number | null; shown: string; settingsAfter: string }>;
}

/** Why there can be no pseudo-terminal here; undefined where there can. */
export function whyNoTerminal(): string | undefined {
  const { status, stdout } = spawnSync('script', ['--version'], { encoding: 'utf8' });
  return status === 0 && stdout.includes('util-linux') ? undefined : 'script of util-linux is not installed';
}

/** Runs the built command at a pseudo-terminal, which `script` of util-linux makes. */
export function atTerminal(
  args: readonly string[],
  options: {
    columns?: number;
    env?: Record<string, string>;
    cwd?: string;
    /** Files in the place of the terminal. */
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
  // What the terminal is set to afterwards tells whether the command has put it back.
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
    for (const look of watchers) look();
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
        const look = (): void => {
          const match = pattern.exec(shown.slice(from));
          if (match === null) return;
          watchers.delete(look);
          from += match.index + match[0].length;
          resolve(match);
        };
        watchers.add(look);
        look();
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

/** What a terminal would show of it, as far as colours and the clearing of lines go. */
export function withoutEscapes(text: string): string {
  return text.replace(/\u001b\[[\d;?]*[A-Za-z]/g, '').replaceAll('\r\n', '\n');
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
