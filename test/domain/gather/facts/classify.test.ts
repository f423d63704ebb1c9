import { describe, expect, test } from 'vitest';
import { classify, isWithin, referralIn } from '../../../../src/domain/gather/facts/classify.js';
import type { Lookup } from '../../../../src/domain/gather/facts/lookup.js';
import type { DnsExchange, DnsResponse, RecordType } from '../../../../src/domain/dns/dns.js';
import { readZone, respond, failure } from '../../fake-dns.js';
import { named } from '../../../support/named.js';

const SERVER = { address: '192.0.2.1', port: 53, transport: 'dns' as const };
const SOA = '@ 3600 SOA ns1 1 900';

/** Records of a section, without the SOA that every zone has. */
function section(...lines: string[]): DnsResponse['answers'] {
  const records = readZone('example.test', lines);
  return lines.some((line) => line.includes(' SOA ')) ? records : records.slice(0, -1);
}

function classified(exchange: DnsExchange, type: RecordType, recursive = false): Lookup {
  return classify({ name: 'shop.example.test', type }, SERVER, exchange, recursive);
}

/** The main parts of a lookup, on one line. */
function summary({ outcome, records, chain, negativeTtl, failure: reason }: Lookup): string {
  const hops = chain.map(({ data }) => (data.type === 'CNAME' ? `>${data.target}` : ''));
  const ttl = negativeTtl === undefined ? '' : `for ${String(negativeTtl)} s`;
  return [outcome, records.length > 0 ? `${String(records.length)} records` : '', ...hops, ttl, reason]
    .filter(Boolean)
    .join(' ');
}

describe('an authoritative response', () => {
  const cases = named<[RecordType, Partial<DnsResponse>, string]>({
    'the record': ['A', { answers: section('shop A 192.0.2.9', 'shop A 192.0.2.8') }, 'value 2 records'],
    'the record in capitals': ['A', { answers: section('SHOP A 192.0.2.9') }, 'value 1 records'],
    'a record of another name': ['A', { answers: section('other A 192.0.2.9') }, 'nodata'],
    'a record of another type': ['A', { answers: section('shop TXT hello') }, 'nodata'],
    'an alias, queried': ['CNAME', { answers: section('shop CNAME a') }, 'value 1 records'],
    'two aliases, queried for': [
      'CNAME',
      { answers: section('shop CNAME a', 'shop CNAME b') },
      'value 2 records',
    ],
    'a dangling alias, queried for': [
      'CNAME',
      { rcode: 'NXDOMAIN', answers: section('shop CNAME a') },
      'value 1 records',
    ],
    'an alias out of the zone': ['A', { answers: section('shop CNAME a.test.') }, 'nodata >a.test'],
    'an alias and its end': [
      'A',
      { answers: section('b A 192.0.2.9', 'shop CNAME A', 'a CNAME b') },
      'value 1 records >A.example.test >b.example.test',
    ],
    'an alias to nowhere': [
      'A',
      { rcode: 'NXDOMAIN', answers: section('shop CNAME a'), authority: section(SOA) },
      'nxdomain >a.example.test for 900 s',
    ],
    'a loop': [
      'A',
      { answers: section('shop CNAME a', 'a CNAME SHOP') },
      'nodata >a.example.test >SHOP.example.test',
    ],
    'an alias to itself': ['A', { answers: section('shop CNAME shop') }, 'nodata >shop.example.test'],
    'no such name': ['A', { rcode: 'NXDOMAIN', authority: section(SOA) }, 'nxdomain for 900 s'],
    'no such record': ['A', { authority: section('@ 300 SOA ns1 1 900') }, 'nodata for 300 s'],
    'nothing at all': ['A', {}, 'nodata'],
    'a refusal': ['A', { rcode: 'REFUSED' }, 'failed REFUSED'],
    'a failure with records': [
      'A',
      { rcode: 'SERVFAIL', answers: section('shop A 192.0.2.9') },
      'failed SERVFAIL',
    ],
  });
  test.each(cases)('%s', (_, type, parts, expected) => {
    expect(summary(classified(respond({ authoritative: true, ...parts }), type))).toBe(expected);
  });
});

