import { PassThrough } from 'node:stream';
import { describe, expect, test, vi } from 'vitest';
import { Interruption } from '../../../src/cli/system/context.js';
import { createPrompter } from '../../../src/cli/system/prompts.js';

// The questions themselves are the library's; what is ours is where they appear and what becomes of an end.
const asked = vi.hoisted(() => ({
  contexts: [] as unknown[],
  answer: (): Promise<unknown> => Promise.resolve('Mia'),
}));
vi.mock('@inquirer/prompts', () => {
  const ask = (_question: unknown, context: unknown) => {
    asked.contexts.push(context);
    return asked.answer();
  };
  return { input: ask, select: ask };
});

describe('createPrompter', () => {
  const output = new PassThrough();
  const { signal } = new AbortController();
  const prompter = createPrompter(output, signal, true);

  test('prompts on the given stream', async () => {
    expect(await prompter.text('Name', () => true)).toBe('Mia');
    expect(await prompter.choose('Status', [{ name: 'a', value: 'b' }])).toBe('Mia');
    expect(asked.contexts).toEqual([
      { output, signal },
      { output, signal },
    ]);
  });

  const end = (name: string) => () => Promise.reject(Object.assign(new Error('closed'), { name }));

  test('^C is an interruption', async () => {
    asked.answer = end('ExitPromptError');
    await expect(prompter.text('Name', () => true)).rejects.toMatchObject({
      name: 'Interruption',
      exitCode: 130,
    });
  });

  test.each([130, 143] as const)('a signal that ends a prompt keeps its exit code: %d', async (exitCode) => {
    const controller = new AbortController();
    const reason = new Interruption(exitCode);
    asked.answer = () => {
      controller.abort(reason);
      return end('AbortPromptError')();
    };
    const stopped = createPrompter(output, controller.signal, true);
    await expect(stopped.text('Name', () => true)).rejects.toBe(reason);
  });

  test('other errors are not changed', async () => {
    asked.answer = () => Promise.reject(new Error('broken'));
    await expect(prompter.choose('Status', [])).rejects.toThrow('broken');
  });
});
