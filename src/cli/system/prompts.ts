import { input, password, select } from '@inquirer/prompts';
import { Interruption, type Prompter } from './context.js';
import { EXIT } from '../errors/exit-codes.js';

const unstyled = (text: string): string => text;

/** The library checks stdout for colour support, but prompts are on stderr. */
const COLORLESS = {
  prefix: { idle: '?', done: '✔' },
  style: {
    answer: unstyled,
    message: unstyled,
    error: (text: string) => `> ${text}`,
    help: unstyled,
    highlight: unstyled,
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
    // SIGTERM also ends a prompt. The abort reason contains the exit code.
    signal.throwIfAborted();
    // In raw mode ^C is not a signal: inquirer throws this error, also at the end of input.
    const name = error instanceof Error ? error.name : '';
    if (name === 'ExitPromptError') throw new Interruption(EXIT.interrupted);
    throw error;
  }
}
