import { expect, test } from 'vitest';
import { LineChecksum, splitLines } from '../../../src/bulk/journal/journal-line.js';
import { collect, pieces } from '../../support/pieces.js';

const seal = new LineChecksum();
const LINES = ['>1 >2', '=1:7', '>3'].map((body) => seal.add(body).slice(0, -1));

test('verifies lines in the order in which they were written', () => {
  const opened = new LineChecksum();
  expect(LINES.map((line) => opened.verify(line))).toEqual(['>1 >2', '=1:7', '>3']);
  expect(new LineChecksum().verify(LINES[1]!)).toBeUndefined();
});

test('detects a change of any character', () => {
  for (let at = 0; at < LINES[0]!.length; at += 1) {
    const other = LINES[0]!.charCodeAt(at) === 0x30 ? '1' : '0';
    const changed = LINES[0]!.slice(0, at) + other + LINES[0]!.slice(at + 1);
    expect(new LineChecksum().verify(changed)).toBeUndefined();
    expect(new LineChecksum().verify(LINES[0]!.slice(0, at))).toBeUndefined();
  }
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
