import { expect, test } from 'vitest';
import { together } from '../../../../src/cli/commands/domain/together.js';

/** Lasts until it is stopped. */
function untilStopped(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => {
      reject(new Error('stopped'));
    });
  });
}

test('results keep the order of the items', async () => {
  const run = (delay: number) => new Promise((resolve) => setTimeout(resolve, delay, delay));
  expect(await together([2, 0, 1], new AbortController().signal, run)).toEqual([2, 0, 1]);
});

test('the first to fail stops the others, and is what is thrown when they have ended', async () => {
  const ended: string[] = [];
  const run = async (name: string, signal: AbortSignal): Promise<void> => {
    if (name === 'broken') throw new Error('broken');
    await untilStopped(signal).finally(() => ended.push(name));
  };
  await expect(together(['one', 'broken', 'other'], new AbortController().signal, run)).rejects.toThrow(
    'broken',
  );
  expect(ended).toEqual(['one', 'other']);
});

test('the signal stops all', async () => {
  const stopping = new AbortController();
  const running = together([1, 2], stopping.signal, (_, signal) => untilStopped(signal));
  stopping.abort();
  await expect(running).rejects.toThrow('stopped');
});
