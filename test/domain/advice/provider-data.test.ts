import { isIPv4, isIPv6 } from 'node:net';
import { describe, expect, test } from 'vitest';
import {
  CDNS,
  DNS_PROVIDERS,
  PARKING_SERVICES,
  PARKING_SOURCE,
} from '../../../src/domain/advice/provider-data.js';

const ENTRIES = [...DNS_PROVIDERS, ...CDNS, { name: 'parking services', ...PARKING_SOURCE }];

describe.each(ENTRIES)('$name', ({ sources, date }) => {
  test('has sources and a date', () => {
    expect(sources.length).toBeGreaterThan(0);
    for (const source of sources) expect(new URL(source).protocol).toBe('https:');
    expect(date).toMatch(/^20\d\d-\d\d-\d\d$/);
    expect(new Date(date).toJSON()).toContain(date);
  });
});

test('at least 20 providers have steps in the words of their panel', () => {
  const described = DNS_PROVIDERS.filter(({ panel }) => panel !== undefined);
  expect(described.length).toBeGreaterThanOrEqual(20);
});

test('no name is listed twice', () => {
  for (const list of [DNS_PROVIDERS, PARKING_SERVICES, CDNS]) {
    expect(new Set(list.map(({ name }) => name)).size).toBe(list.length);
  }
});

test('all patterns are anchored at the end, so that a host of another domain does not match', () => {
  const patterns = [
    ...[...DNS_PROVIDERS, ...PARKING_SERVICES].map(({ servers }) => servers),
    ...CDNS.map(({ aliases }) => aliases),
  ];
  for (const { source } of patterns) expect(source).toMatch(/^(\\\.|\^).*\$$/);
});

test('all subnets are valid', () => {
  for (const subnet of CDNS.flatMap(({ subnets }) => subnets)) {
    const [network = '', prefix] = subnet.split('/');
    const max = isIPv4(network) ? 32 : isIPv6(network) ? 128 : 0;
    expect(Number(prefix)).toBeGreaterThan(0);
    expect(Number(prefix)).toBeLessThanOrEqual(max);
  }
});
