import { writeSync } from 'node:fs';
import { VERSION } from '../version.js';
import { cacheCompiledCode } from './compile-cache.js';
import { writeOut } from './write-out.js';

/**
 * The program as a process: the only reader of `process`. Answers what needs no program at once, since start-up is
 * most of what a short command costs.
 */
export function main(): void {
  const argv = process.argv.slice(2);
  const [only = '--help'] = argv;
  const isAlone = argv.length <= 1;
  if (isAlone && (only === '--version' || only === '-V')) answer(`${VERSION}\n`);
  else if (isAlone && (only === '--help' || only === '-h' || only === 'help')) {
    void import('./root-help.js').then(({ rootHelp }) => {
      answer(rootHelp());
    });
  } else {
    cacheCompiledCode(process);
    void import('./lifecycle.js').then(({ live }) => live(argv, process));
  }
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
