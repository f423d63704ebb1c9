import { mkdtempSync, rmSync } from 'node:fs';
import type { Socket } from 'node:dgram';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkDomain, type CheckOptions, type Report } from '../../src/domain/index.js';
import { createLab, describeServers, type Lab } from './lab.js';
import { startNameServer } from './name-server.js';
import { SIGNING_PROGRAMS, whyNotHere } from './programs.js';
import { startRelay } from './relay.js';
import { startResolver } from './resolver.js';
import { EXPIRED, signZone, type SignedZone } from './sign-zone.js';
import { delegationOf, platformZone, type ServedZone, topZones } from './zone-text.js';

const ADDRESS = {
  registry: '127.53.1.1',
  first: '127.53.1.2',
  second: '127.53.1.3',
  resolver: '127.53.1.4',
  unsteady: '127.53.1.5',
};

/** A zone whose record points to the platform. */
function zoneOf(
  label: string,
  target: string,
  hosts: ServedZone['hosts'] = { ns1: ADDRESS.first },
): ServedZone {
  return { name: `${label}.test`, serial: 1, hosts, records: [`shop CNAME ${target}.`] };
}

const TARGET = 'cname.platform.test';
const PLATFORM = platformZone(ADDRESS.first);

describeServers('DNSSEC, with a validating resolver', whyNotHere(SIGNING_PROGRAMS), () => {
  let lab: Lab<keyof typeof ADDRESS>;
  let folder: string;
  let unsteady: Socket;

  beforeAll(async () => {
    lab = await createLab(ADDRESS);
    const { at, daemons } = lab;
    folder = mkdtempSync(join(tmpdir(), 'petstore-dnssec-'));
    const both = { ns1: ADDRESS.first, ns2: ADDRESS.second };
    const sign = (name: string, zone: ServedZone, validity?: typeof EXPIRED): Promise<SignedZone> =>
      signZone(join(folder, name), zone, validity);
    const [right, wrongDs, otherKey, expired, oneExpired, platform, brokenPlatform] = await Promise.all([
      sign('right', zoneOf('right', TARGET)),
      sign('wrong-ds', zoneOf('wrong-ds', TARGET)),
      sign('other-key', zoneOf('wrong-ds', TARGET)),
      sign('expired', zoneOf('expired', TARGET), EXPIRED),
      sign('one-expired', zoneOf('one-expired', TARGET, both)),
      sign('platform', PLATFORM),
      sign('broken-platform', { ...PLATFORM, name: 'broken-platform.test' }, EXPIRED),
    ]);
    // The same key, other dates.
    const oneExpiredOld = await sign('one-expired', zoneOf('one-expired', TARGET, both), EXPIRED);
    const leftOver = zoneOf('left-over', TARGET);
    const unsigned = zoneOf('unsigned', TARGET);
    const onBroken = zoneOf('on-broken', 'cname.broken-platform.test');
    const delegations: [ServedZone, readonly string[]][] = [
      [right, right.ds],
      [wrongDs, otherKey.ds],
      [expired, expired.ds],
      [oneExpired, oneExpired.ds],
      [leftOver, right.ds.map((line) => line.replace('right.', 'left-over.'))],
      [unsigned, []],
      [onBroken, []],
      [platform, platform.ds],
      [brokenPlatform, brokenPlatform.ds],
    ];
    const records = delegations.flatMap(([zone, ds]) => [...delegationOf(zone), ...ds]);
    const [root, top] = topZones(ADDRESS.registry, records);
    const registry = await sign('registry', top);
    const served = delegations.map(([zone]) => zone);
    await Promise.all([
      startNameServer('knot', daemons, at('registry'), [root, registry]),
      startNameServer('knot', daemons, at('first'), served),
      startNameServer('knot', daemons, at('second'), [oneExpiredOld]),
    ]);
    await startResolver('unbound', daemons, at('resolver'), at('registry'), served, {
      trustAnchors: registry.ds,
    });
    unsteady = await startRelay(at('unsteady'), at('resolver'), failOnce());
  });
  afterAll(async () => {
    (unsteady as Socket | undefined)?.close();
    await (lab as Lab<string> | undefined)?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const check = (domain: string, target = TARGET, others: CheckOptions = {}): Promise<Report> =>
    checkDomain({ domain, target, plan: 'Pro', deployed: true }, { ...lab.options('resolver'), ...others });

  test.each([['shop.right.test'], ['shop.unsigned.test']])('%s is verified', async (domain) => {
    const report = await check(domain);
    expect(report.findings.map(({ id }) => id)).not.toContain('zone.dnssec-bogus');
    expect(report.state).toBe('verified');
  });

  test.each([
    ['shop.wrong-ds.test', 'matches no key', 'at your registrar'],
    ['shop.left-over.test', 'do not sign the zone', 'Remove the DS record'],
    ['shop.expired.test', 'expired at', 'Keep the DS record'],
    ['shop.one-expired.test', 'at ns2.one-expired.test (127.53.1.3) expired at', 'sign the zone again'],
  ])('%s: action required, because %s', async (domain, why, remedy) => {
    const report = await check(domain);
    expect(report.state).toBe('action-required');
    const finding = report.findings.find(({ id }) => id === 'zone.dnssec-bogus');
    expect(finding).toMatchObject({ axis: 'zone', severity: 'block' });
    expect(finding?.message).toContain(why);
    expect(finding?.fix?.text).toContain(remedy);
    // A certificate authority validates too.
    expect(report.findings.map(({ id }) => id)).not.toContain('caa.ok');
    expect(report.findings.map(({ id }) => id)).not.toContain('prop.resolver-error');
  });

  test('a DS record without a key is removed, and a wrong one is replaced by what the provider shows', async () => {
    const wrong = await check('shop.wrong-ds.test');
    expect(wrong.todo).toEqual([]);
    expect(wrong.findings[0]?.fix?.text).toContain(
      'with the one that your DNS provider shows under "DNSSEC"',
    );
    const removed = {
      at: 'your registrar',
      action: 'remove',
      record: { type: 'DS', name: 'left-over.test' },
    };
    expect((await check('shop.left-over.test')).todo).toMatchObject([removed]);
    expect((await check('shop.expired.test')).todo).toEqual([]);
  });

  test('one SERVFAIL of a resolver does not show broken DNSSEC', async () => {
    const report = await check('shop.right.test', TARGET, lab.options('unsteady'));
    const ids = report.findings.map(({ id, severity }) => `${id} ${severity}`);
    expect(ids).not.toContain('zone.dnssec-bogus block');
    expect(ids).toContain('prop.resolver-error unknown');
    expect(report.state).toBe('inconclusive');
  });

  test('a missing record is reported too', async () => {
    const report = await check('other.expired.test');
    const ids = report.findings.filter(({ severity }) => severity === 'block').map(({ id }) => id);
    expect(ids.sort()).toEqual(['record.missing', 'zone.dnssec-bogus']);
  });

  test("the target's zone is the platform's to repair", async () => {
    const report = await check('shop.on-broken.test', 'cname.broken-platform.test');
    const finding = report.findings.find(({ id }) => id === 'zone.dnssec-bogus');
    expect(report.state).toBe('action-required');
    expect(finding?.message).toContain('DNSSEC of broken-platform.test is broken');
    expect(finding?.fix?.text).toContain('Contact the support of the service');
  });
});

/** Fails the first query for each type of addresses that asks for validation. */
function failOnce(): (query: Buffer) => Buffer | undefined {
  const failed = new Set<string>();
  return (query) => {
    const question = query.toString('latin1', 12).toLowerCase();
    const isChecking = (query.readUInt8(3) & 0x10) === 0;
    if (!isChecking || !question.includes('right') || failed.has(question)) return undefined;
    failed.add(question);
    const response = Buffer.from(query);
    response.writeUInt16BE(0x8182, 2);
    return response;
  };
}
