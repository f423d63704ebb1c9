import { expect, test } from 'vitest';
import { deadEndOf, isEmpty } from '../../../src/domain/views/alias-chain.js';
import {
  lookupOf,
  buildFacts,
  buildServer,
  cname,
  NAME,
  nodata,
  nxdomain,
  throughAlias,
} from '../facts-builder.js';

const through = (...names: string[]) => ({
  ...buildFacts().relatedNames,
  chain: names.map((to, index) => ({ from: names[index - 1] ?? NAME, to, ttl: 300 })),
});

test('is within the zone by its own servers', () => {
  const missing = throughAlias(cname(NAME, 'gone.example.com'));
  const server = buildServer(1, { a: missing, aaaa: missing });
  expect(deadEndOf(buildFacts({ servers: [server] }))).toEqual({
    name: 'gone.example.com',
    lookups: [server.a, server.aaaa],
  });
});

test('is a name in another zone, or a whole zone', () => {
  const chainEnd = lookupOf('CNAME', nxdomain(), 'b.example.org');
  const aliases = through('a.example.org', 'b.example.org');
  expect(deadEndOf(buildFacts({ relatedNames: { ...aliases, chainEnd } }))).toEqual({
    name: 'b.example.org',
    lookups: [chainEnd],
  });
  const noZone = lookupOf('NS', nxdomain(), 'example.org');
  expect(deadEndOf(buildFacts({ relatedNames: { ...aliases, chainEnd: noZone } }))).toEqual({
    name: 'b.example.org',
    missingZone: 'example.org',
    lookups: [noZone],
  });
});

test('is undefined if the end exists', () => {
  const chainEnd = lookupOf('CNAME', nodata(), 'a.example.org');
  expect(deadEndOf(buildFacts({ relatedNames: { ...through('a.example.org'), chainEnd } }))).toBeUndefined();
  expect(isEmpty(chainEnd)).toBe(true);
});
