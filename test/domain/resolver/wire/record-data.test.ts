import { describe, expect, test } from 'vitest';
import { readRecordData, readTtl, TYPE_CODES } from '../../../../src/domain/resolver/wire/record-data.js';
import { MalformedMessage } from '../../../../src/domain/resolver/wire/wire-name.js';
import { type Bytes, join, labels, name, pointer, TYPES, type TypeName, u16, u32 } from '../wire.js';

/** A header, `example.test`, the data, and what is no longer its own. */
function read(type: TypeName | number, data: Bytes) {
  const before = join(Buffer.alloc(12), name('example.test'));
  const message = join(before, data, [1, 97, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  const code = typeof type === 'number' ? type : TYPES[type];
  return readRecordData(message, code, before.length, before.length + join(data).length);
}

test('the numbers of the types are those of IANA', () => {
  const { OPT: _, ...types } = TYPES;
  expect(TYPE_CODES).toEqual(types);
});

describe('what is well-formed', () => {
  test.each<[TypeName, Bytes, object]>([
    ['A', [192, 0, 2, 1], { address: '192.0.2.1' }],
    ['AAAA', Buffer.alloc(16), { address: '::' }],
    ['CNAME', join([1], 'a', pointer(12)), { target: 'a.example.test' }],
    ['DNAME', name('B.test'), { target: 'b.test' }],
    ['NS', pointer(12), { target: 'example.test' }],
    ['MX', join(u16(10), pointer(12)), { preference: 10, target: 'example.test' }],
    ['MX', join(u16(0), [0]), { preference: 0, target: '.' }],
    [
      'SRV',
      join(u16(1), u16(2), u16(65_535), name('s.test')),
      { priority: 1, weight: 2, port: 65_535, target: 's.test' },
    ],
    ['TXT', join([3], 'a b', [0], [1], 'c'), { text: 'a bc' }],
    ['TXT', [0], { text: '' }],
    ['TXT', join([4], '\0\x1b\xff\n'), { text: '\\000\\027\\255\\010' }],
    ['CAA', join([128, 5], 'issue', ';'), { flags: 128, tag: 'issue', value: ';' }],
    ['CAA', join([0, 9], 'IssueWild'), { flags: 0, tag: 'issuewild', value: '' }],
    ['CAA', join([0, 5], 'iodef', 'a\xff\x1b'), { flags: 0, tag: 'iodef', value: 'a\\255\\027' }],
    [
      'SOA',
      join(name('ns.test'), labels('a.b', 'test'), ...[1, 2, 3, 4, 5].map(u32)),
      { primary: 'ns.test', serial: 1, refresh: 2, minimum: 5 },
    ],
    [
      'SOA',
      join(pointer(12), pointer(12), ...[4294967295, 2, 3, 4, 2 ** 31].map(u32)),
      { primary: 'example.test', serial: 4294967295, refresh: 2, minimum: 0 },
    ],
    ['SSHFP', join([4, 2], Buffer.alloc(32)), {}],
    ['HTTPS', join(u16(0), name('a.test')), { priority: 0, target: 'a.test', addressHints: [] }],
  ])('%s %#', (type, data, expected) => {
    expect(read(type, data)).toEqual({ type, ...expected });
  });

  test('a type that is not read', () => {
    expect(read(46, 'whatever')).toEqual({ type: 'OTHER', code: 46 });
  });
});

describe('what is not', () => {
  test.each<[TypeName, Bytes]>([
    ['A', []],
    ['A', [1, 2, 3]],
    ['A', [1, 2, 3, 4, 5]],
    ['AAAA', Buffer.alloc(4)],
    ['CNAME', []],
    ['CNAME', join([1], 'a')],
    ['CNAME', join(name('a'), [0])],
    ['DNAME', []],
    ['NS', [0xc0]],
    ['MX', [0]],
    ['MX', u16(10)],
    ['MX', join(u16(10), name('a'), [0])],
    ['SRV', join(u16(1), u16(2), [0])],
    ['SRV', join(u16(1), u16(2), u16(3))],
    ['TXT', []],
    ['TXT', join([2], 'a')],
    ['TXT', join([1], 'a', [1])],
    ['CAA', []],
    ['CAA', [0]],
    ['CAA', [0, 0]],
    ['CAA', join([0, 6], 'issue')],
    ['CAA', join([0, 5], 'is ue')],
    ['SOA', join(name('a'), name('b'), Buffer.alloc(19))],
    ['SOA', join(name('a'), name('b'), Buffer.alloc(21))],
    ['SOA', join(name('a'), Buffer.alloc(20))],
    ['SOA', name('a')],
  ])('%s %#', (type, data) => {
    expect(() => read(type, data)).toThrow(MalformedMessage);
  });
});

test('a TTL with the top bit set is 0', () => {
  expect([2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1].map((ttl) => readTtl(u32(ttl), 0))).toEqual([2 ** 31 - 1, 0, 0]);
});
