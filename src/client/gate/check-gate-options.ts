import { ConfigurationError } from '../../errors.js';
import { suggestionFor } from '../../options/suggest.js';

/**
 * Checks the options of a gate.
 *
 * @throws ConfigurationError if they are no object, or for an unknown option.
 */
export function checkGateOptions(gate: string, options: unknown, known: readonly string[]): void {
  const [first] = known;
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new ConfigurationError(`The options of ${gate} must be an object`, {
      option: 'gate',
      hint: first === undefined ? undefined : `Pass ${gate}({ ${first} }).`,
    });
  }
  const name = Object.keys(options).find((each) => !known.includes(each));
  if (name === undefined) return;
  throw new ConfigurationError(`Unknown option of ${gate} ${JSON.stringify(name)}`, {
    option: 'gate',
    hint: first === undefined ? `${gate} has no options.` : suggestionFor(name, known),
  });
}
