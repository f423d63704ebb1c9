import { expect, test } from 'vitest';
import { panelSteps } from '../../../src/domain/advice/provider-report.js';
import { DNS_PROVIDERS } from '../../../src/domain/advice/provider-data.js';
import type { DnsProvider } from '../../../src/domain/gather/facts/providers.js';
import { WANTED } from '../facts-builder.js';

const APEX = { ...WANTED, type: 'ALIAS', name: 'example.com', label: '@' };

function provider(name: string): DnsProvider {
  return DNS_PROVIDERS.find((one) => one.name === name)!;
}

const textsOf = (...panel: Parameters<typeof panelSteps>) => panelSteps(...panel).map(({ text }) => text);

test('names the fields of the panel', () => {
  expect(textsOf(provider('Namecheap'), WANTED)).toEqual([
    'Open Domain List > Manage > Advanced DNS > Add New Record.',
    'Type: CNAME Record',
    'Host: shop',
    'Value: cname.platform.test',
    'TTL: 3600 seconds, or the nearest choice',
    'Save the record.',
  ]);
});

test('adds the final dot where the provider appends the zone', () => {
  expect(textsOf(provider('OVHcloud'), WANTED)).toContain('Target: cname.platform.test.');
  expect(textsOf(provider('OVHcloud'), WANTED)).toContain(
    'Keep the dot at the end of Target, or the zone is appended.',
  );
  expect(textsOf(provider('Cloudflare'), WANTED)).toContain('Target: cname.platform.test');
});

test('writes the apex as the panel does', () => {
  expect(textsOf(provider('Namecheap'), APEX)).toContain('Host: @');
  expect(textsOf(provider('Name.com'), APEX)).toContain('Host: leave it empty');
  expect(textsOf(provider('DNSimple'), APEX)).toContain('Name: the domain itself (@ or empty)');
});

test('names the type for an apex', () => {
  expect(textsOf(provider('Cloudflare'), APEX)).toContain('Type: CNAME');
  expect(textsOf(provider('Name.com'), APEX)).toContain('Type: ANAME');
});

test('has no steps for an apex where the provider has no such type, or is not known to have it', () => {
  for (const name of ['GoDaddy', 'Amazon Route 53', 'IONOS']) {
    expect(textsOf(provider(name), APEX)).toEqual([]);
    expect(textsOf(provider(name), WANTED)).not.toEqual([]);
  }
});

test('has no steps for a provider whose panel is not known', () => {
  expect(textsOf(provider('INWX'), WANTED)).toEqual([]);
});
