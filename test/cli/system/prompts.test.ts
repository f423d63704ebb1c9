import { PassThrough } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { Interruption } from '../../../src/cli/system/context.js';
import { createPrompter } from '../../../src/cli/system/prompts.js';

// Replaces the prompt library: test/flows/terminal.test.ts shows the prompts themselves.
const library = vi.hoisted(() => ({ answer: (): Promise<unknown> => Promise.reject(new Error('broken')) }));
vi.mock('@inquirer/prompts', () => ({ input: () => library.answer(), select: () => library.answer() }));

test.each([130, 143] as const)('a signal that ends a prompt keeps its exit code: %d', async (exitCode) => {
  const controller = new AbortController();
  const reason = new Interruption(exitCode);
  library.answer = () => {
    controller.abort(reason);
    return Promise.reject(Object.assign(new Error('closed'), { name: 'AbortPromptError' }));
  };
  const stopped = createPrompter(new PassThrough(), controller.signal, true);
  await expect(stopped.text('Name', () => true)).rejects.toBe(reason);
});

test('other errors are not changed', async () => {
  library.answer = () => Promise.reject(new Error('broken'));
  const prompter = createPrompter(new PassThrough(), new AbortController().signal, true);
  await expect(prompter.choose('Status', [])).rejects.toThrow('broken');
});
