import { describe, expect, test } from 'vitest';
import { dnsWithoutSockets, queryBytes } from './dns-client.js';

const SOA = 'example.test 900 SOA ns1.example.test hostmaster.example.test 2026112101 7200 900 1209600 900';

describe('authoritative response', () => {
  test('responds with a referral without addresses of hosts outside the zone', () => {
    expect(dnsWithoutSockets().query('shop.team.example.test', 'SOA')).toMatchObject({
      head: 'NOERROR',
      authority: ['team.example.test 3600 NS ns.other.dns.test'],
      additional: [],
    });
  });

  test('returns a queried SOA record with its TTL, and in negative responses with the minimum', () => {
    const dns = dnsWithoutSockets();
    expect(dns.query('example.test', 'SOA').answers).toEqual([SOA.replace(' 900 ', ' 3600 ')]);
    expect(dns.query('gone.platform.test', 'A').authority[0]).toMatch(/^platform\.test 300 SOA /);
    const zones = ['$ORIGIN short.test.\n@ 60 SOA ns1 a 1 1h 1h 1h 15m\n@ NS ns1'];
    const { authority } = dnsWithoutSockets({ zones }).query('gone.short.test', 'A');
    expect(authority[0]).toMatch(/^short\.test 60 SOA /);
  });
});

describe('addresses of an ALIAS', () => {
  test('have a TTL that counts down and restarts', () => {
    const dns = dnsWithoutSockets();
    const seen = [0, 0, 2_500, 57_400, 100].map((waitedMs) => {
      dns.now += waitedMs;
      return dns.query('alias.test', 'A').answers;
    });
    expect(seen).toEqual([60, 60, 58, 1, 60].map((ttl) => [`alias.test ${String(ttl)} A 192.0.2.80`]));
  });

  test('exist for A and AAAA; other types are unchanged', () => {
    const dns = dnsWithoutSockets();
    expect(dns.query('alias.test', 'AAAA').answers).toEqual(['alias.test 60 AAAA 2001:db8::80']);
    expect(dns.query('alias.test', 'MX').answers).toEqual(['alias.test 3600 MX 10 mx.dns.test']);
    expect(dns.query('alias.test', 'CNAME').head).toBe('NOERROR aa');
    expect(dns.query('alias.test', 'CNAME').answers).toEqual([]);
  });

  test('are SERVFAIL if the target fails', () => {
    const dns = dnsWithoutSockets();
    expect(dns.query('broken-alias.test', 'A')).toMatchObject({ head: 'SERVFAIL', answers: [] });
    expect(dns.query('broken-alias.test', 'SOA').head).toBe('NOERROR aa');
  });

  test('are missing if the target has none of this type', () => {
    const zone = `$ORIGIN four.test.\n@ SOA ns1 a 1 1h 1h 1h 1h\n@ NS ns1\n@ ALIAS only-four\nonly-four A 192.0.2.4`;
    const dns = dnsWithoutSockets({ zones: [zone] });
    expect(dns.query('four.test', 'A').answers).toEqual(['four.test 3600 A 192.0.2.4']);
    expect(dns.query('four.test', 'AAAA')).toMatchObject({ head: 'NOERROR aa', answers: [] });
  });

  test('stop at a loop', () => {
    const zone = `$ORIGIN self.test.\n@ SOA ns1 a 1 1h 1h 1h 1h\n@ NS ns1\n@ ALIAS self.test.`;
    expect(dnsWithoutSockets({ zones: [zone] }).query('self.test', 'A').head).toBe('SERVFAIL');
  });
});

test('names can contain any byte', () => {
  const zone = String.raw`$ORIGIN bytes.test.
@ SOA ns1 a 1 1h 1h 1h 1h
@ NS ns1
a\255\.b CNAME \255\000.bytes.test.
\255\000 A 192.0.2.5`;
  const question = Buffer.from('\x04A\xff.B\x05bytes\x04test\0', 'latin1');
  const bytes = Buffer.from(queryBytes('a', 'A', { edns: false }));
  const query = Buffer.concat([bytes.subarray(0, 12), question, Buffer.of(0, 1, 0, 1)]);
  const response = Buffer.from(dnsWithoutSockets({ zones: [zone] }).send(query) ?? []).toString('latin1');
  expect(response.slice(6, 8)).toBe('\0\x02');
  // The question is repeated with its upper case.
  expect(response).toContain(
    '\x04A\xff.B\x05bytes\x04test\0\0\x01\0\x01\x04a\xff.b\x05bytes\x04test\0\0\x05',
  );
  expect(response).toContain('\x02\xff\0\x05bytes\x04test\0\0\x01\0\x01\0\0\x0e\x10\0\x04\xc0\0\x02\x05');
});
