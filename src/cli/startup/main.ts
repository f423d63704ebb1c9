import { writeSync } from 'node:fs';
import { completionScript } from '../commands/completion/completion-script.js';
import { rootHelp } from '../command-line/root-help.js';
import { forcedColumns } from '../output/text/wrap.js';
import { VERSION } from '../../version.js';
import { writeOut } from './write-out.js';

export { loadWithCompileCache } from './compile-cache.js';
// For the single executable, which contains the compiled code.
export { createLoader, wrapChunk } from './load-chunks.js';

/**
 * Runs the program as a process. Prints version, help and completion without loading the rest of the program, because
 * loading takes longer than printing.
 *
 * @param loadProgram loads the rest of the program.
 * @param loadCompletion loads the completion of command lines.
 */
export function main(
  loadProgram: () => typeof import('./core-chunk.js'),
  loadCompletion: () => typeof import('./complete-line.js'),
): void {
  const argv = process.argv.slice(2);
  if (argv[0] === '__complete') {
    void loadCompletion().completeLine(argv.slice(1), process).then(print);
    return;
  }
  const text = textOf(argv);
  if (text === undefined) void loadProgram().runProcess(argv, process);
  else print(text);
}

/** The text of version, root help and completion scripts; `undefined` for other commands. */
function textOf([word = '--help', shell, ...more]: readonly string[]): string | undefined {
  if (more.length > 0) return undefined;
  if (shell !== undefined) return word === 'completion' ? completionScript(shell) : undefined;
  if (word === '--version' || word === '-V') return `${VERSION}\n`;
  return word === '--help' || word === '-h' || word === 'help' ? rootHelp(columns()) : undefined;
}

function columns(): number | undefined {
  const forced = forcedColumns(process.env);
  if (forced !== undefined) return forced;
  // Loaded on demand, because loading takes a millisecond.
  return process.getBuiltinModule('node:tty').isatty(1) ? process.stdout.columns || undefined : undefined;
}

function print(text: string): void {
  writeOut(text, {
    writeSync,
    // A getter: creating the stream takes time.
    get stdout() {
      return process.stdout;
    },
    set exitCode(exitCode: number) {
      process.exitCode = exitCode;
    },
  });
}
