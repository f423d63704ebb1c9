import { expect, test } from 'vitest';
import { withTimeLimit } from '../../../src/cli/system/time-limit.js';
import { createVirtualClock } from '../../support/virtual-clock.js';

// Runs of doctor show the limit itself.
test('ends for the reason of the outer signal, and leaves no timer', async () => {
  const clock = createVirtualClock();
  const outer = new AbortController();
  const work = () => new Promise<never>(() => undefined);
  const waiting = withTimeLimit(5_000, { clock, signal: outer.signal }, work);
  outer.abort(new Error('^C'));
  await expect(waiting).rejects.toThrow('^C');
  expect(clock.pending).toBe(0);
});
