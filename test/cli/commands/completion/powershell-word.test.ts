import { describe, expect, test } from 'vitest';
import {
  powershellPartStart,
  powershellText,
  powershellWord,
} from '../../../../src/cli/commands/completion/powershell-word.js';

describe('a word', () => {
  test.each([
    'sold',
    'shop.example.com',
    '--status',
    '-id',
    '-o',
    '9007199254740993',
    'exit-codes',
    'categoryId',
  ])('%s stays unquoted', (text) => {
    expect(powershellWord(text)).toBe(text);
  });

  // PowerShell interprets each of these without quotes: about_Parsing, about_Quoting_Rules, about_Operators,
  // about_Splatting, about_Redirection.
  test.each([
    ['', "''"],
    ['my shop', "'my shop'"],
    ["it's", "'it''s'"],
    ["''", "''''''"],
    ['say "x"', `'say "x"'`],
    ['$HOME', "'$HOME'"],
    ['$(touch y)', "'$(touch y)'"],
    ['a`nb', "'a`nb'"],
    ['a;b', "'a;b'"],
    ['a|b', "'a|b'"],
    ['a&b', "'a&b'"],
    ['@splat', "'@splat'"],
    ['{x}', "'{x}'"],
    ['(x)', "'(x)'"],
    ['[x]', "'[x]'"],
    ['id,name', "'id,name'"],
    ['#x', "'#x'"],
    ['a>b', "'a>b'"],
    ['a<b', "'a<b'"],
    ['%x', "'%x'"],
    ['--%', "'--%'"],
    ['--', "'--'"],
    ['~', "'~'"],
    ['*', "'*'"],
    ['--status=sold', "'--status=sold'"],
    ['-foo.bar', "'-foo.bar'"],
    ['1kb', "'1kb'"],
    ['a\nb', "'a\nb'"],
    ['C:\\shop\\', "'C:\\shop\\'"],
    // Typographic single quotes would end the word.
    ['it\u2019s', "'it\u2019\u2019s'"],
    ['\u2018x\u201b', "'\u2018\u2018x\u201b\u201b'"],
    ['\u201cx\u201d', "'\u201cx\u201d'"],
  ])('%j is %s', (text, word) => {
    expect(powershellWord(text)).toBe(word);
    expect(powershellText(word)).toBe(text);
  });
});

test.each([
  ["'my s", 'my s'],
  ["'my shop'", 'my shop'],
  ["'it''s", "it's"],
  ['"my s', 'my s'],
  ['"say ""x""', 'say "x"'],
  ['"it\'s', "it's"],
  ['my` shop', 'my shop'],
  ['"a`"b', 'a"b'],
  ["'a`b", 'a`b'],
  ['\u201cmy s', 'my s'],
  ["--profile='my s", '--profile=my s'],
  ["'", ''],
  ['`', ''],
])('%j means %j', (typed, text) => {
  expect(powershellText(typed)).toBe(text);
});

test.each([
  ['id', 0],
  ['id,n', 3],
  ['id,name,', 8],
  ["'id,n", 0],
  ['--fields=id,n', 12],
  ['a`,b', 0],
])('the replaced part of %j starts at %i', (typed, joint) => {
  expect(powershellPartStart(typed)).toBe(joint);
});
