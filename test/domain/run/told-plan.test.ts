import { expect, test } from 'vitest';
import type { PlanFact } from '../../../src/domain/facts/facts.js';
import { toldPlan } from '../../../src/domain/run/told-plan.js';
import { createVirtualClock } from '../../support/virtual-clock.js';

const PRO: PlanFact = { name: 'Pro', paid: true, inferred: true };
const NEVER = new Promise<undefined>(() => undefined);

test.each([
  ['told', PRO],
  ['not told', undefined],
  ['told in a moment', Promise.resolve(PRO)],
])('a plan that is %s', async (_, plan) => {
  const clock = createVirtualClock();
  expect(await toldPlan({ clock, signal: undefined }, plan)).toEqual(await plan);
  expect(clock.pending).toBe(0);
});

test('a plan that nobody tells is not known after a while', async () => {
  const clock = createVirtualClock();
  const told = toldPlan({ clock, signal: undefined }, NEVER);
  expect(clock.pendingDelays).toEqual([5_000]);
  await clock.next();
  expect(await told).toBeUndefined();
});

test('a plan that nobody tells is waited for no longer than the run lasts', async () => {
  const clock = createVirtualClock();
  const run = new AbortController();
  const told = toldPlan({ clock, signal: run.signal }, NEVER);
  run.abort();
  expect(await told).toBeUndefined();
  expect(clock.pending).toBe(0);
});
