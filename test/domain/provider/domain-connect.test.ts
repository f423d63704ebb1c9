import { describe, expect, test } from 'vitest';
import { checkDomain } from '../../../src/domain/checks.js';
import { findDomainConnect, readSettings, settingsUrl } from '../../../src/domain/provider/domain-connect.js';
import { createChecker } from '../../../src/domain/run/checker.js';
import { createProbes } from '../../../src/domain/run/probes.js';
import { createVirtualClock } from '../../support/virtual-clock.js';
import { fakeDns, type World } from '../fake-dns.js';
import { contextOf, counter, RESOLVER, resolverQueries, TARGET, worldOf } from '../world.js';

const ZONE = 'example.test';
const SETTINGS = {
  providerId: 'dns.test',
  providerName: 'Example DNS',
  urlControlPanel: 'https://panel.dns.test/zones/%domain%',
};

/** A zone whose provider has the API at api.dns.test. */
function worldWith(...records: string[]): World {
  const world = worldOf(records);
  const { test: top = [], ...zones } = world.zones;
  const provider = ['dns NS ns.dns', 'ns.dns A 192.0.2.31'];
  return {
    ...world,
    zones: {
      ...zones,
      test: [...top, ...provider],
      'dns.test': ['@ NS ns', 'ns A 192.0.2.31', 'api A 192.0.2.90', '_domainconnect TXT api.dns.test'],
    },
    servers: { ...world.servers, '192.0.2.31': ['dns.test'] },
  };
}

async function find(record: string, settings: unknown = SETTINGS) {
  const { context, dns } = contextOf(worldWith(record));
  const fetched: string[] = [];
  const report = await findDomainConnect(context, ZONE, (url, addresses) => {
    fetched.push(`${url.href} at ${addresses.join()}`);
    return Promise.resolve(settings);
  });
  return { report, fetched, dns };
}

test('the settings of the zone name the panel', async () => {
  const { report, fetched, dns } = await find('_domainconnect TXT api.dns.test/v9/connect');
  expect(report).toEqual({ name: 'Example DNS', url: 'https://panel.dns.test/zones/example.test' });
  expect(fetched).toEqual(['https://api.dns.test/v9/connect/v2/example.test/settings at 192.0.2.90']);
  // A resolver would cache the absence of a record that is added later.
  expect(resolverQueries(dns, `_domainconnect.${ZONE}`)).toEqual([]);
});

test('an alias leads to the record of the provider', async () => {
  const { report } = await find('_domainconnect CNAME _domainconnect.dns.test.');
  expect(report?.name).toBe('Example DNS');
});

test.each([
  ['no record', 'other TXT "x"'],
  ['no host name', '_domainconnect TXT "not a host"'],
  ['a host without an address', '_domainconnect TXT none.dns.test'],
])('nothing is requested with %s', async (_name, record) => {
  const { report, fetched } = await find(record);
  expect(report).toBeUndefined();
  expect(fetched).toEqual([]);
});

test.each([
  ['api.dns.test', 'https://api.dns.test/v2/example.test/settings'],
  ['API.dns.test/a/b/', 'https://api.dns.test/a/b/v2/example.test/settings'],
  ['http://api.dns.test', undefined],
  ['api.dns.test:8443', undefined],
  ['user@api.dns.test', undefined],
  ['169.254.169.254', undefined],
  ['localhost', undefined],
  ['api.dns.test/../admin', undefined],
  ['api.dns.test?x=1', undefined],
  ['api.dns.test/a\r\nX: 1', undefined],
  [`api.dns.test/${'a'.repeat(300)}`, undefined],
  ['', undefined],
])('the record %j means the URL %s', (text, url) => {
  expect(settingsUrl(text, ZONE)?.href).toBe(url);
});

