import { describe, expect, test } from 'vitest';
import { BUILT_IN_NAMES, PLATFORM_TARGET } from '../../../src/mock/dns/built-in-names.js';
import { BUILT_IN_ZONES } from '../../../src/mock/dns/built-in-zones.js';
import { ipv4Of } from '../../../src/mock/dns/record.js';
import { readZoneFile } from '../../../src/mock/dns/zone-file.js';
import { dnsWithoutSockets, type QueryOptions } from './dns-client.js';

/** The findings of the domain checks that need only DNS. */
const FINDINGS = `
name.idn zone.not-registered zone.no-delegation zone.lame-ns zone.unreachable-ns zone.ns-mismatch zone.serial-skew
zone.split-providers zone.dnssec-bogus
record.missing record.partial record.wrong-target record.typo-target record.missing-dot record.doubled-label record.chain
record.loop record.dangling record.wildcard record.ttl record.reserved-address record.ok
conflict.address conflict.coexist conflict.multiple-cname conflict.other-types conflict.https-rr
apex.missing apex.cname apex.wrong-address apex.mixed apex.aaaa-stale apex.alias-proved apex.alias-consistent
apex.looks-copied apex.alias-broken caa.blocked caa.critical caa.lookup-failed caa.ok
prop.stale-positive prop.stale-negative prop.resolver-error prop.done`
  .trim()
  .split(/\s+/);

const RIGHT = 'CNAME cname.platform.test';
const DIGEST = '6b6f1c1e0a5d4b3c2d1e0f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c4d3e2f1a0b9c';
const SOA_OF_OTHER = 'SOA ns.other.dns.test hostmaster.dns.test 2026010101 7200 900 1209600 900';
const resolver = { recursive: true };
const parent = { server: '127.0.0.10' };

/** The result of a query: `CNAME cname.platform.test`, `NODATA`, `NXDOMAIN`, `SERVFAIL`, `silence`, … */
function received(name: string, type: string, options: QueryOptions = {}): string {
  const dns = dnsWithoutSockets();
  try {
    const { head, answers, authority } = dns.query(name, type, options);
    const data = answers.map((text) => text.split(' ').slice(2).join(' ')).join(', ');
    const [rcode = '', ...flags] = head.split(' ');
    if (data !== '') return data;
    if (authority[0]?.includes(' NS ') === true)
      return `to ${authority.map((text) => text.split(' ').at(-1)).join(', ')}`;
    if (flags.includes('tc')) return 'TC';
    return rcode === 'NOERROR' ? (flags.length === 0 ? 'lame' : 'NODATA') : rcode;
  } catch (error) {
    return error instanceof RangeError ? 'malformed' : 'silence';
  }
}

test('has a name for every finding about DNS', () => {
  const shown = new Set(BUILT_IN_NAMES.flatMap(({ shows }) => shows.split(', ')));
  expect(FINDINGS.filter((finding) => !shown.has(finding))).toEqual([]);
});

test('has unique names, each with a test: here, or by its findings in test/domain/end-to-end.test.ts', () => {
  expect(new Set(BUILT_IN_NAMES.map(({ name }) => name)).size).toBe(BUILT_IN_NAMES.length);
  const others = BUILT_IN_NAMES.filter(
    ({ shows }) => !shows.split(', ').every((id) => FINDINGS.includes(id)),
  );
  const tried = new Set(TRIED.map(([name]) => name));
  expect(others.map(({ name }) => name).filter((name) => !tried.has(name))).toEqual([]);
});

/** Names whose name servers have the right CNAME record. Some of them differ elsewhere: see below, and test/mock/web. */
const RIGHT_NAMES = `
shop.example.test www.example.test xn--mnchen-3ya.example.test doubled.example.test.example.test
any.wild.example.test random.wild.example.test long-ttl.example.test coexist.example.test
denied.example.test https.example.test shop.behind.test shop.partial.test
shop.split.test shop.half-lame.test shop.half-silent.test shop.dnssec.test
moved.example.test fresh.example.test unlucky.example.test wrong-id.example.test
slow.example.test cert-pending.example.test cert-expired.example.test cert-expiring.example.test
cert-wrong-name.example.test cert-self-signed.example.test no-tls.example.test redirect-status.example.test
redirect-target.example.test redirect-missing.example.test redirect-loop.example.test redirect-downgrade.example.test
redirect-no-cert.example.test redirect-no-path.example.test`
  .trim()
  .split(/\s+/);

