import { expect, test } from 'vitest';
import { NOON } from '../send-request.js';
import { serveControl } from './serve-control.js';

const { mock, control } = serveControl();

test('clock', async () => {
  expect((await control('POST', '/clock', { advance: '60s' })).json).toEqual({
    now: new Date(NOON + 60_000).toISOString(),
    offsetMs: 60_000,
    frozen: false,
  });
  expect((await control('POST', '/clock', { advance: 'until-reset' })).json).toMatchObject({
    now: new Date(NOON + 90_000).toISOString(),
  });
  expect((await control('POST', '/clock', { freeze: true })).json).toMatchObject({ frozen: true });
  expect((await control('POST', '/clock', { run: true })).json).toMatchObject({ frozen: false });
  expect((await control('GET', '/clock')).json).toMatchObject({ offsetMs: 90_000 });
  expect((await control('POST', '/clock', { advance: 'tomorrow' })).status).toBe(400);
  expect((await control('POST', '/clock', {})).status).toBe(400);
});

test('clock does not pass the year 9999', async () => {
  for (const advance of [1e300, -1, 8.64e15, '99999999999d', '-5s', null]) {
    expect(await control('POST', '/clock', { advance }), String(advance)).toMatchObject({ status: 400 });
  }
  expect(mock.state().clockOffsetMs).toBe(0);
  expect(await control('GET', '/health')).toMatchObject({ status: 200 });
});
