import type { GivenFlag } from '../command-line/flag.js';
import { shellWord } from '../text/shell-word.js';

/** The flags that select the service and the key, and that its certificate needs. */
export const SERVICE_FLAGS: readonly string[] = ['--mock', '--profile', '--base-url', '--staging', '--ca'];

/**
 * Formats a command to run next, with the given flags that it needs.
 *
 * @param names of these flags, in the order of the result; default: those of the same service.
 */
export function followUp(
  words: readonly string[],
  given: readonly GivenFlag[],
  names: readonly string[] = SERVICE_FLAGS,
): string {
  const flags = names.flatMap((name) =>
    given
      .filter((flag) => flag.name === name)
      .flatMap(({ text }) => (text === undefined ? name : [name, text])),
  );
  return ['petstore', ...words, ...flags].map(shellWord).join(' ');
}
