import { input, password, select } from '@inquirer/prompts';
import { Interruption, type Prompter } from './context.js';
import { EXIT } from '../errors/exit-codes.js';

const same = (text: string): string => text;

/** The library colours by what stdout is; questions stand on stderr. */
const COLORLESS = {
  prefix: { idle: '?', done: '✔' },
  style: {
    answer: same,
    message: same,
    error: (text: string) => `> ${text}`,
    help: same,
    highlight: same,
    keysHelpTip: (keys: [key: string, action: string][]) =>
      keys.map(([key, action]) => `${key} ${action}`).join(' • '),
  },
};

/**
 * Asks on stderr, so that stdout holds data only.
 *
 * @param color whether they take any.
 */
export function createPrompter(output: NodeJS.WritableStream, signal: AbortSignal, color: boolean): Prompter {
  const place = { output, signal };
  const look = color ? {} : { theme: COLORLESS };
  return {
    secret: (message, validate) =>
      orInterrupted(password({ message, validate, toggleMask: false, ...look }, place), signal),
    text: (message, validate) => orInterrupted(input({ message, validate, ...look }, place), signal),
    choose: (message, choices) =>
      orInterrupted(select({ message, choices: [...choices], ...look }, place), signal),
  };
}

async function orInterrupted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    // SIGTERM ends a question as well; the reason knows which it was.
    signal.throwIfAborted();
    // ^C in raw mode never becomes a signal: inquirer reports it, or the end of the input, by these names.
    const name = error instanceof Error ? error.name : '';
    if (name === 'ExitPromptError') throw new Interruption(EXIT.interrupted);
    throw error;
  }
}
