import { input, password, select } from '@inquirer/prompts';
import { Interruption, type Prompter } from './context.js';
import { EXIT } from '../errors/exit-codes.js';

const same = (text: string): string => text;

/** The library checks stdout for colour support, but prompts are on stderr. */
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

/** Prompts on stderr, so that stdout contains only data. */
export function createPrompter(output: NodeJS.WritableStream, signal: AbortSignal, color: boolean): Prompter {
  const streams = { output, signal };
  const theme = color ? {} : { theme: COLORLESS };
  return {
    secret: (message, validate) =>
      orInterrupted(password({ message, validate, toggleMask: false, ...theme }, streams), signal),
    text: (message, validate) => orInterrupted(input({ message, validate, ...theme }, streams), signal),
    choose: (message, choices) =>
      orInterrupted(select({ message, choices: [...choices], ...theme }, streams), signal),
  };
}

async function orInterrupted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    // SIGTERM ends a prompt as well. The reason of the signal has the exit code.
    signal.throwIfAborted();
    // ^C in raw mode is not a signal. inquirer reports it, and the end of input, by this name.
    const name = error instanceof Error ? error.name : '';
    if (name === 'ExitPromptError') throw new Interruption(EXIT.interrupted);
    throw error;
  }
}
