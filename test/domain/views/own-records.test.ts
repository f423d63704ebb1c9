import { expect, test } from 'vitest';
import {
  isFromWildcard,
  isTargetAddress,
  hasSameRecords,
  lookupsOf,
  showsRecord,
} from '../../../src/domain/views/own-records.js';
import {
  a,
  lookupOf,
  buildAbsentServer,
  buildFacts,
  buildServer,
  cname,
  NAME,
  nodata,
  nxdomain,
  TARGET,
  TARGET_AAAA,
  throughAlias,
  value,
} from '../facts-builder.js';

const RANDOM = 'x7.shop.example.com';
const address = lookupOf('A', value(a(RANDOM, '192.0.2.99', 60)), RANDOM);

test('records come from the wildcard if they are the same', () => {
  const [ofWildcard, own, silent] = [
    buildAbsentServer(1, { a: value(a(NAME, '192.0.2.99')) }),
    buildAbsentServer(2, { a: value(a(NAME, '192.0.2.1')) }),
    buildAbsentServer(3),
  ];
  const servers = [ofWildcard, own, silent];
  const facts = buildFacts({
    servers,
    relatedNames: { ...buildFacts().relatedNames, wildcard: { name: '*.example.com', lookup: address } },
  });
  expect(servers.map(({ server }) => isFromWildcard(facts, server))).toEqual([true, false, false]);
  expect(isFromWildcard(buildFacts({ servers }), ofWildcard.server)).toBe(false);
});

test('compares the records of the name itself, not of its target', () => {
  const alias = lookupOf('A', throughAlias(cname(NAME, TARGET), a(TARGET, '192.0.2.80')));
  const other = lookupOf(
    'A',
    throughAlias(cname(RANDOM, TARGET.toUpperCase()), a(TARGET, '192.0.2.81')),
    RANDOM,
  );
  expect(hasSameRecords(other, alias)).toBe(true);
  expect(hasSameRecords(address, alias)).toBe(false);
  expect(hasSameRecords(lookupOf('A', nxdomain()), lookupOf('A', nodata()))).toBe(false);
});

test('an alias is a record of every type', () => {
  expect(lookupsOf(buildServer(1)).map(showsRecord)).toEqual(Array(6).fill(true));
  expect(lookupsOf(buildAbsentServer(1)).some(showsRecord)).toBe(false);
});

test('compares addresses of the target without case', () => {
  expect(isTargetAddress(buildFacts(), TARGET_AAAA.toUpperCase())).toBe(true);
  expect(isTargetAddress(buildFacts(), '192.0.2.99')).toBe(false);
});
