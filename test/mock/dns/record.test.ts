import { expect, test } from 'vitest';
import {
  addressRecord,
  aliasRecord,
  ipv4Of,
  isZoneRecordType,
  negativeTtl,
  targetOf,
  type SoaRecord,
  withNextSerial,
} from '../../../src/mock/dns/record.js';
import { readRecord } from '../../../src/mock/dns/zone-file.js';

const soa = (ttl: number, minimum: number, serial = 7) =>
  readRecord(
    'example.test',
    'SOA',
    ttl,
    `ns1.test admin.test ${String(serial)} 2h 15m 2w ${String(minimum)}`,
  ) as SoaRecord;

test('recognizes its record types', () => {
  expect([isZoneRecordType('A'), isZoneRecordType('toString')]).toEqual([true, false]);
});

test('reads addresses and targets', () => {
  expect(ipv4Of(addressRecord('a.test', 60, '192.0.2.80'))).toBe('192.0.2.80');
  expect(targetOf(aliasRecord('a.test', 60, 'b.test'))).toBe('b.test');
  expect(targetOf(readRecord('a.test', 'MX', 60, '10 mx.test'))).toBe('mx.test');
  expect(targetOf(addressRecord('a.test', 60, '192.0.2.80'))).toBe('');
  expect(ipv4Of(aliasRecord('a.test', 60, 'b.test'))).toBe('');
});

test('uses the lower of SOA TTL and minimum for absence', () => {
  expect(negativeTtl(soa(3_600, 900))).toBe(900);
  expect(negativeTtl(soa(60, 900))).toBe(60);
});

test('increments the serial with wrap-around, in a copy', () => {
  const before = soa(60, 60);
  expect(withNextSerial(before).data).toEqual(soa(60, 60, 8).data);
  expect(before.data).toEqual(soa(60, 60).data);
  expect(withNextSerial(soa(60, 60, 2 ** 32 - 1)).data).toEqual(soa(60, 60, 0).data);
});
