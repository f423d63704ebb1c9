import { expect, test } from 'vitest';
import { createMock } from '../../../src/mock/index.js';
import { sendRequest, frozenClock } from '../send-request.js';

test('each key has a world and limits of its own', () => {
  const mock = createMock({ clock: frozenClock, keys: ['a', 'b'] });
  sendRequest(mock, 'POST', '/pets', { key: 'a', body: { name: 'Rex', categoryId: 1 } });
  const pets = (key: string) => sendRequest(mock, 'GET', '/pets?limit=100', { key });
  expect([pets('a').json, pets('b').json]).toEqual([
    expect.objectContaining({ length: 26 }),
    expect.objectContaining({ length: 25 }),
  ]);
  expect([pets('a'), pets('b')].map(({ headers }) => headers['x-ratelimit-remaining'])).toEqual(['57', '58']);
});

test('tenant() makes a fresh key, with a plan of its own', () => {
  const mock = createMock({ clock: frozenClock, keys: ['a', 'a-3'] });
  const [one, other] = [mock.tenant(), mock.tenant({ plan: 'pro' })];
  expect(new Set(['a', 'a-3', one, other]).size).toBe(4);
  expect(mock.keys).toEqual(['a', 'a-3', one, other]);
  expect(sendRequest(mock, 'GET', '/pets', { key: one }).headers['x-ratelimit-limit']).toBe('60');
  expect(sendRequest(mock, 'GET', '/pets', { key: other }).headers['x-ratelimit-limit']).toBe('300');
});

test.each([[[]], [['a', 'a']], [['']], [['a b']], [['a,b']], [['ä']], [['a\n']]])(
  'refuses the keys %j',
  (keys) => {
    expect(() => createMock({ keys })).toThrow(TypeError);
  },
);
