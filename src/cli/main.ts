import { writeSync } from 'node:fs';
import { VERSION } from '../version.js';
import { EXIT } from './exit-codes.js';
import { openKeptCode } from './kept-code.js';
import { loadProgram } from './load-program.js';
import { writeOut } from './write-out.js';

declare const __PETSTORE_BUILD__: string;

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
    void import('./root-help.js').then(({ rootHelp }) => {
      answer(rootHelp());
    });
  } else if (only === '__complete') {
    void import('./complete-line.js').then(async ({ completeLine }) => {
      answer(await completeLine(argv.slice(1), process));
    });
  } else if (only === 'completion' && argv.length === 2) {
    void import('./completion-script.js').then(({ completionScript }) => {
      const script = completionScript(second);
      if (script === undefined) start(argv);
      else answer(script);
    });
  } else start(argv);
}

function start(argv: readonly string[]): void {
  const kept = openKeptCode(argv, __PETSTORE_BUILD__, process);
  const store = kept ?? { find: () => undefined, add: () => undefined };
  // The build makes an entry of lifecycle.ts, loaded by us and not by Node: its type is known, its import is not one.
  const { live } = loadProgram(
    import.meta.dirname,
    'lifecycle.cjs',
    store,
  ) as typeof import('./lifecycle.js');
  process.once('exit', (exitCode) => {
    // A word that is no command leaves nothing behind.
    if (exitCode !== EXIT.usage) kept?.save();
  });
  void live(argv, process);
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
