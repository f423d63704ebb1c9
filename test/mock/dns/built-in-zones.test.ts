import { describe, expect, test } from 'vitest';
import { BUILT_IN_NAMES } from '../../../src/mock/dns/built-in-names.js';
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

type Tried = [name: string, type: string, options: QueryOptions, received: string];

/** Their problem is not in the DNS: test/mock/web. */
const WEB_NAMES = BUILT_IN_NAMES.filter(({ shows }) => /^(?:cert|redirect)\./.test(shows));

const TRIED: readonly Tried[] = [
  ...WEB_NAMES.map(({ name }): Tried => [name, 'CNAME', {}, RIGHT]),
  ['shop.example.test', 'A', resolver, `${RIGHT}, A 192.0.2.80`],
  ['www.example.test', 'CNAME', {}, RIGHT],
  ['xn--mnchen-3ya.example.test', 'CNAME', {}, RIGHT],
  ['xn--strae-oqa.test', 'A', {}, 'A 192.0.2.80'],
  ['proxied.example.test', 'A', {}, 'A 198.51.100.9'],
  ['wrong.example.test', 'CNAME', {}, 'CNAME www.elsewhere.test'],
  ['shop.elsewhere.example', 'A', {}, 'REFUSED'],
  ['renamed.old.example.test', 'CNAME', {}, 'DNAME new.example.test, CNAME renamed.new.example.test'],
  ['test', 'NS', resolver, 'NS a.nic.test'],
  ['missing.example.com', 'A', resolver, 'NXDOMAIN'],
  ['control.example.test', 'CNAME', {}, 'CNAME \u001b[31mred\u0007.example.test'],
  ['denied.example.test', 'CNAME', {}, RIGHT],
  ['denied.example.test', 'AAAA', {}, 'NXDOMAIN'],
  ['shop.ns-mismatch.test', 'NS', parent, 'to ns1.dns.test, ns.old-dns.test'],
  ['shop.lame.test', 'CNAME', { server: '127.0.0.14' }, 'lame'],
  // The resolver queries the silent servers first.
  ['shop.half-silent.test', 'CNAME', resolver, RIGHT],
  ['shop.silent.test', 'A', resolver, 'SERVFAIL'],
  ['old-ipv6.test', 'AAAA', {}, 'AAAA 2001:db8:bad::9'],
  ['ipv4-only.test', 'A', {}, 'A 192.0.2.80'],
  ['ipv6-only.test', 'AAAA', {}, 'AAAA 2001:db8::80'],
  ['team.example.test', 'SOA', {}, 'to ns.other.dns.test'],
  ['unlucky.example.test', 'A', resolver, 'SERVFAIL'],
  ['slow.example.test', 'CNAME', {}, RIGHT],
  ['wrong-id.example.test', 'CNAME', {}, RIGHT],
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
});

test('uses loopback and documentation addresses, except the reserved one', () => {
  const addresses = readZoneFile(BUILT_IN_ZONES)
    .zones.flatMap(({ records }) => records)
    .filter(({ type }) => type === 'A')
    .map(ipv4Of);
  const allowed = /^(127\.0\.0\.\d+|192\.0\.2\.\d+|198\.51\.100\.\d+|10\.0\.0\.8)$/;
  expect(addresses.filter((address) => !allowed.test(address))).toEqual([]);
});
