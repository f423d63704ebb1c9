import { describe, expect, test } from 'vitest';
import { expectedRecords, recordLabel } from '../../../src/domain/advice/expected.js';

const target = 'cname.platform.test';

describe('expectedRecords', () => {
  test('a subdomain needs a CNAME, with a label relative to its zone', () => {
    expect(
      expectedRecords({ name: 'a.b.example.co.uk', kind: 'subdomain', zone: 'example.co.uk', target }),
    ).toEqual([{ type: 'CNAME', name: 'a.b.example.co.uk', label: 'a.b', value: target, ttl: 3600 }]);
  });

  test('an apex needs an ALIAS, for any number of labels', () => {
    expect(expectedRecords({ name: 'b.example.com', kind: 'apex', zone: 'b.example.com', target })).toEqual([
      { type: 'ALIAS', name: 'b.example.com', label: '@', value: target, ttl: 3600 },
    ]);
  });
});

test.each([
  ['example.com', 'example.com', '@'],
  ['shop.example.com', 'example.com', 'shop'],
  ['shopexample.com', 'example.com', 'shopexample.com'],
  ['com', 'example.com', 'com'],
])('label of %s in %s', (name, zone, label) => expect(recordLabel(name, zone)).toBe(label));
