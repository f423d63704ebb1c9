import { expect, test } from 'vitest';
import { readRdata, readSeconds } from '../../../src/mock/dns/rdata.js';
import type { ZoneRecordType } from '../../../src/mock/dns/record.js';

const read = (type: ZoneRecordType, text: string) =>
  readRdata(
    type,
    text.split(' ').map((word) => ({ text: word, quoted: false })),
    'example.test',
  );

test.each<[ZoneRecordType, string, unknown]>([
  ['A', '192.0.2.1', '192.0.2.1'],
  ['AAAA', '2001:db8::1', '2001:db8::1'],
  ['CNAME', 'hop', 'hop.example.test'],
  ['DNAME', 'new.test.', 'new.test'],
  ['NS', 'ns1', 'ns1.example.test'],
  ['MX', '10 mx', { preference: 10, exchange: 'mx.example.test' }],
  ['TXT', 'one two', [Buffer.from('one'), Buffer.from('two')]],
  ['SRV', '1 2 8080 shop', { priority: 1, weight: 2, port: 8_080, target: 'shop.example.test' }],
  ['CAA', '128 issue ca.test', Buffer.from('\x80\x05issueca.test', 'latin1')],
  ['CAA', '0 averylongtag16ab \\255', Buffer.from('\0\x10averylongtag16ab\xff', 'latin1')],
  [
    'SOA',
    'ns1 admin 2026112101 2h 15m 2w 900',
    {
      ...{ mname: 'ns1.example.test', rname: 'admin.example.test', serial: 2_026_112_101 },
      ...{ refresh: 7_200, retry: 900, expire: 1_209_600, minimum: 900 },
    },
  ],
])('reads %s %s into the data that dns-packet encodes', (type, text, data) => {
  expect(read(type, text)).toEqual(data);
});

function hex(type: ZoneRecordType, text: string): string {
  const data = read(type, text);
  return Buffer.concat([data].flat() as Buffer[]).toString('hex');
}

test('encodes HTTPS as in RFC 9460, appendix D', () => {
  expect(hex('HTTPS', '0 foo.test.')).toBe(`000003666f6f047465737400`);
  expect(hex('HTTPS', '1 .')).toBe('000100');
  // Keys are sorted, whatever their order in the file.
  expect(hex('HTTPS', '16 foo.test. ipv4hint=192.0.2.1,192.0.2.2 alpn=h2,h3 port=53')).toBe(
    '001003666f6f047465737400' + '00010006026832026833' + '000300020035' + '00040008c0000201c0000202',
  );
  expect(hex('HTTPS', '1 . ipv6hint=2001:db8::1')).toBe(
    '000100' + '00060010' + '20010db8000000000000000000000001',
  );
});

test('decodes escapes in strings', () => {
  expect(hex('TXT', 'a\\"\\027\\\\é')).toBe('61221b5c' + 'c3a9');
});

test.each<[ZoneRecordType, string, string]>([
  ['A', '192.0.2', 'not an IPv4 address: 192.0.2'],
  ['A', '192.0.2.1 192.0.2.2', 'A has too many values: 192.0.2.2'],
  ['MX', 'mx', 'MX: not a preference from 0 to 65535: mx'],
  ['MX', '70000 mx', 'MX: not a preference from 0 to 65535: 70000'],
  ['MX', '10', 'MX lacks a name'],
  ['SOA', 'ns1 admin 1 2 3 4', 'SOA lacks a minimum'],
  ['SOA', 'ns1 admin 4294967296 2 3 4 5', 'not a serial'],
  ['CAA', '0 is-sue x', 'CAA: not a tag: is-sue'],
  ['CAA', '256 issue x', 'CAA: not flags from 0 to 255: 256'],
  ['DS', '1 13 2', 'DS lacks a digest'],
  ['DS', '1 13 2 abc', 'DS: not hexadecimal: abc'],
  ['DS', '70000 13 2 ab', 'DS: not a key tag from 0 to 65535'],
  ['TXT', 'a'.repeat(256), 'longer than 255 bytes'],
  ['TXT', '\\300', 'not a byte: \\300'],
  ['HTTPS', '1 . what=1', 'HTTPS: not one of alpn=, port=, ipv4hint=, ipv6hint=: what=1'],
  ['HTTPS', '1 . toString=1', 'HTTPS: not one of'],
  ['HTTPS', '1 . port=x', 'HTTPS: not a port from 0 to 65535: x'],
])('rejects %s %s', (type, text, message) => {
  expect(() => read(type, text)).toThrow(TypeError);
  expect(() => read(type, text)).toThrow(message);
});

test.each([
  ['0', 0],
  ['3600', 3_600],
  ['1h30m', 5_400],
  ['2W', 1_209_600],
  ['1d12h', 129_600],
])('reads the time %s', (text, seconds) => {
  expect(readSeconds(text)).toBe(seconds);
});

test.each(['', 'h', '1x', '-1', '1h30', '2147483648', '99999w'])('rejects the time %s', (text) => {
  expect(() => readSeconds(text)).toThrow(TypeError);
});
