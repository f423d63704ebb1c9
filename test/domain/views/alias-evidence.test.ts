import { expect, test } from 'vitest';
import { addProvider } from '../../../src/domain/provider/find-provider.js';
import { aliasEvidence } from '../../../src/domain/views/own-records.js';
import {
  a,
  buildApexFacts,
  buildApexServer,
  buildZone,
  nodata,
  TARGET_A,
  value,
  ZONE,
} from '../facts-builder.js';

const twice = (first: number, second: number) => ({
  a: value(a(ZONE, TARGET_A, first)),
  aRepeated: value(a(ZONE, TARGET_A, second)),
});

test.each([
  ['counts down', twice(60, 58), 'proved'],
  ['counted down to the end and began anew', twice(1, 60), 'consistent'],
  ['dropped by more than the time between', twice(3600, 300), 'consistent'],
  ['is constant and the target’s', twice(60, 60), 'consistent'],
  ['is constant and above the target’s', twice(3600, 3600), 'looks-copied'],
  ['belongs to another host', { a: value(a(ZONE, '192.0.2.99')) }, 'mismatch'],
  ['is not there', { a: nodata(), aaaa: nodata() }, 'none'],
])('addresses: %s', (_name, answers, expected) => {
  const facts = buildApexFacts();
  expect(aliasEvidence(facts, [buildApexServer(1, answers)])).toBe(expected);
});

test('is proved by one server', () => {
  const servers = [buildApexServer(1, twice(3600, 3600)), buildApexServer(2)];
  expect(aliasEvidence(buildApexFacts(), servers)).toBe('proved');
});

test('is incomparable without the target’s addresses', () => {
  const facts = buildApexFacts({ platform: { a: undefined, aaaa: undefined, addresses: [], ttl: 60 } });
  expect(aliasEvidence(facts, facts.servers)).toBe('incomparable');
});

test('the constant TTL of a CNAME that Cloudflare flattens is no copy', () => {
  const zone = buildZone({ kind: 'apex', ownHosts: ['amy.ns.cloudflare.com'] });
  const facts = addProvider(buildApexFacts({ zone }));
  expect(aliasEvidence(facts, [buildApexServer(1, twice(300, 300))])).toBe('consistent');
  expect(aliasEvidence(facts, [buildApexServer(1, twice(3600, 3600))])).toBe('looks-copied');
});
