import { expect, test } from 'vitest';
import {
  addressOf,
  isTargetAddress,
  ownAddresses,
  ownRecords,
} from '../../../src/domain/views/own-records.js';
import {
  a,
  aaaa,
  lookupOf,
  buildAbsentServer,
  buildFacts,
  NAME,
  TARGET,
  TARGET_AAAA,
  value,
} from '../facts-builder.js';

test('records of an alias’s target are not the name’s own', () => {
  const own = a('Shop.Example.com', '192.0.2.1');
  expect(ownRecords(buildFacts(), lookupOf('A', value(own, a(TARGET, '192.0.2.2'))))).toEqual([own]);
});

test('returns addresses of both families', () => {
  const [v4, v6] = [a(NAME, '192.0.2.1'), aaaa(NAME, '2001:DB8::1')];
  const server = buildAbsentServer(1, { a: value(v4), aaaa: value(v6) });
  expect(ownAddresses(buildFacts(), server).map(addressOf)).toEqual(['192.0.2.1', '2001:db8::1']);
});

test('compares addresses of the target without case', () => {
  expect(isTargetAddress(buildFacts(), TARGET_AAAA.toUpperCase())).toBe(true);
  expect(isTargetAddress(buildFacts(), '192.0.2.99')).toBe(false);
});
