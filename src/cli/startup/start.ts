import { EXIT } from '../errors/exit-codes.js';
import { openKeptCode } from './kept-code.js';
import { loadProgram } from './load-program.js';

declare const __PETSTORE_BUILD__: string;

/**
 * Loads what runs commands, and runs one as this process.
 *
 * @param directory holds the built program.
 */
export function startProgram(argv: readonly string[], directory: string, host: NodeJS.Process): void {
  const kept = openKeptCode(argv, __PETSTORE_BUILD__, host);
  const store = kept ?? { find: () => undefined, add: () => undefined };
  // The build makes an entry of lifecycle.ts, loaded by us and not by Node: its type is known, its import is not one.
  const { live } = loadProgram(directory, 'lifecycle.cjs', store) as typeof import('../program/lifecycle.js');
  host.once('exit', (exitCode) => {
    // A word that is no command leaves nothing behind.
    if (exitCode !== EXIT.usage) kept?.save();
  });
  void live(argv, host);
}
