import { expect, test } from 'vitest';
import {
  addWanted,
  changeToWanted,
  recordFields,
  removeSeen,
  typedText,
  wantedRecords,
  wantedText,
} from '../../../src/domain/records/fixes.js';
import { a, buildApexFacts, buildFacts, caaRecord, NAME } from '../facts-builder.js';

const wanted = { type: 'CNAME', name: NAME, label: 'shop', value: 'cname.platform.test', ttl: 3600 };

test('the wanted record is that of the domain', () => {
  expect(wantedRecords(buildFacts())).toEqual([wanted]);
  expect(wantedText(buildApexFacts())).toBe('ALIAS @ -> cname.platform.test, TTL 3600');
});

test('to add and to change come with the record to type', () => {
  expect(addWanted(buildFacts(), 'First this. ')).toEqual({
    action: 'add',
    text: 'First this. Add CNAME shop -> cname.platform.test, TTL 3600.',
    records: [wanted],
  });
  expect(changeToWanted(buildFacts(), 'Do it.')).toEqual({
    action: 'change',
    text: 'Do it.',
    records: [wanted],
  });
});

test('to remove comes with the records as a provider shows them', () => {
  const { records } = removeSeen(
    buildFacts(),
    [a(NAME, '192.0.2.99'), caaRecord('example.com', 'issue', ';')],
    'Remove.',
  );
  expect(records).toEqual([
    { type: 'A', name: NAME, label: 'shop', value: '192.0.2.99' },
    { type: 'CAA', name: 'example.com', label: '@', value: '0 issue ";"' },
  ]);
  expect(typedText(recordFields(buildFacts(), a(NAME, '192.0.2.99')))).toBe('A shop -> 192.0.2.99');
});
