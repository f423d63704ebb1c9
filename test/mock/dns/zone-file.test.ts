import { describe, expect, test } from 'vitest';
import { readRecord, readZoneFile } from '../../../src/mock/dns/zone-file.js';

const HEAD = '$ORIGIN example.test.\n@ SOA ns1 admin 1 2h 15m 2w 15m\n@ NS ns1\n';

/** Each record as `owner TTL TYPE`. */
const listed = (text: string) =>
  readZoneFile(text).zones.flatMap(({ records }) =>
    records.map(({ name, ttl, type }) => `${name} ${String(ttl)} ${type}`),
  );

describe('parses', () => {
  test('owners, classes and times in every order that BIND accepts', () => {
    expect(
      listed(`; a comment
$ORIGIN example.test.
$TTL 1h
@   IN SOA ns1 admin ( 2026112101 ; serial (with a parenthesis)
      2h 15m
      2w 15m )
    IN NS ns1
\t  NS ns2.other.test.
shop 60 IN A 192.0.2.1
shop IN 1m A 192.0.2.2
     A 192.0.2.3 ; and a comment
www.example.test. cname shop\r
$TTL 30
$ORIGIN deep
a A 192.0.2.4
`),
    ).toEqual([
      'example.test 3600 SOA',
      'example.test 3600 NS',
      'example.test 3600 NS',
      'shop.example.test 60 A',
      'shop.example.test 60 A',
      'shop.example.test 3600 A',
      'www.example.test 3600 CNAME',
      'a.deep.example.test 30 A',
    ]);
  });

  test('strings with blanks, semicolons, parentheses and escaped quotes', () => {
    const { zones } = readZoneFile(`${HEAD}t TXT "a; (b) \\"c\\"" plain "" \n`);
    const [, , txt] = zones[0]?.records ?? [];
    expect(String(txt?.data)).toBe('\u000aa; (b) "c"\u0005plain\0');
  });

  test('owner names that look like types and times', () => {
    expect(listed(`${HEAD}a A 192.0.2.1\n60 A 192.0.2.1\nTXT TXT x`).slice(2)).toEqual([
      'a.example.test 3600 A',
      '60.example.test 3600 A',
      'txt.example.test 3600 TXT',
    ]);
  });

  test('several zones, and the copy of one server', () => {
    const { zones } = readZoneFile(`${HEAD}$SERVER ns2.example.test.\n@ SOA ns1 admin 2 1 1 1 1\n@ NS ns1
$ORIGIN other.test.\n@ SOA ns1 admin 1 1 1 1 1\n@ NS ns1`);
    expect(zones.map(({ name, server }) => [name, server])).toEqual([
      ['example.test', undefined],
      ['example.test', 'ns2.example.test'],
      ['other.test', undefined],
    ]);
  });

  test('the root zone', () => {
    expect(
      readZoneFile('. SOA a.test. b.test. 1 1 1 1 1\n. NS a.test.\ntest. NS a.test.').zones[0]?.name,
    ).toBe('');
  });

  test('only cached records', () => {
    const { zones, cached } = readZoneFile(
      `${HEAD}$REMEMBERED\nold 60 A 192.0.2.9\nlate 900 NXDOMAIN\n$ORIGIN b.test.\n@ SOA a b 1 1 1 1 1\n@ NS a`,
    );
    expect(cached.map(({ name, type, ttl }) => [name, type, ttl])).toEqual([
      ['old.example.test', 'A', 60],
      ['late.example.test', 'NXDOMAIN', 900],
    ]);
    expect(zones.map(({ records }) => records.length)).toEqual([2, 2]);
  });

  test('data that real servers reject', () => {
    expect(listed(`${HEAD}a CNAME b\na CNAME c\na A 192.0.2.1\n@ CNAME d`)).toHaveLength(6);
  });
});

test.each([
  [
    `${HEAD}a FOO 1`,
    'line 4: unknown record type: FOO (known: A, AAAA, ALIAS, CAA, CNAME, DNAME, DS, HTTPS, MX, NS, SOA, SRV, TXT)',
  ],
  [`${HEAD}a toString 1`, 'line 4: unknown record type: toString'],
  [`${HEAD}\n\na A 1.2.3`, 'line 6: not an IPv4 address: 1.2.3'],
  [`${HEAD}a`, 'line 4: the type is missing'],
  [`${HEAD}a 60 IN`, 'line 4: the type is missing'],
  [`${HEAD}a CH A 192.0.2.1`, 'line 4: unsupported class: CH (supported: IN)'],
  [`${HEAD}a 1x A 192.0.2.1`, 'line 4: not a time: 1x'],
  [`${HEAD}a NXDOMAIN`, 'line 4: unknown record type: NXDOMAIN'],
  [
    `${HEAD}münchen A 192.0.2.1`,
    'line 4: a name must be ASCII; write other letters as xn--, and bytes as \\DDD: münchen',
  ],
  [`${HEAD}a.other.test. A 192.0.2.1`, 'line 4: a.other.test. is not in the zone example.test.'],
  [
    `${HEAD}$INCLUDE file`,
    'line 4: unknown directive: $INCLUDE (known: $ORIGIN, $TTL, $SERVER, $REMEMBERED)',
  ],
  [`${HEAD}$TTL`, 'line 4: $TTL takes one value'],
  [`${HEAD}$ORIGIN a b`, 'line 4: $ORIGIN takes one value'],
  [`${HEAD}a TXT "open`, 'line 4: a quotation mark is not closed'],
  [`${HEAD}a TXT ( x\ny\n`, 'line 4: a parenthesis is not closed'],
  [`${HEAD}a TXT x )`, 'line 4: a closing parenthesis has no opening one'],
  [`${HEAD}@ SOA ns1 admin 1 1 1 1 1`, 'line 4: the zone example.test. has a second SOA record'],
  ['a.test. A 192.0.2.1', 'line 1: a zone starts with its SOA record'],
  ['  A 192.0.2.1', 'line 1: the name is missing'],
  ['a.test. SOA a. b. 1 1 1 1 1', 'line 1: the zone a.test. has no NS record at its apex'],
])('rejects %j', (text, message) => {
  expect(() => readZoneFile(text)).toThrow(TypeError);
  expect(() => readZoneFile(text)).toThrow(message);
});

test('reads one record; names without a final dot are absolute', () => {
  expect(readRecord('a.test', 'CNAME', 60, 'cname.platform.test')).toEqual(
    readRecord('a.test', 'CNAME', 60, 'cname.platform.test.'),
  );
  expect(() => readRecord('a.test', 'A', 60, '')).toThrow(new TypeError('A lacks an address'));
});
