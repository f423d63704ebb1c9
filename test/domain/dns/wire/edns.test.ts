import { expect, test } from 'vitest';
import { readEdns, responseCodeName } from '../../../../src/domain/dns/edns.js';
import { MalformedMessage } from '../../../../src/domain/dns/names.js';
import { type Bytes, join, option, u16, u32 } from '../wire.js';

/** The TTL field, the options, then bytes of no record. */
function read(options: Bytes, ttl = 0) {
  return readEdns(join(u32(ttl), options, Buffer.alloc(500)), 0, 4, 4 + join(options).length);
}

test('reads the upper bits of the response code', () => {
  expect(read([], 0x01000000)).toEqual({ rcodeHigh: 1, extendedErrors: [] });
});

test('reads extended errors in order, and ignores other options', () => {
  const options = join(option(10, Buffer.alloc(8)), option(15, join(u16(6), 'a\x1b')), option(15, u16(3)));
  expect(read(options).extendedErrors).toEqual([
    { code: 6, text: 'a\\027' },
    { code: 3, text: '' },
  ]);
});

test.each<[string, Bytes]>([
  ['a truncated option', [0, 15, 0]],
  ['an option that extends past the record', option(12, [0], 2)],
  ['an extended error of one byte', option(15, [0])],
])('rejects %s', (_, options) => {
  expect(() => read(options)).toThrow(MalformedMessage);
});

test.each([
  [0, 'NOERROR'],
  [1, 'FORMERR'],
  [2, 'SERVFAIL'],
  [3, 'NXDOMAIN'],
  [4, 'NOTIMP'],
  [5, 'REFUSED'],
  [9, 'NOTAUTH'],
  [11, 'RCODE11'],
  [16, 'BADVERS'],
  [23, 'BADCOOKIE'],
  [4095, 'RCODE4095'],
])('names response code %i %s', (code, name) => {
  expect(responseCodeName(code)).toBe(name);
});
