import { expect, test } from 'vitest';
import { LineSeal, splitLines } from '../../../src/bulk/journal/journal-line.js';
import { collect, pieces } from '../../support/pieces.js';

const seal = new LineSeal();
const LINES = ['>1 >2', '=1:7', '>3'].map((body) => seal.seal(body).slice(0, -1));

test('lines are opened as they were sealed, and in that order only', () => {
  const opened = new LineSeal();
  expect(LINES.map((line) => opened.open(line))).toEqual(['>1 >2', '=1:7', '>3']);
  expect(new LineSeal().open(LINES[1]!)).toBeUndefined();
});

test('every character of a line matters', () => {
  for (let at = 0; at < LINES[0]!.length; at += 1) {
    const other = LINES[0]!.charCodeAt(at) === 0x30 ? '1' : '0';
    const changed = LINES[0]!.slice(0, at) + other + LINES[0]!.slice(at + 1);
    expect(new LineSeal().open(changed)).toBeUndefined();
    expect(new LineSeal().open(LINES[0]!.slice(0, at))).toBeUndefined();
  }
});

test('a line that is refused leaves the seal as it was', () => {
  const opened = new LineSeal();
  opened.open('>1 00000000');
  expect(opened.open(LINES[0]!)).toBe('>1 >2');
  expect(opened.seal('=1:7')).toBe(`${LINES[1]!}\n`);
});

test.each([1, 3, 100])('a file is split into lines that know their place (%d)', async (length) => {
  const lines = (await collect(splitLines(pieces('ab\n\ncde\nf', length)))).flat();
  expect(lines).toEqual([
    { text: 'ab', number: 1, offset: 0, isEnded: true },
    { text: '', number: 2, offset: 3, isEnded: true },
    { text: 'cde', number: 3, offset: 4, isEnded: true },
    { text: 'f', number: 4, offset: 8, isEnded: false },
  ]);
});
