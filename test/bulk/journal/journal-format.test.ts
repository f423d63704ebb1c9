import { expect, test } from 'vitest';
import {
  type JournalRecord,
  LineChecksum,
  readRecord,
  splitLines,
  toJsonWord,
  writeRecord,
} from '../../../src/bulk/journal/journal-format.js';
import { collect, pieces } from '../../support/pieces.js';

const seal = new LineChecksum();
const LINES = ['>1 >2', '=1:7', '>3'].map((body) => seal.add(body).slice(0, -1));

test('verifies lines in the order in which they were written', () => {
  const opened = new LineChecksum();
  expect(LINES.map((line) => opened.verify(line))).toEqual(['>1 >2', '=1:7', '>3']);
  expect(new LineChecksum().verify(LINES[1]!)).toBeUndefined();
});

test('keeps its state after a wrong line', () => {
  const opened = new LineChecksum();
  opened.verify('>1 00000000');
  expect(opened.verify(LINES[0]!)).toBe('>1 >2');
  expect(opened.add('=1:7')).toBe(`${LINES[1]!}\n`);
});

test.each([1, 3, 100])('splits a file into lines with their offsets (%d)', async (length) => {
  const lines = (await collect(splitLines(pieces('ab\n\ncde\nf', length)))).flat();
  expect(lines).toEqual([
    { text: 'ab', number: 1, offset: 0, isEnded: true },
    { text: '', number: 2, offset: 3, isEnded: true },
    { text: 'cde', number: 3, offset: 4, isEnded: true },
    { text: 'f', number: 4, offset: 8, isEnded: false },
  ]);
});

test.each<[string, JournalRecord]>([
  ['>1', { kind: 'sent', row: 1 }],
  ['=1000000:9223372036854775807', { kind: 'created', row: 1_000_000, id: 9_223_372_036_854_775_807n }],
  ['=2:-9223372036854775808', { kind: 'created', row: 2, id: -9_223_372_036_854_775_808n }],
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
  ...'> >0 >-1 >1:2 >1.5 =1 =1:x =1:9223372036854775808 =1:-9223372036854775809 !1 !1:-1 ?1 -1:1 @1 @x:"" @1:" @1:"a"b" @1:7 x"a" [ [7 ]] #1 >1234567890123456 toString'.split(
    ' ',
  ),
])('rejects %j', (word) => {
  expect(readRecord(word)).toBeUndefined();
});

test('writes JSON as one word of ASCII', () => {
  const value = { service: 'https://pets.test/v1 ü\u2028\u007f', rows: 3 };
  expect(toJsonWord(value)).toMatch(/^[!-~]+$/);
  expect(JSON.parse(toJsonWord(value))).toEqual(value);
});
