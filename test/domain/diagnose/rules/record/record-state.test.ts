import {
  recordMissing,
  recordWildcard,
  recordDoubledLabel,
  recordOk,
  recordPartial,
  recordTtl,
} from '../../../../../src/domain/diagnose/rules/record/record-state.js';
import {
  wildcardOf,
  a,
  lookupOf,
  buildAbsentServer,
  buildFacts,
  buildServer,
  buildUniformServer,
  cname,
  NAME,
  silent,
  value,
  TARGET,
  nxdomain,
  ZONE,
  TARGET_A,
  buildZone,
} from '../../../facts-builder.js';
import { testRule } from '../../../rule-table.js';
import { expect, test } from 'vitest';

testRule(recordMissing, {
  'the name does not exist: record.missing block': [
    { servers: [buildAbsentServer(1), buildAbsentServer(2)] },
    'has no record yet.',
    'Add CNAME shop -> cname.platform.test, TTL 3600.',
    'dig +norecurse @192.0.2.1 shop.example.com CNAME',
    'dig +norecurse @192.0.2.2 shop.example.com CNAME',
  ],
  'a wildcard returns an address: nothing to remove: record.missing block': [
    {
      servers: [buildAbsentServer(1, { a: value(a(NAME, '192.0.2.99')) })],
      relatedNames: { wildcard: wildcardOf('A', a(NAME, '192.0.2.99')) },
    },
    'shop.example.com has no record of its own. The wildcard *.example.com returns A 192.0.2.99 for it',
    'Add CNAME shop -> cname.platform.test, TTL 3600. It takes precedence over the wildcard, which may stay.',
    'dig +norecurse @192.0.2.1 x7.shop.example.com A',
  ],
  'the newest copy lacks it, an older one still has it: record.missing block': {
    servers: [buildServer(1), buildAbsentServer(2, {}, { serial: 11 })],
  },
  'no response does not mean no record: nothing': {
    servers: [buildUniformServer(1, silent()), buildUniformServer(2, silent())],
  },
  'only an older copy lacks it: nothing': {
    servers: [buildServer(1), buildAbsentServer(2, {}, { serial: 9 })],
  },
});

const RANDOM = 'x7k2.shop.example.com';
const behind = (lookup: ReturnType<typeof lookupOf>) => ({
  wildcard: { name: '*.example.com', lookup },
});
const sameAlias = lookupOf('CNAME', value(cname(RANDOM, TARGET)), RANDOM);

testRule(recordWildcard, {
  'an unused name below leads to the target too: record.wildcard warn': [
    { relatedNames: behind(sameAlias) },
    'the wildcard *.example.com covers it',
    'Add CNAME shop -> cname.platform.test',
    'dig +norecurse @192.0.2.1 x7k2.shop.example.com CNAME',
  ],
  'a wildcard to another host is record.missing: nothing': {
    servers: [buildAbsentServer(1, { a: value(a(NAME, '192.0.2.99')) })],
    relatedNames: behind(lookupOf('A', value(a(RANDOM, '192.0.2.99')), RANDOM)),
  },
});

const doubledName = `${NAME}.${ZONE}`;
const doubled = lookupOf('CNAME', value(cname(doubledName, TARGET)), doubledName);
const facts = buildFacts({
  servers: [buildAbsentServer(1)],
  relatedNames: { doubled, doubledControl: lookupOf('CNAME', nxdomain()), chain: [] },
});

testRule(recordDoubledLabel, {
  'the full name was entered and the zone appended: record.doubled-label block': [
    facts,
    'The record is at shop.example.com.example.com',
    'Your provider appends example.com to the name that you type.',
    'from shop.example.com to shop',
    'dig +norecurse @192.0.2.1 shop.example.com.example.com CNAME',
  ],
  'a wildcard matches the control name too: nothing': {
    ...facts,
    relatedNames: { ...facts.relatedNames, doubledControl: doubled },
  },
});

testRule(recordMissing, {});

const flattened = { a: value(a(NAME, TARGET_A, 60)), aRepeated: value(a(NAME, TARGET_A, 57)) };

testRule(
  recordOk,
  {
    'both servers have it: record.ok info': [
      {},
      'shop.example.com points to cname.platform.test',
      'dig +norecurse @192.0.2.1 shop.example.com CNAME',
    ],
    'the provider follows the alias itself: record.ok info': [
      { servers: [buildAbsentServer(1, flattened)] },
      'returns its addresses',
    ],
  },
  ['record.ok'],
);

testRule(recordPartial, {
  'servers of the same serial disagree: record.partial wait': [
    { servers: [buildServer(1), buildAbsentServer(2)] },
    'ns1.example.net (192.0.2.1) has the record; ns2.example.net (192.0.2.2) does not',
    'dig +norecurse @192.0.2.2 shop.example.com CNAME',
  ],
  'a secondary is behind: record.partial wait': {
    servers: [buildServer(1), buildAbsentServer(2, {}, { serial: 9 })],
  },
  'another provider’s zone never gets the record: record.partial block': [
    {
      zone: buildZone({ ownHosts: ['ns1.example.net', 'ns3.example.net'] }),
      servers: [buildServer(1), buildAbsentServer(2, {}, { serial: 9 })],
    },
    'do not get a copy of the record',
    'Remove ns2.example.net (192.0.2.2) from the name servers',
  ],
  'a server that does not respond is not one without the record: nothing': {
    servers: [buildServer(1), buildUniformServer(2, silent())],
  },
});

const lasting = (ttl: number) =>
  buildFacts({ servers: [buildServer(1, { cname: value(cname(NAME, TARGET, ttl)) })] });

testRule(recordTtl, {
  'five minutes: record.ttl info': [lasting(300), '300 s (5 min)', 'Set the TTL to 3600'],
  'a day: record.ttl info': lasting(86_400),
  'more than a day: record.ttl warn': [lasting(86_401), 'Changes take that long'],
  'half a minute: record.ttl info': lasting(30),
  'less: record.ttl warn': lasting(29),
});

test('a CNAME to another name keeps its value', () => {
  const servers = [buildServer(1, { cname: value(cname(NAME, 'hop.example', 172_800)) })];
  const [finding] = recordTtl(buildFacts({ servers }));
  expect(finding?.fix).toMatchObject({ action: 'other', text: 'Set the TTL to 3600.', add: [] });
});
