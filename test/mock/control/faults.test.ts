import { expect, test } from 'vitest';
import { sendRequest } from '../send-request.js';
import { serveControl } from './serve-control.js';

const { mock, control } = serveControl();

test('faults', async () => {
  const set = await control('POST', '/faults', {
    faults: ['outage:times=1', { route: 'POST /pets', action: 'reset' }],
  });
  expect(set.json).toEqual({
    faults: [
      { id: 1, spec: 'outage:times=1', times: 1, action: { status: 503 }, seen: 0, applied: 0 },
      { id: 2, route: 'POST /pets', action: 'reset', seen: 0, applied: 0 },
    ],
  });
  expect(sendRequest(mock, 'GET', '/pets', { key: 'sekret' }).status).toBe(503);
  expect((await control('GET', '/faults')).json).toMatchObject({ faults: [{ applied: 1 }, { applied: 0 }] });
  for (const wrong of [{}, { faults: 'flaky' }, { faults: ['nonsense'] }, { faults: [null] }, '[', '5']) {
    expect((await control('POST', '/faults', wrong)).status).toBe(400);
  }
});

test('faults are added and removed, and the others keep their counts', async () => {
  mock.setFaults(['outage:times=1', 'slow:ms=1']);
  expect(sendRequest(mock, 'GET', '/pets', { key: 'sekret' }).status).toBe(503);
  const changed = await control('PATCH', '/faults', { add: ['garbage'], remove: [2] });
  expect(changed.json).toMatchObject({
    faults: [
      { id: 1, spec: 'outage:times=1', applied: 1 },
      { id: 3, spec: 'garbage', applied: 0 },
      { id: 4, spec: 'garbage' },
      { id: 5, spec: 'garbage' },
    ],
  });
  expect(await control('PATCH', '/faults', { remove: [2] })).toMatchObject({
    status: 400,
    json: { message: 'No fault has the id 2' },
  });
  expect((await control('PATCH', '/faults', { add: ['nonsense'], remove: [1] })).status).toBe(400);
  expect((await control('PATCH', '/faults', { add: 'slow' })).status).toBe(400);
  expect(mock.state().faults).toHaveLength(4);
});

test('lists the named faults', async () => {
  const { json } = await control('GET', '/fault-profiles');
  expect(json).toMatchObject({
    profiles: expect.arrayContaining([
      expect.objectContaining({ name: 'slow', example: expect.any(String) }),
    ]),
  });
});