describe('a non-authoritative response to a query without recursion', () => {
  const cases: [string, Partial<DnsResponse>, string][] = [
    ['a record', { answers: section('shop A 192.0.2.9') }, 'value 1 records'],
    ['an alias', { answers: section('shop CNAME a') }, 'nodata >a.example.test'],
    ['a record of another name', { answers: section('a A 192.0.2.9') }, 'failed not authoritative'],
    [
      'a record from a resolver',
      { answers: section('shop A 192.0.2.9'), recursionAvailable: true },
      'failed not authoritative',
    ],
    ['an absence', { rcode: 'NXDOMAIN', authority: section(SOA) }, 'failed not authoritative'],
    ['nothing', {}, 'failed not authoritative'],
    [
      'a referral',
      { authority: section('shop NS ns1') },
      'failed not authoritative: refers to the servers of shop.example.test',
    ],
    [
      'a referral to the root',
      { authority: [{ ...section('@ NS a.root')[0]!, name: '.' }] },
      'failed not authoritative: refers to the servers of the root',
    ],
    ['a referral to elsewhere', { authority: section('other NS ns1') }, 'failed not authoritative'],
  ];
  test.each(cases)('%s', (_, parts, expected) => {
    expect(summary(classified(respond(parts), 'A'))).toBe(expected);
  });
});

describe('a response of a resolver', () => {
  const cases: [string, Partial<DnsResponse>, string][] = [
    ['a record', { answers: section('shop A 192.0.2.9'), recursionAvailable: true }, 'value 1 records'],
    ['an absence', { rcode: 'NXDOMAIN', authority: section('@ 845 SOA ns1 1 900') }, 'nxdomain for 845 s'],
    ['no recursion', { authority: section('@ NS ns1') }, 'failed recursion not available'],
    ['nothing, by one that resolves', { recursionAvailable: true }, 'nodata'],
    ['nothing, by one that serves the zone itself', { authoritative: true }, 'nodata'],
  ];
  test.each(cases)('%s', (_, parts, expected) => {
    expect(summary(classified(respond(parts), 'A', true))).toBe(expected);
  });
});

test('a failed query is never an absence', () => {
  expect(summary(classified(failure('timeout', 'no response within 2 s'), 'A'))).toBe(
    'failed no response within 2 s',
  );
  expect(summary(classified(failure('unreachable', ''), 'A'))).toBe('failed unreachable');
  expect(summary(classified(failure('aborted', 'closed'), 'A'))).toBe('aborted query aborted');
});

test('a referral has the NS records of one cut, and addresses', () => {
  const parts = {
    authority: section('sub NS ns1.sub', 'sub NS ns2.sub'),
    additional: section('ns1.sub A 192.0.2.9', 'ns1.sub TXT x'),
  };
  const referral = referralIn(respond(parts));
  expect(referral).toMatchObject({ zone: 'sub.example.test', records: { length: 2 }, glue: { length: 1 } });
  expect(referralIn(respond({ ...parts, authoritative: true }))).toBeUndefined();
  expect(referralIn(respond({ ...parts, answers: section('shop A 192.0.2.9') }))).toBeUndefined();
  expect(referralIn(respond({ authority: section('@ NS ns1', SOA) }))).toBeUndefined();
});

test('a name is within a zone at its apex or below', () => {
  expect(isWithin('shop.example.test', 'example.test')).toBe(true);
  expect(isWithin('EXAMPLE.test', 'example.test')).toBe(true);
  expect(isWithin('notexample.test', 'example.test')).toBe(false);
  expect(isWithin('example.test', '.')).toBe(true);
});
