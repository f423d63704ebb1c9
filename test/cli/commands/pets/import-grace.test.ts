import { expect, test } from 'vitest';
import type { ClientEvent } from '../../../../src/client/index.js';
import { createGraceEnd } from '../../../../src/cli/commands/pets/import-grace.js';
import { createVirtualClock } from '../../../support/virtual-clock.js';

const step = { call: 1, attempt: 1 };
const request: ClientEvent = { type: 'request', ...step, method: 'POST', url: 'x', headers: {} };
const response: ClientEvent = { type: 'response', ...step, status: 201, headers: {}, bytes: 1, elapsedMs: 1 };
const failure: ClientEvent = { type: 'failure', ...step, message: 'reset', elapsedMs: 1 };
const wait: ClientEvent = { type: 'wait', ...step, reason: 'paced', delayMs: 60_000 };

function setUp() {
  const clock = createVirtualClock();
  const stop = new AbortController();
  return { clock, stop, grace: createGraceEnd({ clock, signal: stop.signal }) };
}

test('nothing is out: over at once', async () => {
  const { clock, stop, grace } = setUp();
  for (const event of [request, response, request, failure, wait]) grace.onEvent(event);
  await clock.advance(1_000);
  expect(grace.end.aborted).toBe(false);
  stop.abort('stopped');
  await clock.advance(100);
  expect(grace.end).toMatchObject({ aborted: true, reason: 'stopped' });
});

test.each([response, failure])('over with the last answer, or its loss', async (last) => {
  const { clock, stop, grace } = setUp();
  for (const event of [request, request, wait]) grace.onEvent(event);
  stop.abort('stopped');
  grace.onEvent(response);
  await clock.advance(1_000);
  expect(grace.end.aborted).toBe(false);
  grace.onEvent(last);
  expect(grace.end.aborted).toBe(false);
  await clock.advance(100);
  expect(grace.end.aborted).toBe(true);
});

test('not while one that had only waited is out after all', async () => {
  const { clock, stop, grace } = setUp();
  stop.abort('stopped');
  grace.onEvent(request);
  await clock.advance(1_000);
  expect(grace.end.aborted).toBe(false);
  grace.onEvent(response);
  await clock.advance(100);
  expect(grace.end.aborted).toBe(true);
});
