import { expect, test } from 'vitest';
import { checkDomain } from '../../src/domain/run/checks.js';
import { RIGHT, SHOP, testChecks } from './checked-domain.js';
import { failure, fakeDns, respond, type World } from './fake-dns.js';
import { counter, EXAMPLE, NS1, NS2, RESOLVER, TARGET, TLD, worldOf } from './world.js';

const UNREACHABLE_NS = { [NS1]: 'silent', [NS2]: 'silent' } as const;

testChecks('a subdomain', SHOP, {
  'one server behind': [
    worldOf(['@ 900 SOA ns1 2', RIGHT], { copies: copy([...EXAMPLE, '@ 900 SOA ns1 1']) }),
    'propagating: record.partial wait, zone.serial-skew wait, caa.ok',
  ],
  'servers that disagree': [
    worldOf([RIGHT], { copies: copy(EXAMPLE) }),
    'propagating: record.partial wait, caa.ok',
  ],
  'one server lame': [
    worldOf([RIGHT], { faults: { [NS2]: 'lame' } }),
    'verified: zone.lame-ns warn, record.ok, caa.ok, prop.done',
  ],
  'one server silent': [
    worldOf([RIGHT], { faults: { [NS2]: 'silent' } }),
    'verified: zone.unreachable-ns warn, record.ok, caa.ok, prop.done',
  ],
  'all servers without HTTPS queries': [
    worldOf([RIGHT], { replace: dropping('HTTPS') }),
    'verified: zone.unreachable-ns warn, record.ok, caa.ok, prop.done',
  ],
  'all servers without HTTPS queries, of an apex': [
    worldOf([`@ ALIAS ${TARGET}.`], { replace: dropping('HTTPS') }),
    'verified, apex: zone.unreachable-ns warn, apex.alias-proved, caa.ok, prop.done',
    'example.test',
  ],
  'all servers without CAA queries': [
    worldOf([RIGHT], { replace: dropping('CAA') }),
    'verified: caa.lookup-failed unknown, record.ok, prop.done',
  ],
  'all servers silent': [
    worldOf([RIGHT], { faults: UNREACHABLE_NS }),
    'inconclusive, subdomain in example.test by public-suffix: zone.unreachable-ns unknown',
  ],
  'all servers refuse': [
    worldOf([RIGHT], { faults: { [NS1]: 'REFUSED', [NS2]: 'REFUSED' } }),
    'action-required, subdomain in example.test by public-suffix: zone.lame-ns block',
  ],
  'a cached old address': [
    worldOf([RIGHT], { cached: { [`A ${SHOP}`]: ['@ 1200 A 192.0.2.99'] } }),
    'propagating: prop.stale-positive wait, record.ok, caa.ok',
  ],
  'a cached absence': [
    worldOf([RIGHT], { cached: forgotten() }),
    'propagating: prop.stale-negative wait, record.ok, caa.ok',
  ],
  'the resolver blocks the domain': [
    worldOf([RIGHT], {
      replace: (query) =>
        query.startsWith(RESOLVER) && query.endsWith(SHOP)
          ? respond({ rcode: 'NXDOMAIN', recursionAvailable: true })
          : undefined,
    }),
    'inconclusive: prop.resolver-error unknown, record.ok, caa.ok',
  ],
  'the resolver fails': [
    worldOf([RIGHT], { rcodes: failing(RESOLVER, SHOP) }),
    'inconclusive: prop.resolver-error unknown, record.ok, caa.ok',
  ],
  'CAA for another authority': [
    [RIGHT, '@ CAA 0 issue other.test'],
    'action-required: caa.blocked block, record.ok, prop.done',
  ],
  'CAA that fails': [
    worldOf([RIGHT], {
      rcodes: { [`${NS1} CAA ${SHOP}`]: 'SERVFAIL', [`${NS2} CAA ${SHOP}`]: 'SERVFAIL' },
    }),
    'action-required: caa.lookup-failed block, record.ok, prop.done',
  ],
});

function dropping(type: string): NonNullable<World['replace']> {
  return (query) => (query.includes(` ${type} `) ? failure('timeout', 'no response within 2 s') : undefined);
}

/** What ns2 has instead. */
function copy(lines: readonly string[]): NonNullable<World['copies']> {
  return { [`${NS2} example.test`]: lines };
}

function forgotten(): NonNullable<World['cached']> {
  const absence = ['@ 600 SOA ns1 1 900'];
  return { [`A ${SHOP}`]: absence, [`AAAA ${SHOP}`]: absence, [`CNAME ${SHOP}`]: absence };
}

function failing(address: string, name: string): NonNullable<World['rcodes']> {
  return Object.fromEntries(['A', 'AAAA', 'CNAME'].map((type) => [`${address} ${type} ${name}`, 'SERVFAIL']));
}

test('a dead system resolver and a blocked public one only warn', async () => {
  const world = worldOf([RIGHT], { resolvers: [RESOLVER], faults: { '192.0.2.54': 'silent' } });
  const system = [RESOLVER, '192.0.2.54'].map((address) => ({
    address,
    port: 53,
    transport: 'dns' as const,
  }));
  const options = { dns: fakeDns(world), random: counter(), systemResolvers: system, usePublic: false };
  const report = await checkDomain({ domain: SHOP, target: TARGET, plan: 'Pro', deployed: true }, options);
  expect(report.state).toBe('verified');
  expect(report.findings.map(({ id, severity }) => `${id} ${severity}`)).toContain(
    'prop.resolver-error warn',
  );
});

test('a network that intercepts DNS is decided by DNS over HTTPS', async () => {
  const doh = 'https://dns.example/dns-query';
  const world = worldOf([RIGHT], {
    resolvers: [doh],
    faults: { [TLD]: 'REFUSED', [NS1]: 'REFUSED', [NS2]: 'REFUSED' },
  });
  const options = { dns: fakeDns(world), random: counter(), doh };
  const request = { domain: SHOP, target: TARGET, plan: 'Pro', deployed: true };
  const report = await checkDomain(request, options);
  expect(report.state).toBe('verified');
  const found = report.findings.find(({ id }) => id === 'zone.intercepted');
  expect(found).toMatchObject({ severity: 'warn' });
  expect(found?.message).toContain('the view of dns.example');
  expect(report.observed).toMatchObject({ authoritative: [], recursive: [{ resolver: 'dns.example' }] });
});
