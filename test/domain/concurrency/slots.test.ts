import { expect, test } from 'vitest';
import { createLimiter } from '../../../src/domain/concurrency/slots.js';

test('lets so many in, the others in turn, and lends a slot out', async () => {
  const slots = createLimiter(1);
  const log: string[] = [];
  let wake = (): void => undefined;
  const pause = new Promise<void>((resolve) => (wake = resolve));
  const first = slots.run(async () => {
    log.push('first in');
    await slots.runReleased(() => pause);
    log.push('first back');
  });
  const second = slots.run(async () => {
    log.push('second in');
    await Promise.resolve();
    log.push('second out');
    wake();
  });
  await Promise.all([first, second]);
  expect(log).toEqual(['first in', 'second in', 'second out', 'first back']);
});

test('gives the slot back after a failure', async () => {
  const slots = createLimiter(1);
  await expect(slots.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  await expect(slots.run(() => Promise.resolve('next'))).resolves.toBe('next');
});
