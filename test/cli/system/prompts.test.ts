import { PassThrough } from 'node:stream';
import { describe, expect, test, vi } from 'vitest';
import { Interruption } from '../../../src/cli/system/context.js';
import { createPrompter } from '../../../src/cli/system/prompts.js';

// Replaces the prompt library: these tests check the output stream and the errors, not the prompts themselves.
const library = vi.hoisted(() => ({
  contexts: [] as unknown[],
  answer: (): Promise<unknown> => Promise.resolve('Mia'),
}));
vi.mock('@inquirer/prompts', () => {
  const prompt = (_question: unknown, context: unknown) => {
    library.contexts.push(context);
    return library.answer();
  };
  return { input: prompt, select: prompt };
});

describe('createPrompter', () => {
  const output = new PassThrough();
  const { signal } = new AbortController();
  const prompter = createPrompter(output, signal, true);

  test('prompts on the given stream', async () => {
    expect(await prompter.text('Name', () => true)).toBe('Mia');
    expect(await prompter.choose('Status', [{ name: 'a', value: 'b' }])).toBe('Mia');
    expect(library.contexts).toEqual([
      { output, signal },
      { output, signal },
    ]);
  });

  const end = (name: string) => () => Promise.reject(Object.assign(new Error('closed'), { name }));

  test('^C is an interruption', async () => {
    library.answer = end('ExitPromptError');
    await expect(prompter.text('Name', () => true)).rejects.toMatchObject({
      name: 'Interruption',
      exitCode: 130,
    });
  });

  test.each([130, 143] as const)('a signal that ends a prompt keeps its exit code: %d', async (exitCode) => {
    const controller = new AbortController();
    const reason = new Interruption(exitCode);
    library.answer = () => {
      controller.abort(reason);
      return end('AbortPromptError')();
    };
    const stopped = createPrompter(output, controller.signal, true);
    await expect(stopped.text('Name', () => true)).rejects.toBe(reason);
  });

  test('other errors are not changed', async () => {
    library.answer = () => Promise.reject(new Error('broken'));
    await expect(prompter.choose('Status', [])).rejects.toThrow('broken');
  });
});
