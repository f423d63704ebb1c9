import type { GivenFlag } from '../command-line/flag.js';
import { shellWord } from '../errors/shell-word.js';

/** The flags that select the address and the key. */
export const API_FLAGS: readonly string[] = ['--profile', '--base-url', '--staging'];

/** The flags that select the service and the key, and that its certificate needs. */
export const SERVICE_FLAGS: readonly string[] = ['--mock', ...API_FLAGS, '--ca'];

/**
 * Formats a command to run next, with the given flags that it needs.
 *
 * @param names of the flags, in the order of the result. The default repeats those of the service.
 */
export function followUp(
  words: readonly string[],
  given: readonly GivenFlag[],
  names: readonly string[] = SERVICE_FLAGS,
): string {
  return ['petstore', ...words.map(shellWord), ...repeatedFlags(names, given)].join(' ');
}

/** Returns the given ones of these flags with their values, quoted for a shell, in the order of the names. */
export function repeatedFlags(names: readonly string[], given: readonly GivenFlag[]): string[] {
  return names
    .flatMap((name) => given.filter((flag) => flag.name === name))
    .map(({ name, text }) => (text === undefined ? name : `${name} ${shellWord(text)}`));
}
