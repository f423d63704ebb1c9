import { input, select } from '@inquirer/prompts';
import { Interruption, type Prompter } from './context.js';

/** Asks on stderr, so that stdout holds data only. */
export function createPrompter(output: NodeJS.WritableStream, signal: AbortSignal): Prompter {
  const place = { output, signal };
  return {
    text: (message, validate) => orInterrupted(input({ message, validate }, place)),
    choose: (message, choices) => orInterrupted(select({ message, choices: [...choices] }, place)),
  };
}

async function orInterrupted<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    // ^C in raw mode never becomes a signal: inquirer reports it, or the end of the input, by these names.
    const name = error instanceof Error ? error.name : '';
    if (name === 'ExitPromptError' || name === 'AbortPromptError') throw new Interruption(130);
    throw error;
  }
}
