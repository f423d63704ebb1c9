import { ConfigurationError } from '../../errors.js';
import { anything, findProblem } from '../../options/check-options.js';

/**
 * Checks the options of a gate.
 *
 * @throws ConfigurationError if they are no object, or for an unknown option.
 */
export function checkGateOptions(gate: string, options: unknown, known: readonly string[]): void {
  const checks = Object.fromEntries(known.map((name) => [name, anything]));
  const problem = findProblem(options, checks, {
    what: `The options of ${gate}`,
    noun: `option of ${gate}`,
  });
  if (problem === undefined) return;
  const [first] = known;
  const { message, hint = `Pass ${gate}({ ${String(first)} }).` } = problem;
  throw new ConfigurationError(message, {
    option: 'gate',
    hint: first === undefined ? `${gate} has no options.` : hint,
  });
}

/** Creates the error for a gate that needs a module of Node.js, in a runtime without it. */
export function needsNode(gate: string): ConfigurationError {
  return new ConfigurationError(`${gate} needs Node.js, and this runtime has no modules of Node.js`, {
    option: 'gate',
    hint: 'Leave out gate, or pass memoryGate(): the budget is then limited to this process.',
  });
}
