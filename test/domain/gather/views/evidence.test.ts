import { describe, expect, test } from 'vitest';
import {
  lookupText,
  digCommand,
  distinct,
  evidenceOf,
  recordText,
  serverText,
  typeOf,
  valueText,
} from '../../../../src/domain/gather/views/evidence.js';
import type { RecordData } from '../../../../src/domain/dns/dns.js';
import {
  a,
  lookupOf,
  caaRecord,
  cname,
  https,
  mx,
  NAME,
  nodata,
  nxdomain,
  ns,
  refused,
  silent,
  TARGET,
  throughAlias,
  txt,
  value,
} from '../../facts-builder.js';

const server = { address: '192.0.2.1', port: 53, transport: 'dns', host: 'ns1.example.net' } as const;

describe('digCommand', () => {
  test.each([
    [server, false, 'dig +norecurse @192.0.2.1 shop.example.com A'],
    [server, true, 'dig @192.0.2.1 shop.example.com A'],
    [{ ...server, port: 5353 }, false, 'dig +norecurse -p 5353 @192.0.2.1 shop.example.com A'],
    [{ ...server, address: '2001:db8::1' }, false, 'dig +norecurse @2001:db8::1 shop.example.com A'],
    [undefined, false, 'dig shop.example.com A'],
    [
      { address: 'https://dns.example:8443/dns-query', port: 8443, transport: 'https' } as const,
      true,
      "dig '+https=/dns-query' -p 8443 @dns.example shop.example.com A",
    ],
  ])('%j', (server, recursive, expected) => {
    expect(digCommand(server, NAME, 'A', recursive)).toBe(expected);
  });

  test.each([
    ['-f/etc/passwd', "dig +norecurse @192.0.2.1 -q '-f/etc/passwd' -t A"],
    ['-x.example', 'dig +norecurse @192.0.2.1 -q -x.example -t A'],
    ['+trace', 'dig +norecurse @192.0.2.1 -q +trace -t A'],
    ['@203.0.113.1', 'dig +norecurse @192.0.2.1 -q @203.0.113.1 -t A'],
    ['0/25.example', "dig +norecurse @192.0.2.1 '0/25.example' A"],
    ['=ls', "dig +norecurse @192.0.2.1 '=ls' A"],
  ])('the name %s is neither an option of dig nor shell syntax', (name, expected) => {
    expect(digCommand(server, name, 'A')).toBe(expected);
  });

  test('queries a server without EDNS support without it', () => {
    const lookup = lookupOf('A', value(a(NAME, '192.0.2.80')));
    if (lookup.exchange.kind === 'failure') throw new Error('no response');
    const response = { ...lookup.exchange.response, withoutEdns: true };
    expect(evidenceOf({ ...lookup, exchange: { ...lookup.exchange, response } }).command).toBe(
      'dig +noedns +norecurse @192.0.2.1 shop.example.com A',
    );
  });

  test('a hostile name is quoted for the shell', () => {
    expect(digCommand(server, "$(rm -rf ~)';x.example", 'A')).toBe(
      "dig +norecurse @192.0.2.1 '$(rm -rf ~)'\\'';x.example' A",
    );
  });
});

describe('lookupText', () => {
  test.each([
    [lookupOf('A', value(a(NAME, '192.0.2.99', 300))), 'A 192.0.2.99, TTL 300'],
    [
      lookupOf('A', throughAlias(cname(NAME, TARGET, 60), a(TARGET, '192.0.2.9'))),
      `CNAME ${TARGET} and A 192.0.2.9, TTL 60`,
    ],
    [lookupOf('A', throughAlias(cname(NAME, TARGET))), `no record for A at the end of CNAME ${TARGET}`],
    [lookupOf('CNAME', nxdomain()), 'NXDOMAIN for CNAME'],
    [lookupOf('CNAME', nodata()), 'no record for CNAME'],
    [lookupOf('A', refused('REFUSED')), 'query for A failed: REFUSED'],
  ])('%#', (lookup, expected) => {
    expect(lookupText(lookup)).toBe(expected);
  });

  test('shows the reason of a failed query', () => {
    expect(lookupText(lookupOf('A', silent()))).toBe('query for A failed: no response within 2 s');
  });
});

test('evidence has a text and a command', () => {
  expect(evidenceOf(lookupOf('CNAME', nxdomain()))).toEqual({
    text: 'ns1.example.net (192.0.2.1): NXDOMAIN for CNAME',
    command: 'dig +norecurse @192.0.2.1 shop.example.com CNAME',
  });
  const resolver = { address: '192.0.2.53', port: 53, transport: 'dns' } as const;
  expect(evidenceOf(lookupOf('A', nodata(), NAME, resolver)).command).toBe(
    'dig @192.0.2.53 shop.example.com A',
  );
  expect(serverText({ address: '192.0.2.53', port: 53, transport: 'dns' })).toBe('192.0.2.53');
});

describe('recordText', () => {
  test.each<[RecordData, string]>([
    [a(NAME, '192.0.2.1').data, 'A 192.0.2.1'],
    [cname(NAME, TARGET).data, `CNAME ${TARGET}`],
    [ns(NAME, 'ns1.example.net').data, 'NS ns1.example.net'],
    [mx(NAME, 'mail.example.com').data, 'MX 10 mail.example.com'],
    [txt(NAME, 'say "hi"').data, String.raw`TXT "say \"hi\""`],
    [txt(NAME, 'x'.repeat(1000)).data, `TXT "${'x'.repeat(199)}…"`],
    [caaRecord(NAME, 'issue', ';', 128).data, 'CAA 128 issue ";"'],
    [
      https(NAME, 1, '', ['192.0.2.1', '2001:db8::1']).data,
      'HTTPS 1 . ipv4hint=192.0.2.1 ipv6hint=2001:db8::1',
    ],
    [{ type: 'SRV', priority: 1, weight: 2, port: 443, target: 'x.example' }, 'SRV 1 2 443 x.example'],
    [{ type: 'SOA', primary: 'ns1.example.net', serial: 7, refresh: 1, minimum: 1 }, 'SOA ns1.example.net 7'],
    [{ type: 'OTHER', code: 65401 }, 'TYPE65401'],
  ])('%j', (data, expected) => expect(recordText(data)).toBe(expected));

  test('types', () => {
    expect([typeOf({ type: 'OTHER', code: 99 }), typeOf(mx(NAME, 'x').data)]).toEqual(['TYPE99', 'MX']);
  });
});

test('removes equal records', () => {
  const records = [a(NAME, '192.0.2.1', 5), a(NAME, '192.0.2.2'), a(NAME, '192.0.2.1', 9)];
  expect(distinct(records).map(({ data }) => recordText(data))).toEqual(['A 192.0.2.1', 'A 192.0.2.2']);
});

test('does not truncate values, so that long ones with different ends differ', () => {
  const [one, other] = [txt(NAME, `${'x'.repeat(1000)}1`), txt(NAME, `${'x'.repeat(1000)}2`)];
  expect(valueText(one.data)).toBe(`"${'x'.repeat(1000)}1"`);
  expect(distinct([one, other, one])).toEqual([one, other]);
});
