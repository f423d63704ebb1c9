import { expect, test } from 'vitest';
import { ipv4Of } from '../../../src/mock/dns/record.js';
import { createZone, lookUpInZone } from '../../../src/mock/dns/zone.js';
import { readZoneFile } from '../../../src/mock/dns/zone-file.js';

const [parsed] = readZoneFile(`$ORIGIN example.test.
@ SOA ns1 admin 1 2h 15m 2w 15m
@ NS ns1
@ ALIAS target.test.
shop CNAME target.test.
both CNAME target.test.
both A 192.0.2.1
two CNAME a.test.
two CNAME b.test.
deep.empty A 192.0.2.2
*.wild A 192.0.2.3
here.wild TXT here
*.empty CNAME wild.test.
sub NS ns1.sub
ns1.sub A 192.0.2.4
old DNAME new.test.
`).zones;
const zone = createZone('example.test', parsed?.records ?? []);

/** Such as `cname target.test CNAME` and `records A A`. */
function found(name: string, type: string): string {
  const response = lookUpInZone(zone, { name: name === '' ? 'example.test' : `${name}.example.test`, type });
  const target = 'target' in response ? ` ${response.target}` : '';
  const types = 'records' in response ? response.records.map((record) => ` ${record.type}`).join('') : '';
  return `${response.kind}${target}${types}`;
}

test.each([
  ['', 'SOA', 'records SOA'],
  ['', 'NS', 'records NS'],
  ['', 'A', 'alias target.test'],
  ['', 'AAAA', 'alias target.test'],
  ['', 'MX', 'nodata'],
  ['', 'ALIAS', 'nodata'],
  ['shop', 'CNAME', 'records CNAME'],
  ['shop', 'A', 'cname target.test CNAME'],
  ['shop', 'TYPE99', 'cname target.test CNAME'],
  ['both', 'A', 'records A'],
  ['both', 'CNAME', 'records CNAME'],
  ['both', 'MX', 'cname target.test CNAME'],
  ['two', 'A', 'cname a.test CNAME CNAME'],
  ['nothing', 'A', 'nxdomain'],
  ['empty', 'A', 'nodata'],
  ['below.shop', 'A', 'nxdomain'],
  ['deep.empty', 'A', 'records A'],
  ['any.wild', 'A', 'records A'],
  ['a.b.wild', 'A', 'records A'],
  ['any.wild', 'TXT', 'nodata'],
  ['wild', 'A', 'nodata'],
  ['here.wild', 'A', 'nodata'],
  ['below.here.wild', 'A', 'nxdomain'],
  ['other.empty', 'A', 'cname wild.test CNAME'],
  ['sub', 'NS', 'referral NS'],
  ['sub', 'A', 'referral NS'],
  ['sub', 'DS', 'nodata'],
  ['ns1.sub', 'A', 'referral NS'],
  ['a.b.sub', 'A', 'referral NS'],
  ['old', 'A', 'nodata'],
  ['old', 'DNAME', 'records DNAME'],
  ['a.b.old', 'A', 'cname a.b.new.test DNAME CNAME'],
])('%s %s: %s', (name, type, expected) => {
  expect(found(name, type)).toBe(expected);
});

test('a wildcard returns records with the queried name', () => {
  const response = lookUpInZone(zone, { name: 'any.wild.example.test', type: 'A' });
  const records = response.kind === 'records' ? response.records : [];
  expect(records.map((record) => [record.name, ipv4Of(record)])).toEqual([
    ['any.wild.example.test', '192.0.2.3'],
  ]);
});

test('has its SOA record and empty non-terminals', () => {
  expect(zone.soa.type).toBe('SOA');
  const names = ['empty.example.test', 'test', 'example.test'];
  expect(names.map((name) => zone.has(name))).toEqual([true, false, true]);
});
