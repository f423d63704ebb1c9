import { expect, test } from 'vitest';
import { aliasAdvice, providerHint } from '../../../src/domain/rules/provider-hints.js';

test.each([
  [['amy.ns.cloudflare.com', 'Bob.NS.cloudflare.com'], 'Cloudflare', 'yes'],
  [['ns-1.awsdns-01.co.uk', 'ns-2.awsdns-02.com'], 'Amazon Route 53', 'limited'],
  [['ns1.digitalocean.com'], 'DigitalOcean', 'no'],
  [['dns10.ovh.net', 'ns10.ovh.net'], 'OVH', 'no'],
  [['hydrogen.ns.hetzner.com', 'helium.ns.hetzner.de'], 'Hetzner', 'no'],
])('%j', (hosts, name, alias) => expect(providerHint(hosts)).toMatchObject({ name, alias }));

test.each([[['ns1.example.net']], [['amy.ns.cloudflare.com', 'ns1.digitalocean.com']], [[]]])(
  '%j is not a known provider',
  (hosts: string[]) => {
    expect(providerHint(hosts)).toBeUndefined();
    expect(aliasAdvice(hosts)).toBe('');
  },
);

test('the advice says that it is only probable', () => {
  expect(aliasAdvice(['ns1.porkbun.com'])).toBe(
    ' Your DNS is at Porkbun, which probably supports this type (ALIAS).',
  );
  expect(aliasAdvice(['ns1.vultr.com'])).toContain('does not support it');
  expect(aliasAdvice(['ns-1.awsdns-01.org'])).toContain('only for its own services');
});
