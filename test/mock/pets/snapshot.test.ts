import { expect, test } from 'vitest';
import { createMock, readSnapshot, snapshotJson } from '../../../src/mock/index.js';
import { parseJson } from '../../../src/schema/json.js';

test.each([
  ['two keys', { keys: ['a', 'b'], pets: 3 }],
  ['no pets', { pets: 0 }],
  [
    'unusual pets',
    { pets: [{ id: '9007199254740993', name: 'a"\u2028', categoryId: -1, more: { deep: [1n << 60n] } }] },
  ],
  ['several parts', { pets: 2_000 }],
])('snapshotJson writes what parseJson and readSnapshot read: %s', (_, options) => {
  const snapshot = createMock(options).snapshot();
  const parts = [...snapshotJson(snapshot)];
  const text = parts.join('');
  expect(readSnapshot(parseJson(text)).worlds.map(({ pets }) => pets)).toEqual(
    snapshot.worlds.map(({ pets }) => pets),
  );
  expect(text).toMatch(/\n\]\}\n$/);
  expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(70_000);
});

test('snapshotJson writes one pet a line', () => {
  const text = [...snapshotJson(createMock({ pets: [{ name: 'Rex', categoryId: 1 }] }).snapshot())].join('');
  expect(text).toBe(
    '{"format":"petstore-mock/1","worlds":[\n{"pets":[\n{"id":1,"name":"Rex","categoryId":1}\n]}\n]}\n',
  );
});
