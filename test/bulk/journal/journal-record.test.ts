import { expect, test } from 'vitest';
import {
  type JournalRecord,
  readRecord,
  toJsonWord,
  writeRecord,
} from '../../../src/bulk/journal/journal-record.js';

test.each<[string, JournalRecord]>([
  ['>1', { kind: 'sent', row: 1 }],
  ['=1000000:9223372036854775807', { kind: 'created', row: 1_000_000, id: 9_223_372_036_854_775_807n }],
  ['=2:-5', { kind: 'created', row: 2, id: -5n }],
  ['!3:4', { kind: 'rejected', row: 3, reason: 4 }],
  ['?3:0', { kind: 'unknown', row: 3, reason: 0 }],
  ['-3', { kind: 'not-created', row: 3 }],
  [
    '@12:"no\\u0020\\"x\\"\\u0020\\u2013\\u0020\\n\\\\"',
    { kind: 'reason', reason: 12, text: 'no "x" – \n\\' },
  ],
  ['["/a\\u0020b/\\u00fc.csv"', { kind: 'saving', path: '/a b/ü.csv' }],
  [']', { kind: 'saved' }],
])('reads and writes %s', (word, record) => {
  expect(writeRecord(record)).toBe(word);
  expect(readRecord(word)).toEqual(record);
});

test.each([
  '',
  '>',
  '>0',
  '>-1',
  '>1:2',
  '>1.5',
  '=1',
  '=1:x',
  '=1:9223372036854775808',
  '!1',
  '!1:-1',
  '?1',
  '-1:1',
  '@1',
  '@x:""',
  '@1:"',
  '@1:7',
  '[',
  '[7',
  ']]',
  '#1',
  '>1234567890123456',
  'toString',
])('rejects %j', (word) => {
  expect(readRecord(word)).toBeUndefined();
});

test('writes JSON as one word of ASCII', () => {
  const value = { service: 'https://pets.test/v1 ü\u2028\u007f', rows: 3 };
  expect(toJsonWord(value)).toMatch(/^[!-~]+$/);
  expect(JSON.parse(toJsonWord(value))).toEqual(value);
});
