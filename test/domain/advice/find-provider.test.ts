import { describe, expect, test } from 'vitest';
import { addProvider, cdnOf } from '../../../src/domain/advice/find-provider.js';
import type { Facts } from '../../../src/domain/gather/facts/facts.js';
import { a, buildFacts, buildServer, buildZone, NAME, nodata, value } from '../facts-builder.js';

function factsAt(...ownHosts: string[]): Facts {
  return addProvider(buildFacts({ zone: buildZone({ ownHosts }) }));
}

describe('the DNS provider', () => {
  test.each([
    [['amy.ns.cloudflare.com', 'Bob.NS.cloudflare.com'], 'Cloudflare', 'yes'],
    [['ns-1.awsdns-01.co.uk', 'ns-2.awsdns-02.com'], 'Amazon Route 53', 'limited'],
    [['ns1.digitalocean.com'], 'DigitalOcean', 'no'],
    [
      ['ns-cloud-a1.googledomains.com', 'ns-cloud-a2.googledomains.com'],
      'Squarespace (formerly Google Domains) or Google Cloud DNS',
      undefined,
    ],
    [['dns10.ovh.net', 'ns10.ovh.net'], 'OVHcloud', 'no'],
    [['hydrogen.ns.hetzner.com', 'helium.ns.hetzner.de'], 'Hetzner', 'no'],
    [['ns1.dns-parking.com', 'ns2.dns-parking.com'], 'Hostinger', 'yes'],
    [['ns51.domaincontrol.com', 'ns52.domaincontrol.com'], 'GoDaddy', 'no'],
  ])('of %j is %s', (hosts, name, alias) => {
    expect(factsAt(...hosts).provider?.dns).toMatchObject({ name });
    expect(factsAt(...hosts).provider?.dns?.alias).toBe(alias);
  });

  test.each([[['ns1.example.net']], [['amy.ns.cloudflare.com', 'ns1.digitalocean.com']], [[]]])(
    'of %j is not known',
    (hosts) => {
      expect(factsAt(...hosts)).not.toHaveProperty('provider');
    },
  );

  test('is found by the parent if the servers did not respond', () => {
    const zone = buildZone({ ownHosts: [], parentHosts: ['ns1.porkbun.com'] });
    expect(addProvider(buildFacts({ zone })).provider?.dns?.name).toBe('Porkbun');
  });
});

test('a parked domain has the name of the parking service, and no DNS provider', () => {
  expect(factsAt('ns1.sedoparking.com', 'ns2.sedoparking.com').provider).toMatchObject({
    parking: { name: 'Sedo', date: '2022-10-24' },
  });
  expect(factsAt('parking1.ovh.net', 'parking2.ovh.net').provider).toMatchObject({
    parking: { name: 'OVHcloud parking' },
  });
  expect(factsAt('parking1.ovh.net', 'parking2.ovh.net').provider).not.toHaveProperty('dns');
});

describe('the CDN', () => {
  test('is found by the addresses of the domain', () => {
    const server = buildServer(1, { cname: nodata(), a: value(a(NAME, '104.16.1.2')), aaaa: nodata() });
    const facts = addProvider(buildFacts({ servers: [server], relatedNames: chain() }));
    expect(facts.provider?.cdn?.name).toBe('Cloudflare');
  });

  test('is found by an alias', () => {
    const facts = addProvider(buildFacts({ relatedNames: chain('d111111abcdef8.cloudfront.net') }));
    expect(facts.provider?.cdn?.name).toBe('Amazon CloudFront');
  });

  test('behind the target is not reported', () => {
    const { relatedNames, target } = buildFacts();
    const behind = [...relatedNames.chain, { from: target, to: 'd111111abcdef8.cloudfront.net', ttl: 60 }];
    const facts = addProvider(buildFacts({ relatedNames: { ...relatedNames, chain: behind } }));
    expect(facts).not.toHaveProperty('provider');
  });

  test.each([
    [['151.101.1.1', '2a04:4e42::1'], 'Fastly'],
    [['104.16.1.2', '2606:4700::1'], 'Cloudflare'],
    [['104.16.1.2', '192.0.2.1'], undefined],
    [['192.0.2.1'], undefined],
  ])('of %j is %s', (addresses, name) => {
    expect(cdnOf(addresses)?.name).toBe(name);
  });
});

function chain(...targets: string[]): Facts['relatedNames'] {
  const { relatedNames } = buildFacts();
  return { ...relatedNames, chain: targets.map((to) => ({ from: NAME, to, ttl: 300 })) };
}
