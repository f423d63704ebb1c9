import { expect, test } from 'vitest';
import { readDomainName, readDomainNames } from '../../../../../src/cli/commands/domain/input/names.js';

test('removes duplicate names of any spelling, and keeps the order', () => {
  const words = ['b.example', 'MÜLLER.example', 'xn--mller-kva.example.', 'b.example'];
  expect(readDomainNames(words).map(({ ascii }) => ascii)).toEqual(['b.example', 'xn--mller-kva.example']);
});

test('rejects several invalid names with all of their findings', () => {
  expect(() => readDomainNames(['a b', 'shop.example', 'http://a.example/', 'co.uk'])).toThrow(
    expect.objectContaining({
      message: expect.stringMatching(
        /^3 names are invalid: .*name\.invalid.*name\.invalid.*name\.public-suffix/,
      ),
      hint: expect.stringContaining('Did you mean "a.example"?'),
    }),
  );
});

test('shows five of many invalid names, and counts the others', () => {
  const words = Array.from({ length: 1_000 }, (_, index) => `http://a${String(index)}.example/`);
  expect(() => readDomainNames(words)).toThrow(
    expect.objectContaining({
      message: expect.stringMatching(
        /^1000 names are invalid: .*"http:\/\/a4\.example\/".*\(name\.invalid\); and 995 more$/,
      ),
      hint: expect.stringMatching(/^(Did you mean "a[0-4]\.example"\? ?){5}$/),
    }),
  );
});

test.each([
  ['a\u001b.example', '"a^[.example" contains control or invisible characters', 'Did you mean "a.example"?'],
  ['a\u202e.example', '"a<U+202E>.example" contains control', 'Did you mean "a.example"?'],
  ['a\ue000.example', '"a<U+E000>.example" contains control', 'Did you mean "a.example"?'],
  ['a\\027.example', '"a\\027.example" contains a backslash escape', 'Did you mean "a.example"?'],
  ['https://ida:secret@a.example', '"https://…@a.example" is a URL', 'Did you mean "a.example"?'],
])('prints %j without control characters and passwords', (word, message, hint) => {
  expect(() => readDomainName(word)).toThrow(
    expect.objectContaining({
      message: expect.stringContaining(message),
      hint: expect.stringContaining(hint),
    }),
  );
});
