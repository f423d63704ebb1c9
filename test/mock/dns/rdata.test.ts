import { expect, test } from 'vitest';
import { readRdata, readSeconds } from '../../../src/mock/dns/rdata.js';
import type { ZoneRecordType } from '../../../src/mock/dns/record.js';

const read = (type: ZoneRecordType, text: string) =>
  readRdata(
    type,
    text.split(' ').map((word) => ({ text: word, quoted: false })),
    'example.test',
  );

test.each<[ZoneRecordType, string, string]>([
  ['A', '192.0.2.1', '\xc0\0\x02\x01'],
  ['AAAA', '2001:db8::1', `\x20\x01\x0d\xb8${'\0'.repeat(11)}\x01`],
  ['CNAME', 'hop', '\x03hop\x07example\x04test\0'],
  ['DNAME', 'new.test.', '\x03new\x04test\0'],
  ['NS', 'ns\\255', '\x03ns\xff\x07example\x04test\0'],
  ['MX', '10 .', '\0\x0a\0'],
  ['TXT', 'one two', '\x03one\x03two'],
  ['SRV', '1 2 8080 s.', '\0\x01\0\x02\x1f\x90\x01s\0'],
  ['DS', '258 13 2 AB cd', '\x01\x02\x0d\x02\xab\xcd'],
  ['CAA', '128 issue ca.test', '\x80\x05issueca.test'],
  ['CAA', '0 averylongtag16ab \\255', '\0\x10averylongtag16ab\xff'],
  [
    'SOA',
    'n. a. 4294967295 2h 15m 2w 900',
    '\x01n\0\x01a\0\xff\xff\xff\xff\0\0\x1c\x20\0\0\x03\x84\0\x12\x75\0\0\0\x03\x84',
  ],
])('reads %s %s into the data of a response', (type, text, data) => {
  expect(read(type, text).toString('latin1')).toBe(data);
});

function hex(type: ZoneRecordType, text: string): string {
  return read(type, text).toString('hex');
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
  expect(hex('TXT', 'a\\"\\027\\\\é')).toBe('06' + '61221b5c' + 'c3a9');
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