type Tried = [name: string, type: string, options: QueryOptions, received: string];

const TRIED: readonly Tried[] = [
  ...RIGHT_NAMES.map((name): Tried => [name, 'CNAME', {}, RIGHT]),
  ['shop.example.test', 'A', resolver, `${RIGHT}, A 192.0.2.80`],
  ['example.test', 'A', {}, 'A 192.0.2.80'],
  ['mail.example.test', 'MX', {}, 'MX 10 mx.dns.test'],
  ['wrong.example.test', 'CNAME', {}, 'CNAME www.elsewhere.test'],
  ['proxied.example.test', 'A', {}, 'A 198.51.100.9'],
  ['renamed.old.example.test', 'A', resolver, `CNAME renamed.new.example.test, ${RIGHT}, A 192.0.2.80`],
  ['loop.example.test', 'A', {}, 'CNAME loop-back.example.test, CNAME loop.example.test'],
  ['loop.example.test', 'A', resolver, 'SERVFAIL'],
  ['dangling.example.test', 'CNAME', {}, 'CNAME gone.platform.test'],
  ['dangling.example.test', 'A', resolver, 'CNAME gone.platform.test'],
  ['shop.elsewhere.example', 'A', {}, 'REFUSED'],
  ['shop.example.test', 'A', {}, RIGHT],
  ['renamed.old.example.test', 'CNAME', {}, 'DNAME new.example.test, CNAME renamed.new.example.test'],
  ['example.test', 'NS', resolver, 'NS ns1.example.test, NS ns2.example.test'],
  ['test', 'NS', resolver, 'NS a.nic.test'],
  ['ns1.example.test', 'A', resolver, 'A 127.0.0.1'],
  ['missing.example.com', 'A', resolver, 'NXDOMAIN'],
  ['mail.example.test', 'A', resolver, 'NODATA'],
  ['gone.platform.test', 'A', {}, 'NXDOMAIN'],
  ['random.example.test', 'CNAME', {}, 'NXDOMAIN'],
  ['control.example.test', 'CNAME', {}, 'CNAME \u001b[31mred\u0007.example.test'],
  ['blocked.example.test', 'A', {}, 'A 198.51.100.9'],
  ['blocked.example.test', 'AAAA', {}, 'AAAA 2001:db8:bad::9'],
  ['blocked.example.test', 'CNAME', {}, 'NODATA'],
  ['denied.example.test', 'AAAA', {}, 'NXDOMAIN'],
  ['shop.ns-mismatch.test', 'NS', parent, 'to ns1.dns.test, ns.old-dns.test'],
  ['ns-mismatch.test', 'NS', {}, 'NS ns1.dns.test, NS ns2.dns.test'],
  ['shop.ns-mismatch.test', 'CNAME', { server: '127.0.0.3' }, 'CNAME cname.platform.test'],
  ['shop.split.test', 'CNAME', { server: '127.0.0.3' }, 'NXDOMAIN'],
  ['split.test', 'SOA', { server: '127.0.0.3' }, SOA_OF_OTHER],
  ['shop.half-lame.test', 'CNAME', { server: '127.0.0.11' }, 'REFUSED'],
  ['shop.lame.test', 'CNAME', parent, 'to ns.lame.dns.test'],
  ['shop.lame.test', 'CNAME', { server: '127.0.0.14' }, 'lame'],
  ['shop.half-silent.test', 'CNAME', { server: '127.0.0.12' }, 'silence'],
  ['shop.silent.test', 'CNAME', parent, 'to ns.silent.dns.test'],
  ['shop.silent.test', 'CNAME', { server: '127.0.0.12' }, 'silence'],
  ['shop.failing.test', 'CNAME', { server: '127.0.0.13' }, 'SERVFAIL'],
  // The resolver queries the silent servers first.
  ...['shop.half-lame.test', 'shop.half-silent.test', 'shop.team.example.test'].map((name): Tried => [
    name,
    'CNAME',
    resolver,
    RIGHT,
  ]),
  ...['shop.lame.test', 'shop.silent.test', 'shop.failing.test', 'dead.test', 'broken-alias.test'].map(
    (name): Tried => [name, 'A', resolver, 'SERVFAIL'],
  ),
  ['ns1.nowhere.test', 'A', resolver, 'NXDOMAIN'],
  ['apex-cname.test', 'A', {}, RIGHT],
  ['apex-cname.test', 'SOA', {}, 'SOA ns1.dns.test hostmaster.dns.test 1 7200 900 1209600 900'],
  ['old-ipv6.test', 'AAAA', {}, 'AAAA 2001:db8:bad::9'],
  ['ipv6-only.test', 'AAAA', {}, 'AAAA 2001:db8::80'],
  ['ipv4-only.test', 'A', {}, 'A 192.0.2.80'],
  ['broken-alias.test', 'A', {}, 'SERVFAIL'],
  ['team.example.test', 'SOA', {}, 'to ns.other.dns.test'],
  ['team.example.test', 'A', { server: '127.0.0.3' }, 'A 192.0.2.80'],
  ['shop.team.example.test', 'CNAME', { server: '127.0.0.3' }, RIGHT],
  ['xn--strae-oqa.test', 'A', {}, 'A 192.0.2.80'],
  ['shop.caa-failing.test', 'CAA', resolver, 'SERVFAIL'],
  ['shop.caa-failing.test', 'A', resolver, `${RIGHT}, A 192.0.2.80`],
  ['shop.dnssec.test', 'CNAME', parent, 'to ns1.dns.test, ns2.dns.test'],
  ['dnssec.test', 'DS', parent, `DS 12345 13 2 ${DIGEST}`],
  ['dnssec.test', 'DNSKEY', {}, 'NODATA'],
  ['shop.dnssec.test', 'A', resolver, 'SERVFAIL'],
  ['shop.dnssec.test', 'A', { ...resolver, checkingDisabled: true }, `${RIGHT}, A 192.0.2.80`],
  ['moved.example.test', 'A', resolver, 'A 198.51.100.9'],
  ['fresh.example.test', 'A', resolver, 'NXDOMAIN'],
  ['unlucky.example.test', 'A', resolver, 'SERVFAIL'],
  ['large.example.test', 'TXT', {}, 'TC'],
  ['truncated.example.test', 'CNAME', {}, 'TC'],
  ['truncated.example.test', 'CNAME', { over: 'tcp' }, RIGHT],
  ['no-edns.example.test', 'CNAME', {}, 'FORMERR'],
  ['no-edns.example.test', 'CNAME', { edns: false }, RIGHT],
  ['hostile.example.test', 'CNAME', {}, 'malformed'],
];

