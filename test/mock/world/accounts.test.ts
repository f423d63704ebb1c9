import { expect, test } from 'vitest';
import { createMock, readSnapshot, snapshotJson } from '../../../src/mock/index.js';
import { parseJson, stringifyJson } from '../../../src/schema/json.js';
import { sendRequest, frozenClock } from '../send-request.js';

test('each key has its own store and limits', () => {
  const mock = createMock({ clock: frozenClock, keys: ['a', 'b'] });
  sendRequest(mock, 'POST', '/pets', { key: 'a', body: { name: 'Rex', categoryId: 1 } });
  const pets = (key: string) => sendRequest(mock, 'GET', '/pets?limit=100', { key });
  expect([pets('a').json, pets('b').json]).toEqual([
    expect.objectContaining({ length: 26 }),
    expect.objectContaining({ length: 25 }),
  ]);
  expect([pets('a'), pets('b')].map(({ headers }) => headers['x-ratelimit-remaining'])).toEqual(['57', '58']);
});

test('tenant() adds a key with its own plan', () => {
  const mock = createMock({ clock: frozenClock, keys: ['a', 'a-3'] });
  const [one, other] = [mock.tenant(), mock.tenant({ plan: 'pro' })];
  expect(new Set(['a', 'a-3', one, other]).size).toBe(4);
  expect(mock.keys).toEqual(['a', 'a-3', one, other]);
  expect(sendRequest(mock, 'GET', '/pets', { key: one }).headers['x-ratelimit-limit']).toBe('60');
  expect(sendRequest(mock, 'GET', '/pets', { key: other }).headers['x-ratelimit-limit']).toBe('300');
});

test.each([[[]], [['a', 'a']], [['']], [['a b']], [['a,b']], [['ä']], [['a\n']]])(
  'rejects the keys %j',
  (keys) => expect(() => createMock({ keys })).toThrow(TypeError),
);

test('a snapshot survives JSON, and restores the store', () => {
  const keys = ['a', 'b'];
  const before = createMock({ keys });
  sendRequest(before, 'POST', '/pets', { key: 'b', body: { name: 'Möhre', categoryId: 1 } });
  const after = createMock({ keys, snapshot: parseJson(stringifyJson(before.snapshot())) });
  const all = (mock: typeof before, key: string) => sendRequest(mock, 'GET', '/pets?limit=100', { key }).body;
  for (const key of keys) expect(all(after, key)).toBe(all(before, key));
  expect(all(after, 'b')).not.toBe(all(after, 'a'));
  const next = sendRequest(after, 'POST', '/pets', { key: 'b', body: { name: 'Rex', categoryId: 1 } });
  expect(next.json).toMatchObject({ id: 26 });
});

test('a snapshot of the mock has its tenants, without their keys', () => {
  const before = createMock({ pets: 1 });
  const [first, second] = [before.tenant({ plan: 'pro', pets: 2 }), before.tenant({ pets: 3 })];
  before.removeTenant(first);
  const third = before.tenant({ plan: 'business', pets: 4 });
  const text = [...snapshotJson(before.snapshot())].join('');
  expect(text).not.toContain('mock-key');
  const snapshot = parseJson(text);
  expect(snapshot).toEqual(parseJson(stringifyJson(before.snapshot())));

  const state = (mock: typeof before) =>
    mock.state().tenants.map(({ tenant, plan, pets }) => [tenant, plan, pets]);
  const expected = [
    [1, 'free', 1],
    [3, 'free', 3],
    [4, 'business', 4],
  ];
  const after = createMock({ keys: ['other'], snapshot });
  expect(state(after)).toEqual(expected);
  expect(after.keys).toEqual(['other', 'other-3', 'other-4']);
  expect(after.forKey(after.tenant()).number).toBe(5);

  before.removeTenant(third);
  before.forKey(second).pets.load([]);
  before.restore(snapshot);
  expect(state(before)).toEqual(expected);
  expect(before.keys).toEqual(['mock-key', second, third]);
});

test('a key without a snapshot starts with the seed, and reset restores the seed', () => {
  const snapshot = createMock({ pets: 3 }).snapshot();
  const mock = createMock({ keys: ['a', 'b'], snapshot });
  expect(mock.state().tenants.map(({ pets }) => pets)).toEqual([3, 25]);
  mock.reset();
  expect(mock.state().tenants.map(({ pets }) => pets)).toEqual([25, 25]);
});

test('a tenant of a snapshot can not have the number of an initial key', () => {
  const snapshot = { format: 'petstore-mock/1', worlds: [], tenants: [{ number: 2, plan: 'pro', pets: [] }] };
  expect(() => createMock({ keys: ['a', 'b'], snapshot })).toThrow(
    'tenants[0].number is the number of an initial key',
  );
});

const snapshotWith = (...tenants: unknown[]) => ({ format: 'petstore-mock/1', worlds: [], tenants });
const TENANT = { number: 2, plan: 'pro', pets: [] };

test.each([
  null,
  'x',
  {},
  { format: 'petstore-mock/2', worlds: [] },
  { format: 'petstore-mock/1', worlds: {} },
  { format: 'petstore-mock/1', worlds: [null] },
  { format: 'petstore-mock/1', worlds: [], tenants: {} },
  snapshotWith({ ...TENANT, number: 0 }),
  snapshotWith({ ...TENANT, plan: 'fre' }),
  snapshotWith({ ...TENANT, pets: undefined }),
  snapshotWith(TENANT, TENANT),
  { format: 'petstore-mock/1', worlds: [{ pets: [{ id: 1, categoryId: 1 }] }] },
  { format: 'petstore-mock/1', worlds: [{ pets: [{ id: 1.5, categoryId: 1, name: 'x' }] }] },
])('rejects the snapshot %o', (snapshot) => {
  expect(() => createMock({ snapshot })).toThrow(TypeError);
  expect(() => readSnapshot(snapshot)).toThrow(TypeError);
});
