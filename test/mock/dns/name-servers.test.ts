import { describe, expect, test } from 'vitest';
import { BUILT_IN_ZONES } from '../../../src/mock/dns/built-in-zones.js';
import { createNameServers } from '../../../src/mock/dns/name-servers.js';
import { readRecord, readZoneFile } from '../../../src/mock/dns/zone-file.js';
import { dnsWithoutSockets } from './dns-client.js';

const OWN = `$ORIGIN pets.example.
@ SOA ns1.provider.example. admin 5 2h 15m 2w 15m
@ NS ns1.provider.example.
@ NS ns2
ns2 A 203.0.113.7
ns2 AAAA 2001:db8::7
shop CNAME cname.platform.test.
`;

const serversOf = (...texts: string[]) =>
  createNameServers([BUILT_IN_ZONES, ...texts].map((text) => readZoneFile(text).zones));

describe('adds', () => {
  test('a loopback address instead of a public or missing one', () => {
    const servers = serversOf(OWN);
    expect(servers.addressesOf('ns1.provider.example')).toEqual(['127.0.0.1']);
    expect(servers.addressesOf('ns2.pets.example')).toEqual(['127.0.0.2']);
    const dns = dnsWithoutSockets({ zones: [OWN] });
    expect(dns.query('ns2.pets.example', 'A').answers).toEqual(['ns2.pets.example 3600 A 127.0.0.2']);
    expect(dns.query('ns2.pets.example', 'AAAA').answers).toEqual([]);
    expect(dns.query('ns1.provider.example', 'A', { recursive: true }).answers).toEqual([
      'ns1.provider.example 3600 A 127.0.0.1',
    ]);
  });

  test('top-level domains and delegations', () => {
    const dns = dnsWithoutSockets({ zones: [OWN] });
    expect(serversOf(OWN).zoneNames).toContain('example');
    expect(dns.query('shop.pets.example', 'A', { server: '127.0.0.10' })).toMatchObject({
      head: 'NOERROR',
      authority: ['pets.example 3600 NS ns1.provider.example', 'pets.example 3600 NS ns2.pets.example'],
      additional: ['ns1.provider.example 172800 A 127.0.0.1', 'ns2.pets.example 172800 A 127.0.0.2'],
    });
    expect(dns.query('other.example', 'A', { server: '127.0.0.10' }).head).toBe('NXDOMAIN aa');
    expect(dns.query('shop.pets.example', 'A', { recursive: true }).answers).toEqual([
      'shop.pets.example 3600 CNAME cname.platform.test',
      'cname.platform.test 60 A 192.0.2.80',
    ]);
  });

  test('nothing that exists: a broken delegation stays broken', () => {
    expect(serversOf().addressesOf('ns1.nowhere.test')).toEqual([]);
  });
});

test('a zone in a later file replaces all copies from an earlier one', () => {
  const servers = serversOf(
    '$ORIGIN behind.test.\n@ SOA ns1.dns.test. a 99 1 1 1 1\n@ NS ns1.dns.test.\n@ NS ns2.dns.test.',
  );
  const serial = (address: string) => servers.zonesAt(address).get('behind.test')?.records().length;
  expect([serial('127.0.0.1'), serial('127.0.0.2')]).toEqual([3, 3]);
});

test('each server has its own zones and copies', () => {
  const servers = serversOf();
  expect([...servers.zonesAt('127.0.0.10').keys()].sort()).toEqual(['', 'test']);
  expect(servers.zonesAt('127.0.0.3').has('example.test')).toBe(false);
  expect(servers.zonesAt('127.0.0.14').size).toBe(0);
  expect(servers.serversOf('unknown.test')).toEqual(['127.0.0.10']);
  expect(servers.hostsAt('127.0.0.12')).toEqual(['ns.silent.dns.test']);
  const behind = (address: string) => servers.zonesAt(address).get('behind.test')?.has('shop.behind.test');
  expect([behind('127.0.0.1'), behind('127.0.0.2')]).toEqual([true, false]);
});

describe('sets records', () => {
  const record = readRecord('added.example.test', 'A', 60, '192.0.2.1');
  const serial = (servers: ReturnType<typeof serversOf>, address: string, zone = 'example.test') =>
    servers.zonesAt(address).get(zone)?.soa.data.subarray(-20).readUInt32BE();

  test('at all servers', () => {
    const servers = serversOf();
    servers.setRecords('added.example.test', 'A', [record]);
    for (const address of ['127.0.0.1', '127.0.0.2']) {
      expect(servers.zonesAt(address).get('example.test')?.at('added.example.test')).toEqual([record]);
      expect(serial(servers, address)).toBe(2_026_112_102);
    }
    servers.setRecords('added.example.test', 'A', []);
    expect(servers.zonesAt('127.0.0.1').get('example.test')?.has('added.example.test')).toBe(false);
  });

  test('and starts the serial again after its maximum', () => {
    const servers = serversOf('$ORIGIN last.test.\n@ SOA ns1 a 4294967295 1 1 1 1\n@ NS ns1');
    servers.setRecords('www.last.test', 'A', [readRecord('www.last.test', 'A', 60, '192.0.2.1')]);
    expect(serial(servers, '127.0.0.1', 'last.test')).toBe(0);
  });

  test('at one server', () => {
    const servers = serversOf();
    servers.setRecords('added.example.test', 'A', [record], 'ns2.example.test');
    expect(['127.0.0.1', '127.0.0.2'].map((address) => serial(servers, address))).toEqual([
      2_026_112_101, 2_026_112_102,
    ]);
    expect(servers.zonesAt('127.0.0.1').get('example.test')?.has('added.example.test')).toBe(false);
  });

  test('rejects a server that does not have the zone', () => {
    expect(() => serversOf().setRecords('added.example.test', 'A', [record], 'ns9.test')).toThrow(
      'ns9.test is not a name server of example.test (known: ns1.example.test, ns2.example.test)',
    );
  });
});

test('moves all servers to 127.0.0.1 if no other address exists', () => {
  const servers = serversOf();
  servers.bind(new Set(['127.0.0.1']));
  expect(servers.addresses).toEqual(['127.0.0.1']);
  expect(servers.serversOf('unknown.test')).toEqual(['127.0.0.1']);
  expect(servers.addressesOf('ns2.example.test')).toEqual(['127.0.0.1']);
  expect(servers.zonesAt('127.0.0.1').get('behind.test')?.has('shop.behind.test')).toBe(true);
  // A fault of a moved server must not affect the others at this address.
  expect(servers.hostsAt('127.0.0.1')).toContain('ns1.dns.test');
  expect(servers.hostsAt('127.0.0.1')).not.toContain('ns.silent.dns.test');
});
