import { ConfigurationError } from '../../errors.js';

/** Creates the error for a gate that needs a module of Node.js, in a runtime without it. */
export function needsNode(gate: string): ConfigurationError {
  return new ConfigurationError(`${gate} needs Node.js, and this runtime has no modules of Node.js`, {
    option: 'gate',
    hint: 'Leave out gate, or pass memoryGate(): the budget is then limited to this process.',
  });
}
