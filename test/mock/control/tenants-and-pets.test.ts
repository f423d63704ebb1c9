import { expect, test } from 'vitest';
import { serveControl } from './serve-control.js';

const { mock, control, url } = serveControl();

test('the parameter tenant selects a key by its number', async () => {
  const key = mock.tenant({ pets: 2 });
  const number = String(mock.forKey(key).number);
  expect((await control('GET', `/pets?tenant=${number}`)).json).toMatchObject({ total: 2 });
  expect((await control('PATCH', `/faults?tenant=${number}`, { add: ['slow'] })).status).toBe(200);
  expect(mock.forKey(key).faults).toHaveLength(1);
  expect(mock.state().faults).toEqual([]);
  expect((await control('GET', '/pets?tenant=99')).status).toBe(404);
  const own = { headers: { authorization: 'Bearer sekret' } };
  const different = await fetch(`${url()}/__mock/pets?tenant=${number}`, own);
  expect([different.status, await different.json()]).toMatchObject([400, { code: 'bad_request' }]);
  expect((await fetch(`${url()}/__mock/pets?tenant=1`, own)).status).toBe(200);
  expect((await fetch(`${url()}/__mock/events?tenant=99`)).status).toBe(404);
  mock.removeTenant(key);
});

test('lists a part of the pets, and adds one with the next free id', async () => {
  const { json } = await control('GET', '/pets?limit=2&offset=24');
  expect(json).toMatchObject({ total: 25, pets: [expect.any(Object)] });
  const added = await control('POST', '/pets', { name: 'Rex', categoryId: '7', status: 'sold' });
  expect(added).toMatchObject({ status: 201, json: { name: 'Rex', categoryId: 7, status: 'sold' } });
  expect((await control('GET', '/pets?limit=0')).json).toEqual({ pets: [], total: 26 });
  expect((await control('GET', '/pets?limit=some')).status).toBe(400);
});
