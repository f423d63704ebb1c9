import { expect, test } from 'vitest';
import { readEdns } from '../../../../src/domain/resolver/wire/edns.js';
import { MalformedMessage } from '../../../../src/domain/resolver/wire/wire-name.js';
import { type Bytes, join, option, u16, u32 } from '../wire.js';

/** The TTL field, then the options, then what is no longer its own. */
function read(options: Bytes, ttl = 0) {
  return readEdns(join(u32(ttl), options, Buffer.alloc(500)), 0, 4, 4 + join(options).length);
}

test('the upper bits of the response code', () => {
  expect(read([], 0x01000000)).toEqual({ rcodeHigh: 1, extendedErrors: [] });
});

test('extended errors in order, other options passed over', () => {
  const options = join(option(10, Buffer.alloc(8)), option(15, join(u16(6), 'a\x1b')), option(15, u16(3)));
  expect(read(options).extendedErrors).toEqual([
    { code: 6, text: 'a\\027' },
    { code: 3, text: '' },
  ]);
});

test.each<[string, Bytes]>([
  ['half an option', [0, 15, 0]],
  ['an option that runs past the record', option(12, [0], 2)],
  ['an extended error of one byte', option(15, [0])],
])('%s is malformed', (_, options) => {
  expect(() => read(options)).toThrow(MalformedMessage);
});