describe('settings', () => {
  test('may have a name for people', () => {
    expect(readSettings({ ...SETTINGS, providerDisplayName: 'Shop DNS' }, ZONE)?.name).toBe('Shop DNS');
  });

  test.each([
    ['text', 'x'],
    ['null', null],
    ['no panel', { ...SETTINGS, urlControlPanel: undefined }],
    ['no name', { urlControlPanel: SETTINGS.urlControlPanel }],
    ['a link without TLS', { ...SETTINGS, urlControlPanel: 'http://panel.dns.test/' }],
    ['a script', { ...SETTINGS, urlControlPanel: 'javascript:alert(1)' }],
    ['a password', { ...SETTINGS, urlControlPanel: 'https://a:b@panel.dns.test/' }],
    ['control characters', { ...SETTINGS, urlControlPanel: 'https://panel.dns.test/\u001B[2J' }],
    ['a name with control characters', { ...SETTINGS, providerName: 'Example\u001B[2J' }],
    ['a name with bidi characters', { ...SETTINGS, providerName: 'Example\u202E' }],
    ['a long link', { ...SETTINGS, urlControlPanel: `https://panel.dns.test/${'a'.repeat(600)}` }],
  ])('with %s are ignored', (_name, settings) => {
    expect(readSettings(settings, ZONE)).toBeUndefined();
  });
});

describe('a check', () => {
  async function check(record: string, thorough = false) {
    const dns = fakeDns(worldWith(record, '_domainconnect TXT api.dns.test'));
    let requests = 0;
    const json = () => {
      requests += 1;
      return Promise.resolve(SETTINGS);
    };
    const report = await checkDomain(
      {
        domain: 'shop.example.test',
        target: TARGET,
        plan: 'Pro',
        deployed: true,
        certificate: false,
        thorough,
      },
      {
        dns,
        clock: createVirtualClock(),
        random: counter(),
        resolvers: [RESOLVER],
        probes: { ...createProbes(), json },
      },
    );
    return { report, requests, queried: dns.queries.some((line) => line.includes('_domainconnect')) };
  }

  test('of a wrong record has the link', async () => {
    const { report } = await check('shop A 198.51.100.99');
    expect(report.provider?.domainConnect?.url).toBe('https://panel.dns.test/zones/example.test');
  });

  test('of a correct record neither queries nor requests anything more', async () => {
    const { report, requests, queried } = await check(`shop CNAME ${TARGET}.`);
    expect(report).not.toHaveProperty('provider');
    expect({ requests, queried }).toEqual({ requests: 0, queried: false });
  });

  test('of a correct record has the link if it is thorough', async () => {
    const { report } = await check(`shop CNAME ${TARGET}.`, true);
    expect(report.provider?.domainConnect?.name).toBe('Example DNS');
  });

  test('of a watch makes no request for a link that the watch does not show', async () => {
    const world = worldWith('shop A 198.51.100.99', '_domainconnect TXT api.dns.test');
    const dns = fakeDns(world);
    const { context: other } = contextOf(world);
    const checker = await createChecker(
      {
        dns,
        clock: createVirtualClock(),
        random: counter(),
        resolvers: [RESOLVER],
        // Slow enough for a link that is searched for at the same time.
        probes: {
          ...createProbes(),
          platform: () =>
            findDomainConnect(other, ZONE, () => Promise.resolve(SETTINGS)).then(() => undefined),
        },
      },
      { redirectsWhenRight: true },
    );
    const probe = { platform: true };
    const report = await checker.check({
      domain: 'shop.example.test',
      target: TARGET,
      certificate: false,
      probe,
    });
    checker.close();
    expect(report).toMatchObject({ state: 'action-required' });
    expect(dns.queries.filter((line) => line.includes('_domainconnect'))).toEqual([]);
  });

  test('does not wait for a provider that does not respond', async () => {
    const clock = createVirtualClock();
    const requested: string[] = [];
    const checking = checkDomain(
      { domain: 'shop.example.test', target: TARGET, plan: 'Pro', deployed: true, certificate: false },
      {
        dns: fakeDns(worldWith('shop A 198.51.100.99', '_domainconnect TXT api.dns.test')),
        clock,
        random: counter(),
        resolvers: [RESOLVER],
        probes: {
          ...createProbes(),
          json(url) {
            requested.push(url.hostname);
            return new Promise(() => undefined);
          },
        },
      },
    );
    let report: Awaited<typeof checking> | undefined;
    void checking.then((done) => (report = done));
    while (requested.length === 0) await clock.advance(1);
    expect(report).toBeUndefined();
    expect(clock.delays).toEqual([2_000]);
    await clock.next();
    await clock.advance(1);
    expect(report).toMatchObject({ state: 'action-required' });
    expect(report).not.toHaveProperty('provider');
  });
});
