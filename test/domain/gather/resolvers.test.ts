import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { InvalidInputError } from '../../../src/errors.js';
import { queryResolvers, chooseResolvers } from '../../../src/domain/gather/resolvers.js';
import type { CheckOptions } from '../../../src/domain/request/options.js';
import { RESOLVER, TARGET, TLD, contextOf, worldOf } from '../world.js';

const SYSTEM = [{ address: '192.168.1.1', port: 53, transport: 'dns' as const }];

async function labels(options: CheckOptions): Promise<string[]> {
  return (await chooseResolvers(options, () => SYSTEM)).map(({ label }) => label);
}

describe('the resolvers', () => {
  const cases: [string, CheckOptions, string[]][] = [
    ['by default', {}, ['system (192.168.1.1)', '1.1.1.1', '8.8.8.8', '9.9.9.9']],
    ['without public ones', { usePublic: false }, ['system (192.168.1.1)']],
    ['given', { resolvers: ['192.0.2.53', '127.0.0.1:5353'] }, ['192.0.2.53', '127.0.0.1:5353']],
    ['given twice', { resolvers: ['192.0.2.53', '192.0.2.53:53'] }, ['192.0.2.53']],
    ['given, of IPv6', { resolvers: ['2001:db8::53', '[::1]:5353'] }, ['2001:db8::53', '[::1]:5353']],
    [
      'given, with public ones',
      { resolvers: ['1.1.1.1'], usePublic: true },
      ['1.1.1.1', '8.8.8.8', '9.9.9.9'],
    ],
    ['over HTTPS', { doh: 'https://dns.example/dns-query' }, ['dns.example']],
    ['over plain HTTP on this machine', { doh: 'http://127.0.0.1:8053/dns-query' }, ['127.0.0.1:8053']],
  ];
  test.each(cases)('%s', async (_, options, expected) => {
    expect(await labels(options)).toEqual(expected);
  });

  test('are parsed from address and port', async () => {
    const options = { resolvers: ['[::1]:5353'], doh: 'https://dns.example/dns-query' };
    expect((await chooseResolvers(options, () => SYSTEM)).map(({ server }) => server)).toEqual([
      { address: '::1', port: 5353, transport: 'dns' },
      { address: 'https://dns.example/dns-query', port: 443, transport: 'https' },
    ]);
  });

  test('may be host names', async () => {
    const [resolver] = await chooseResolvers({ resolvers: ['localhost:5353'] }, () => SYSTEM);
    expect(resolver).toMatchObject({ label: 'localhost:5353', server: { port: 5353, host: 'localhost' } });
    expect(resolver?.server.address).toMatch(/^(127\.0\.0\.1|::1)$/);
  });

  const wrong: CheckOptions[] = [
    { resolvers: [''] },
    { resolvers: ['192.0.2.53:0'] },
    { resolvers: ['192.0.2.53:65536'] },
    { resolvers: ['192.0.2.300'] },
    { resolvers: ['https://dns.example'] },
    { resolvers: ['[192.0.2.53]:53'] },
    { doh: 'dns.example' },
    { doh: 'http://dns.example/dns-query' },
    { doh: 'ftp://dns.example' },
    { doh: 'https://user@dns.example/dns-query' },
  ];
  test.each(wrong)('are rejected: %j', async (options) => {
    await expect(chooseResolvers(options, () => SYSTEM)).rejects.toThrow(InvalidInputError);
  });
});

test.each(['https://user:secret@dns.example/', 'http://user:secret@dns.example/', 'user:secret@dns.example'])(
  'rejects a password without repeating it: %s',
  async (doh) => {
    const error: unknown = await chooseResolvers({ doh }, () => SYSTEM).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InvalidInputError);
    expect(inspect(error)).not.toContain('secret');
  },
);

test('queries each resolver for A and AAAA', async () => {
  const { context, dns } = contextOf(worldOf([`shop CNAME ${TARGET}.`]));
  const [facts] = await queryResolvers(context, { name: 'shop.example.test', target: TARGET, dnssec: [] });
  expect(dns.queries.map((line) => line.replace(`+rd ${RESOLVER} `, ''))).toEqual([
    'A shop.example.test',
    'AAAA shop.example.test',
  ]);
  expect([facts?.a, facts?.aaaa].map((lookup) => lookup?.outcome)).toEqual(['value', 'value']);
});

test('tests a SERVFAIL with the CD flag, for the type that failed, and only in a signed zone', async () => {
  const rcodes = { [`${RESOLVER} AAAA shop.example.test`]: 'SERVFAIL' };
  const { context, dns } = contextOf(worldOf([`shop CNAME ${TARGET}.`], { rcodes }));
  const subject = { name: 'shop.example.test', target: TARGET };
  const ds = await context.queryServer({ address: TLD, port: 53, transport: 'dns' }, 'example.test', 'DS');
  const [unsigned] = await queryResolvers(context, { ...subject, dnssec: [] });
  expect(unsigned?.rejected).toBeUndefined();
  dns.queries.length = 0;
  const dnssec = [{ zone: 'example.test', owner: 'domain' as const, ds, servers: [] }];
  const [signed] = await queryResolvers(context, { ...subject, dnssec });
  expect(signed?.rejected?.tests).toMatchObject([{ checked: { question: { type: 'AAAA' } } }]);
  expect(dns.queries.map((line) => line.replace(`+rd ${RESOLVER} `, ''))).toEqual([
    'A shop.example.test',
    'AAAA shop.example.test',
    'AAAA shop.example.test',
    `A ${TARGET}`,
  ]);
});