describe('built-in name', () => {
  test.each(TRIED)('%s %s %j: %s', (name, type, options, expected) => {
    expect(received(name, type, options)).toBe(expected);
  });

  test('has its DS record in a referral to a query with DO only', () => {
    const typesOf = (dnssecOk: boolean) =>
      dnsWithoutSockets()
        .query('shop.dnssec.test', 'CNAME', { ...parent, dnssecOk })
        .authority.map((text) => text.split(' ')[2]);
    expect(typesOf(true)).toEqual(['NS', 'NS', 'DS']);
    expect(typesOf(false)).toEqual(['NS', 'NS']);
  });

  test('shows the TTL of an ALIAS and of its imitations', () => {
    const dns = dnsWithoutSockets();
    const ttls = (name: string) =>
      [0, 2_000].map((waitedMs) => {
        dns.now += waitedMs;
        return Number(dns.query(name, 'A').answers[0]?.split(' ')[1]);
      });
    expect(ttls('alias.test')).toEqual([60, 58]);
    expect(ttls('steady.test')).toEqual([60, 60]);
    expect(ttls('copied.test')).toEqual([3_600, 3_600]);
    expect(ttls(PLATFORM_TARGET)).toEqual([60, 60]);
  });
});

test('uses loopback and documentation addresses, except the reserved one', () => {
  const addresses = readZoneFile(BUILT_IN_ZONES)
    .zones.flatMap(({ records }) => records)
    .filter(({ type }) => type === 'A')
    .map(ipv4Of);
  const allowed = /^(127\.0\.0\.\d+|192\.0\.2\.\d+|198\.51\.100\.\d+|10\.0\.0\.8)$/;
  expect(addresses.filter((address) => !allowed.test(address))).toEqual([]);
});
