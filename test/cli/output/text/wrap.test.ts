import { describe, expect, test } from 'vitest';
import { wrap, wrapCommand, wrapForTerminal, wrapText } from '../../../../src/cli/output/text/wrap.js';

const measure = (text: string): number => text.length;

describe('wrap', () => {
  test.each([
    ['', []],
    ['one', ['1. one']],
    ['one two three', ['1. one two', '   three']],
    ['unbreakable.example.com is long', ['1. unbreakable.example.com', '   is long']],
    ['in 1 h, 30 min', ['1. in 1 h,', '   30 min']],
    ['a 7 hosts', ['1. a 7', '   hosts']],
    ['  many   blanks ', ['1. many', '   blanks']],
  ])('%j', (text, lines) => {
    expect(wrap(text, { width: 11, first: '1. ', rest: '   ', measure })).toEqual(lines);
  });

  test('uses the given width function', () => {
    const wide = (text: string): number => 2 * text.length;
    expect(wrap('ab cd', { width: 9, first: '', rest: '', measure: wide })).toEqual(['ab', 'cd']);
  });
});

test.each([
  ['a bcd', 3, ['a', 'bcd']],
  ['abcdefgh ij', 3, ['abc', 'def', 'gh', 'ij']],
  ['abc', 0, ['abc']],
])('wrap(%j) breaks words that are longer than %i columns', (text, width, lines) => {
  expect(wrap(text, { width, breaksWords: true })).toEqual(lines);
});

test.each([
  ['dig a A', 20, ['dig a A']],
  ['petstore domain verify a --target t --wait', 30, ['petstore domain verify a \\', '  --target t --wait']],
  ["echo 'a b' 'c d'", 14, ["echo 'a b' \\", "  'c d'"]],
  // A flag and its value stay together.
  ['run --target value', 14, ['run \\', '  --target value']],
])('wrapCommand: %j in %i columns', (command, width, lines) => {
  expect(wrapCommand(command, { width, first: '', rest: '  ', measure })).toEqual(lines);
});

describe('wrapText', () => {
  const text = `Rules

A paragraph that is written
in two lines.

Headed list:
- a bullet that wraps
- another
  over two lines

  --flag    what the flag does
  --other   more

  petstore pets list --status sold
    { "verbatim":   true, "long": "yes" }`;

  test('joins the lines of a paragraph, and keeps headings, bullets, rows, commands and code apart', () => {
    expect(wrapText(text, 80)).toBe(
      text.replace('written\nin', 'written in').replace('another\n  over', 'another over'),
    );
  });

  test('wraps between words; commands can still be pasted, and code stays as it is', () => {
    expect(wrapText(text, 20).split('\n')).toEqual([
      'Rules',
      '',
      'A paragraph that is',
      'written in two',
      'lines.',
      '',
      'Headed list:',
      '- a bullet that',
      '  wraps',
      '- another over two',
      '  lines',
      '',
      '  --flag',
      '      what the flag',
      '      does',
      '  --other',
      '      more',
      '',
      '  petstore pets \\',
      '      list \\',
      '      --status sold',
      '    { "verbatim":   true, "long": "yes" }',
    ]);
    expect(wrapText('  --flag    what the flag does and why', 40).split('\n')).toEqual([
      '  --flag    what the flag does and why',
    ]);
    expect(wrapText('  --flag    what the flag does and why', 37).split('\n')).toEqual([
      '  --flag    what the flag does and',
      '            why',
    ]);
  });
});

describe('wrapForTerminal', () => {
  const text = 'error: something failed today\n  here\n    ^ code stays unchanged at any length';

  test('wraps each line and indents continuation lines', () => {
    expect(wrapForTerminal(text, { env: {}, stderr: { isTTY: true, columns: 20 } })).toBe(
      'error: something\n  failed today\n  here\n    ^ code stays unchanged at any length',
    );
  });

  test.each([
    [
      'hint: To resume, run: petstore pets import a b --resume',
      ['hint: To resume, run:', '  petstore pets import a b --resume'],
    ],
    [
      "hint: Now run: petstore pets import 'my. File. csv' -y. Another file sends all rows again.",
      [
        'hint: Now run:',
        "  petstore pets import 'my. File. csv' -y.",
        '  Another file sends',
        '  all rows again.',
      ],
    ],
    [
      'hint: Pass it, run "petstore auth login -y", or set it.',
      ['hint: Pass it, run', '  "petstore auth login -y",', '  or set it.'],
    ],
    [
      'If you did it, run: chmod 600 a b. Otherwise move it.',
      ['If you did it, run:', '  chmod 600 a b.', '  Otherwise move it.'],
    ],
    ['run: petstore a b c d e f g; petstore b', ['run:', '  petstore a b c d e f g;', '  petstore b']],
  ])('breaks no command: %s', (text, lines) => {
    const wrapped = wrapForTerminal(text, { env: {}, stderr: { isTTY: true, columns: 22 } });
    expect(wrapped.split('\n')).toEqual(lines);
  });

  test('changes nothing if the stream is not a terminal, and assumes 80 columns', () => {
    expect(wrapForTerminal(text, { env: {}, stderr: { isTTY: false, columns: 20 } })).toBe(text);
    expect(wrapForTerminal(text, { env: {}, stderr: { isTTY: true, columns: undefined } })).toBe(text);
  });
});
