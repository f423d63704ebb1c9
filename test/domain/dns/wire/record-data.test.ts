import { describe, expect, test } from 'vitest';
import { MalformedMessage } from '../../../../src/domain/dns/names.js';
import {
  readAddress,
  readRecordData,
  readServiceBinding,
  readTtl,
  TYPE_CODES,
} from '../../../../src/domain/dns/record-data.js';
import { type Bytes, join, labels, name, option, pointer, TYPES, type TypeName, u16, u32 } from '../wire.js';

/** A header, `example.test`, the data, then bytes of no record. */
function read(type: TypeName | number, data: Bytes) {
  const before = join(Buffer.alloc(12), name('example.test'));
  const message = join(before, data, [1, 97, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  const code = typeof type === 'number' ? type : TYPES[type];
  return readRecordData(message, code, before.length, before.length + join(data).length);
}

test('uses the type numbers of IANA', () => {
  const { OPT: _, ...types } = TYPES;
  expect(TYPE_CODES).toEqual({ ...types, TYPE65401: 65_401 });
});

describe('reads', () => {
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
    [
      'DS',
      join(u16(60_485), [5, 1], Buffer.from('2bb183af', 'hex')),
      { keyTag: 60_485, algorithm: 5, digestType: 1, digest: '2bb183af' },
    ],
    // The sum of the octet pairs, plus the carry (RFC 4034, appendix B).
    [
      'DNSKEY',
      join(u16(257), [3, 13], Buffer.from('ffff01', 'hex')),
      { flags: 257, algorithm: 13, keyTag: 1294, rdata: '0101030dffff01' },
    ],
    [
      'RRSIG',
      join(u16(5), [13, 3], u32(3600), u32(2_000), u32(1_000), u16(42), name('example.test'), 'sig'),
      { covered: 5, keyTag: 42, inception: 1_000, expiration: 2_000, signer: 'example.test' },
    ],
    ['SSHFP', join([4, 2], Buffer.alloc(32)), {}],
    ['HTTPS', join(u16(0), name('a.test')), { priority: 0, target: 'a.test', addressHints: [] }],
  ])('%s %#', (type, data, expected) => {
    expect(read(type, data)).toEqual({ type, ...expected });
  });

  test('returns the number of an unknown type', () => {
    expect(read(99, 'whatever')).toEqual({ type: 'OTHER', code: 99 });
  });
});

describe('rejects', () => {
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
    ['DS', Buffer.alloc(4)],
    ['DNSKEY', Buffer.alloc(4)],
    ['RRSIG', Buffer.alloc(18)],
    ['RRSIG', join(Buffer.alloc(18), [3], 'a')],
  ])('%s %#', (type, data) => {
    expect(() => read(type, data)).toThrow(MalformedMessage);
  });
});

test('reads a TTL with the top bit set as 0', () => {
  expect([2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1].map((ttl) => readTtl(u32(ttl), 0))).toEqual([2 ** 31 - 1, 0, 0]);
});

function readService(data: Bytes) {
  const before = join(Buffer.alloc(12), name('example.test'));
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
    expect(readService(join(u16(0), name('Alias.test')))).toEqual({
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
    expect(readService(given)).toEqual({
      type: 'HTTPS',
      priority: 1,
      target: '.',
      addressHints: ['192.0.2.1', '192.0.2.2', '2001:db8::1'],
    });
  });

  test.each<[string, Bytes]>([
    ['nothing', []],
    ['no target', u16(1)],
    ['a compressed target name', join(u16(1), pointer(12))],
    ['a target that extends past it', join(u16(1), [9], 'abc')],
    ['a truncated parameter', service([0, 1, 0])],
    ['a parameter that extends past it', service(parameter(1, 'h2', 3))],
    ['the same key twice', service(parameter(1, 'a'), parameter(1, 'b'))],
    ['keys out of order', service(parameter(6, Buffer.alloc(16)), parameter(4, Buffer.alloc(4)))],
    ['an empty hint', service(parameter(4, []))],
    ['one and a half IPv4 hints', service(parameter(4, Buffer.alloc(6)))],
    ['one and a half IPv6 hints', service(parameter(6, Buffer.alloc(24)))],
  ])('is malformed with %s', (_, data) => {
    expect(() => readService(data)).toThrow(MalformedMessage);
  });
});

test('reads an IPv4 address at an offset', () => {
  expect(readAddress(Buffer.from([9, 192, 0, 2, 255, 9]), 1, 4)).toBe('192.0.2.255');
});

// RFC 5952, section 4.
test.each([
  ['00000000000000000000000000000000', '::'],
  ['00000000000000000000000000000001', '::1'],
  ['00010000000000000000000000000000', '1::'],
  ['20010db8000000000001000000000001', '2001:db8::1:0:0:1'],
  ['20010db8000000000000000000010001', '2001:db8::1:1'],
  ['20010db8000000010001000100010001', '2001:db8:0:1:1:1:1:1'],
  ['00010000000000020000000000000003', '1:0:0:2::3'],
  ['00000000000100000000000000000000', '0:0:1::'],
  ['fe80000000000000abcdef0123456789', 'fe80::abcd:ef01:2345:6789'],
])('reads IPv6 %s in canonical form', (hex, text) => {
  expect(readAddress(Buffer.from(`ff${hex}ff`, 'hex'), 1, 16)).toBe(text);
  // URL uses the canonical form too.
  expect(new URL(`http://[${text}]/`).hostname).toBe(`[${text}]`);
});
