import { expect, test } from 'vitest';
import { cellText, fieldValue } from '../../../src/cli/output/cell-text.js';

test.each<[unknown, string]>([
  [9223372036854775807n, '9223372036854775807'],
  [-5, '-5'],
  ['Rex', 'Rex'],
  ['', ''],
  [undefined, ''],
  [null, ''],
  [true, 'true'],
  [false, 'false'],
  [[1n, 'a'], '[1,"a"]'],
  [{ owner: { id: 9007199254740993n } }, '{"owner":{"id":9007199254740993}}'],
])('formats %o', (value, text) => {
  expect(cellText(value)).toBe(text);
});

test('reads only own fields of a row', () => {
  expect(fieldValue({ id: 1n }, 'id')).toBe(1n);
  expect(fieldValue({ id: 1n }, 'constructor')).toBeUndefined();
  expect(fieldValue({ id: 1n }, '__proto__')).toBeUndefined();
});
