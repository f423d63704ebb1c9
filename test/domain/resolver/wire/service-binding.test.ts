import { describe, expect, test } from 'vitest';
import { readServiceBinding } from '../../../../src/domain/resolver/wire/service-binding.js';
import { MalformedMessage } from '../../../../src/domain/resolver/wire/wire-name.js';
import { type Bytes, join, name, option, pointer, u16 } from '../wire.js';

function read(data: Bytes) {
  const before = join(Buffer.alloc(12), name('example.test'));
  // What follows is another record's.
  return readServiceBinding(
    join(before, data, Buffer.alloc(40)),
    before.length,
    before.length + join(data).length,
  );
}

/** A parameter has the shape of an EDNS option: key, length, value. */
const parameter = option;
const service = (...parameters: readonly Bytes[]): Buffer => join(u16(1), [0], ...parameters);

describe('an HTTPS record', () => {
  test('in AliasMode', () => {
    expect(read(join(u16(0), name('Alias.test')))).toEqual({
      type: 'HTTPS',
      priority: 0,
      target: 'alias.test',
      addressHints: [],
    });
  });

  test('in ServiceMode, with the hints of both families', () => {
    const given = service(
      parameter(1, join([2], 'h2')),
      parameter(4, [192, 0, 2, 1, 192, 0, 2, 2]),
      parameter(6, Buffer.from('20010db8000000000000000000000001', 'hex')),
      parameter(65_400, []),
    );
    expect(read(given)).toEqual({
      type: 'HTTPS',
      priority: 1,
      target: '.',
      addressHints: ['192.0.2.1', '192.0.2.2', '2001:db8::1'],
    });
  });

  test.each<[string, Bytes]>([
    ['nothing', []],
    ['no target', u16(1)],
    ['a compressed target', join(u16(1), pointer(12))],
    ['a target that runs past it', join(u16(1), [9], 'abc')],
    ['half a parameter', service([0, 1, 0])],
    ['a parameter that runs past it', service(parameter(1, 'h2', 3))],
    ['the same key twice', service(parameter(1, 'a'), parameter(1, 'b'))],
    ['keys out of order', service(parameter(6, Buffer.alloc(16)), parameter(4, Buffer.alloc(4)))],
    ['no hint', service(parameter(4, []))],
    ['half an IPv4 hint', service(parameter(4, Buffer.alloc(6)))],
    ['half an IPv6 hint', service(parameter(6, Buffer.alloc(24)))],
  ])('is malformed with %s', (_, data) => {
    expect(() => read(data)).toThrow(MalformedMessage);
  });
});
