import { writeSync } from 'node:fs';
import { isatty } from 'node:tty';
import { VERSION } from '../../version.js';
import { writeOut } from './write-out.js';

/**
 * The program as a process: the only reader of `process`. Answers what needs no program at once, since start-up is
 * most of what a short command costs.
 */
export function main(): void {
  const argv = process.argv.slice(2);
  const [only = '--help', second = ''] = argv;
  const isAlone = argv.length <= 1;
  if (isAlone && (only === '--version' || only === '-V')) answer(`${VERSION}\n`);
  else if (isAlone && (only === '--help' || only === '-h' || only === 'help')) {
    void import('../help/root-help.js').then(({ rootHelp }) => {
      answer(rootHelp(isatty(1) ? process.stdout.columns : undefined));
    });
  } else if (only === '__complete') {
    void import('./complete-line.js').then(async ({ completeLine }) => {
      answer(await completeLine(argv.slice(1), process));
    });
  } else if (only === 'completion' && argv.length === 2) {
    void import('../completion/completion-script.js').then(({ completionScript }) => {
      const script = completionScript(second);
      if (script === undefined) start(argv);
      else answer(script);
    });
  } else start(argv);
}

function start(argv: readonly string[]): void {
  void import('./start.js').then(({ startProgram }) => {
    startProgram(argv, import.meta.dirname, process);
  });
}

function answer(text: string): void {
  writeOut(text, {
    writeSync,
    // Made only when it is asked for.
    get stdout() {
      return process.stdout;
    },
    set exitCode(exitCode: number) {
      process.exitCode = exitCode;
    },
  });
}
