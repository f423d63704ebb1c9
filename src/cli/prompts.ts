import { input, password, select } from '@inquirer/prompts';
import { Interruption, type Prompter } from './context.js';

/** Asks on stderr, so that stdout holds data only. */
export function createPrompter(output: NodeJS.WritableStream, signal: AbortSignal): Prompter {
  const place = { output, signal };
  return {
    secret: (message, validate) =>
      orInterrupted(password({ message, validate, toggleMask: false }, place), signal),
    text: (message, validate) => orInterrupted(input({ message, validate }, place), signal),
    choose: (message, choices) => orInterrupted(select({ message, choices: [...choices] }, place), signal),
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
    if (name === 'ExitPromptError') throw new Interruption(130);
    throw error;
  }
}
