import { expect, test } from 'vitest';
import {
  asciiOf,
  readDomainName,
  readDomainNames,
  shownName,
} from '../../../../src/cli/commands/domain/names.js';

test('each name once, in the order given, whatever its spelling', () => {
  const words = ['b.example', 'MÜLLER.example', 'xn--mller-kva.example.', 'b.example'];
  expect(readDomainNames(words).map(({ ascii }) => ascii)).toEqual(['b.example', 'xn--mller-kva.example']);
});

test('what is no name is refused with its finding, and what was probably meant', () => {
  expect(() => readDomainName('http://a.example/')).toThrow(
    expect.objectContaining({
      message: '"http://a.example/" is a URL; give the host name alone (name.invalid)',
      hint: 'did you mean a.example?',
    }),
  );
});

test('both spellings are shown where they differ', () => {
  expect(shownName(readDomainName('a.example'))).toBe('a.example');
  expect(shownName(readDomainName('müller.example'))).toBe('müller.example (xn--mller-kva.example)');
});

test('a host as DNS has it', () => {
  expect(asciiOf('MÜLLER.example')).toBe('xn--mller-kva.example');
  expect(asciiOf('a b')).toBeUndefined();
});
