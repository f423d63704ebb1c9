import { expect, test } from 'vitest';
import { observe } from '../../../src/domain/diagnose/observed.js';
import {
  a,
  buildAbsentServer,
  buildApexFacts,
  buildFacts,
  buildResolver,
  buildServer,
  buildUniformServer,
  NAME,
  nxdomain,
  refused,
  silent,
  txt,
  value,
} from '../facts-builder.js';

test('reports the response of each server', () => {
  const servers = [
    buildServer(1),
    buildAbsentServer(2, {}, { serial: 9 }),
    buildUniformServer(3, silent()),
    buildUniformServer(4, refused('REFUSED')),
    buildAbsentServer(5, { a: value(a(NAME, '192.0.2.99', 300)), txt: value(txt(NAME, '\u001b[31m\u202e')) }),
  ];
  const from = (index: number) => ({ server: `ns${index}.example.net`, address: `192.0.2.${index}` });
  expect(observe(buildFacts({ servers })).authoritative).toEqual([
    {
      ...from(1),
      over: 'udp',
      response: 'NOERROR',
      serial: 10,
      records: ['CNAME cname.platform.test'],
      ttl: 3600,
    },
    { ...from(2), over: 'udp', response: 'NXDOMAIN', serial: 9, records: [] },
    { ...from(3), response: 'no response within 2 s', failure: 'timeout', records: [] },
    { ...from(4), over: 'udp', response: 'REFUSED', records: [] },
    {
      ...from(5),
      over: 'udp',
      response: 'NOERROR',
      serial: 10,
      records: ['A 192.0.2.99', 'TXT "^[[31m<U+202E>"'],
      ttl: 300,
    },
  ]);
});

test('reports the addresses of an apex', () => {
  expect(observe(buildApexFacts()).authoritative[0]).toMatchObject({
    response: 'NOERROR',
    records: ['A 198.51.100.10', 'AAAA 2001:db8::10', 'MX 10 mail.example.com'],
    ttl: 60,
  });
});

test('reports the response of each resolver, and how long it is cached', () => {
  const resolvers = [
    buildResolver('192.0.2.53'),
    buildResolver('192.0.2.54', { a: nxdomain(845), aaaa: nxdomain(840) }),
    buildResolver('192.0.2.55', { a: silent(), aaaa: silent() }),
  ];
  expect(observe(buildFacts({ resolvers })).recursive).toEqual([
    {
      resolver: '192.0.2.53',
      response: 'NOERROR',
      records: ['CNAME cname.platform.test', 'A 198.51.100.10', 'AAAA 2001:db8::10'],
    },
    { resolver: '192.0.2.54', response: 'NXDOMAIN', records: [], remaining: 845 },
    { resolver: '192.0.2.55', response: 'no response within 2 s', records: [] },
  ]);
});
