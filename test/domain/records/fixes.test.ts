import { expect, test } from 'vitest';
import {
  addExpectedRecord,
  changeToExpectedRecord,
  recordFields,
  removeRecords,
  recordLine,
  expectedRecordsOf,
  expectedText,
} from '../../../src/domain/records/fixes.js';
import { a, buildApexFacts, buildFacts, caaRecord, NAME } from '../facts-builder.js';

const wanted = { type: 'CNAME', name: NAME, label: 'shop', value: 'cname.platform.test', ttl: 3600 };

test('builds the expected record of a domain', () => {
  expect(expectedRecordsOf(buildFacts())).toEqual([wanted]);
  expect(expectedText(buildApexFacts())).toBe('ALIAS @ -> cname.platform.test, TTL 3600');
});

test('fixes that add or change include the expected record', () => {
  expect(addExpectedRecord(buildFacts())).toEqual({
    action: 'add',
    text: 'Add CNAME shop -> cname.platform.test, TTL 3600.',
    records: [wanted],
  });
  expect(changeToExpectedRecord(buildFacts(), 'Do it.')).toEqual({
    action: 'change',
    text: 'Do it.',
    records: [wanted],
  });
});

test('a fix that removes includes the records', () => {
  const { records } = removeRecords(
    buildFacts(),
    [a(NAME, '192.0.2.99'), caaRecord('example.com', 'issue', ';')],
    'Remove.',
  );
  expect(records).toEqual([
    { type: 'A', name: NAME, label: 'shop', value: '192.0.2.99' },
    { type: 'CAA', name: 'example.com', label: '@', value: '0 issue ";"' },
  ]);
  expect(recordLine(recordFields(buildFacts(), a(NAME, '192.0.2.99')))).toBe('A shop -> 192.0.2.99');
});
