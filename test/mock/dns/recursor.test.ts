import { describe, expect, test } from 'vitest';
import { readRecord } from '../../../src/mock/dns/zone-file.js';
import { dnsWithoutSockets } from './dns-client.js';

const recursive = { recursive: true };
const RIGHT = (ttl: number, name = 'shop') => [
  `${name}.example.test ${String(ttl)} CNAME cname.platform.test`,
  'cname.platform.test 60 A 192.0.2.80',
];

test('stops at circular referrals', () => {
  const zone = '$ORIGIN round.test.\n@ SOA ns1 a 1 1h 1h 1h 1h\n@ NS ns1\nsub NS ns1';
  const dns = dnsWithoutSockets({ zones: [zone] });
  expect(dns.query('a.sub.round.test', 'A').authority).toEqual(['sub.round.test 3600 NS ns1.round.test']);
  expect(dns.query('a.sub.round.test', 'A', recursive).head).toBe('SERVFAIL ra');
});

describe('caches', () => {
  test('records for their TTL', () => {
    const dns = dnsWithoutSockets();
    dns.query('shop.example.test', 'A', recursive);
    dns.now += 59_000;
    expect(dns.query('shop.example.test', 'A', recursive).answers).toEqual([
      'shop.example.test 3541 CNAME cname.platform.test',
      'cname.platform.test 1 A 192.0.2.80',
    ]);
    dns.now += 1_000;
    expect(dns.query('shop.example.test', 'A', recursive).answers).toEqual(RIGHT(3_540));
  });

  test('absence, so that an early query delays the result', () => {
    const dns = dnsWithoutSockets();
    expect(dns.query('early.example.test', 'A', recursive).head).toBe('NXDOMAIN ra');
    for (const name of ['early.example.test', 'patient.example.test']) {
      dns.nameServers.setRecords(name, 'CNAME', [readRecord(name, 'CNAME', 3_600, 'cname.platform.test')]);
    }
    dns.now += 55_000;
    expect(dns.query('early.example.test', 'CNAME').answers).toHaveLength(1);
    expect(dns.query('patient.example.test', 'A', recursive).answers).toEqual(RIGHT(3_600, 'patient'));
    // For every type, with the remaining TTL.
    for (const type of ['A', 'CNAME', 'AAAA']) {
      const { head, authority } = dns.query('early.example.test', type, recursive);
      expect([head, authority[0]?.slice(0, 20)]).toEqual(['NXDOMAIN ra', 'example.test 845 SOA']);
    }
    dns.now += 845_000;
    expect(dns.query('early.example.test', 'A', recursive).answers).toEqual(RIGHT(3_600, 'early'));
  });

  test('the absence of one type for this type only', () => {
    const dns = dnsWithoutSockets();
    expect(dns.query('mail.example.test', 'A', recursive).authority[0]).toMatch(/^example\.test 900 SOA/);
    const record = readRecord('mail.example.test', 'A', 60, '192.0.2.1');
    dns.nameServers.setRecords('mail.example.test', 'A', [record]);
    dns.now += 10_000;
    expect(dns.query('mail.example.test', 'A', recursive).authority[0]).toMatch(/^example\.test 890 SOA/);
    expect(dns.query('mail.example.test', 'MX', recursive).answers).toHaveLength(1);
  });

  test('the absence of a CNAME, and still queries the addresses after they expire', () => {
    const dns = dnsWithoutSockets();
    for (const type of ['A', 'CNAME']) dns.query('alias.test', type, recursive);
    dns.now += 70_000;
    expect(dns.query('alias.test', 'A', recursive).answers).toEqual(['alias.test 60 A 192.0.2.80']);
    expect(dns.query('alias.test', 'CNAME', recursive)).toMatchObject({ head: 'NOERROR ra', answers: [] });
  });

  test('an old address next to a new CNAME, as real resolvers do', () => {
    const dns = dnsWithoutSockets();
    dns.now += 600_000;
    expect(dns.query('moved.example.test', 'A', recursive).answers).toEqual([
      'moved.example.test 3000 A 198.51.100.9',
    ]);
    expect(dns.query('moved.example.test', 'CNAME', recursive).answers).toEqual(
      RIGHT(3_600, 'moved').slice(0, 1),
    );
    dns.now += 3_000_000;
    expect(dns.query('moved.example.test', 'A', recursive).answers).toEqual(RIGHT(600, 'moved'));
  });

  test('an initial absence of a name', () => {
    const dns = dnsWithoutSockets();
    expect(dns.query('fresh.example.test', 'A', recursive)).toMatchObject({
      head: 'NXDOMAIN ra',
      authority: [expect.stringMatching(/^example\.test 900 SOA/)],
    });
    dns.now += 900_000;
    expect(dns.query('fresh.example.test', 'A', recursive).answers).toEqual(RIGHT(3_600, 'fresh'));
  });

  test('separately at each address', () => {
    const dns = dnsWithoutSockets();
    const elsewhere = { ...recursive, server: '127.0.0.2' };
    expect(dns.query('moved.example.test', 'A', elsewhere).answers).toEqual(RIGHT(3_600, 'moved'));
    expect(dns.query('fresh.example.test', 'A', elsewhere).answers).toEqual(RIGHT(3_600, 'fresh'));
  });

  test('no failures', () => {
    const dns = dnsWithoutSockets();
    expect(dns.query('broken-alias.test', 'A', recursive).head).toBe('SERVFAIL ra');
    const record = readRecord('gone.platform.test', 'A', 60, '192.0.2.80');
    dns.nameServers.setRecords('gone.platform.test', 'A', [record]);
    // The ALIAS resolver has cached the absence of the target.
    dns.now += 300_000;
    expect(dns.query('broken-alias.test', 'A', recursive).answers).toEqual([
      'broken-alias.test 60 A 192.0.2.80',
    ]);
  });
});
