import type { CheckRequest } from '../../src/domain/request/options.js';
import type { State } from '../../src/domain/report/report.js';
import { respond, type World } from './fake-dns.js';
import { NOON } from '../support/virtual-clock.js';
import { closed, expired, platforms, selfSigned, strangers } from './certificate-builder.js';
import { type Web, webProbe } from './served-web.js';
import { NS1, NS2, PLATFORM, RESOLVER, RIGHT, TARGET, worldOf, zoneLab } from './world.js';

/** What an owner did, what a check shows, and what its advice leads to. Also a table of docs/domains.md. */
export interface Situation {
  did: string;
  /** Lines of example.test in addition to its name servers, or all servers. */
  at: readonly string[] | World;
  request?: Partial<CheckRequest>;
  /** The finding that matters. */
  shows: string;
  /** Whether the provider appends the zone to a value without a final dot. */
  appendsZone?: true;
  /** What advice in words says, done. Without it, only the changes of `todo` are made. */
  then?: (world: World) => World;
  /** What the web servers of the domain serve, if that is probed. In the end, they serve what is right. */
  web?: Web;
  /** What changes of the request: the plan, the deploy, the domain or a redirect entry. */
  thenRequest?: Partial<CheckRequest>;
  /** The state in the end. Default: `verified`. */
  end?: State;
}

const OLD = 'A 198.51.100.7';
const APEX = { domain: 'example.test' };
const LE = { issuer: 'letsencrypt.org' };

/** A domain that was verified an hour before the check. */
const PROBED = { certificate: true, verifiedAt: new Date(NOON - 3_600_000) };
const REDIRECTED = {
  ...PROBED,
  redirects: [{ from: 'www.example.test', to: 'shop.example.test', status: 301 }],
};

/** The servers of a situation, and checks that query them. */
export function situationLab({ at, web }: Situation) {
  const state: { web: Web } = { web: web ?? {} };
  const lab = zoneLab('zones' in at ? at : worldOf(at), {}, { probe: webProbe(() => state.web) });
  return Object.assign(state, lab);
}

/** Servers with another service, whose names resolve. */
function world(lines: readonly string[], overrides: Partial<World> = {}): World {
  const base = worldOf(lines, overrides);
  return {
    ...base,
    zones: {
      'elsewhere.test': ['@ NS ns.platform.test.', 'www A 198.51.100.7'],
      ...base.zones,
      test: [...(base.zones.test ?? []), 'elsewhere NS ns.platform'],
    },
    servers: { ...base.servers, [PLATFORM]: ['platform.test', 'elsewhere.test'] },
  };
}

/** The zone at a provider, by the names of its two servers. */
function hosted(host: string, lines: readonly string[]): World {
  const hosts = [host, host.replace(/\d/, (digit) => String(Number(digit) + 1))];
  const domain = host.split('.').slice(-2).join('.');
  const base = world([]);
  const ns = (owner: string): string[] => hosts.map((one) => `${owner} NS ${one}.`);
  const test = (base.zones.test ?? []).filter((line) => !line.includes('example'));
  return {
    ...base,
    zones: {
      ...base.zones,
      test: [...test, ...ns('example')],
      'example.test': [...ns('@'), ...lines],
      [domain]: [NS1, NS2].map((address, index) => `${hosts[index] ?? ''}. A ${address}`),
    },
  };
}

const withLines = (world: World, change: (lines: readonly string[]) => readonly string[]): World => ({
  ...world,
  zones: { ...world.zones, 'example.test': change(world.zones['example.test'] ?? []) },
});
const replacing = (from: string, to: string) => (world: World) =>
  withLines(world, (lines) => [...lines.filter((line) => !line.includes(from)), ...(to === '' ? [] : [to])]);
const working = (world: World): World => ({
  ...world,
  faults: {},
  copies: {},
  cached: {},
  rcodes: {},
  replace: () => undefined,
});
const parent = (lines: readonly string[]) => (world: World) => ({
  ...world,
  zones: {
    ...world.zones,
    test: [...(worldOf([]).zones.test ?? []).filter((line) => !line.includes('example')), ...lines],
  },
});
const DELEGATED = [
  'example NS ns1.example',
  'example NS ns2.example',
  `ns1.example A ${NS1}`,
  `ns2.example A ${NS2}`,
];

/** The second server, which only the registrar lists, has a copy of its own. */
const copied = (lines: readonly string[], others: readonly string[]): World => {
  const base = worldOf([], { copies: { [`${NS2} example.test`]: ['@ NS ns1', `ns1 A ${NS1}`, ...others] } });
  return withLines(base, () => ['@ NS ns1', `ns1 A ${NS1}`, ...lines]);
};
const failing = (type: string, ...names: readonly string[]) =>
  Object.fromEntries(
    [NS1, NS2].flatMap((address) => names.map((name) => [`${address} ${type} ${name}`, 'SERVFAIL'])),
  );
const moved = (url: string, location: string, status = 301) =>
  ({ url, response: { kind: 'response', status, location } }) as const;

// prettier-ignore
export const SITUATIONS: readonly Situation[] = [
  { did: 'set the right CNAME', at: [RIGHT], shows: 'record.ok' },
  { did: 'no record yet', at: [], shows: 'record.missing' },
  { did: 'no record yet; the zone is at GoDaddy', at: hosted('ns1.domaincontrol.com', []), shows: 'record.missing' },
  { did: 'no record yet; the zone is at Namecheap', at: hosted('dns1.registrar-servers.com', []), shows: 'record.missing' },
  { did: 'no record yet; the zone is at Cloudflare', at: hosted('ada1.ns.cloudflare.com', []), shows: 'record.missing' },
  { did: 'left the A record of the old host', at: [`shop ${OLD}`], shows: 'conflict.address' },
  { did: 'left the A record of the old host, at GoDaddy', at: hosted('ns1.domaincontrol.com', [`shop ${OLD}`]), shows: 'conflict.address' },
  { did: 'left A and AAAA records of the old host', at: [`shop ${OLD}`, 'shop AAAA 2001:db8::7'], shows: 'conflict.address' },
  { did: 'left only an AAAA record', at: ['shop AAAA 2001:db8::7'], shows: 'conflict.address' },
  { did: 'turned on the proxy of Cloudflare', at: hosted('ada1.ns.cloudflare.com', ['shop 300 A 104.16.1.1', 'shop 300 AAAA 2606:4700::1']), shows: 'conflict.address' },
  { did: 'left A and MX records', at: [`shop ${OLD}`, 'shop MX 10 mail.elsewhere.test.'], shows: 'conflict.other-types' },
  { did: "copied the target's address", at: ['shop A 192.0.2.80'], shows: 'conflict.address' },
  { did: 'set a private address', at: ['shop A 10.0.0.8'], shows: 'record.reserved-address' },
  { did: 'left the CNAME to the old host', at: world(['shop CNAME www.elsewhere.test.']), shows: 'record.wrong-target' },
  { did: 'left the CNAME to the old host, at GoDaddy', at: hosted('ns1.domaincontrol.com', ['shop CNAME www.elsewhere.test.']), shows: 'record.wrong-target' },
  { did: 'set a CNAME to the own apex', at: ['shop CNAME example.test.', `@ ${OLD}`], shows: 'record.wrong-target' },
  { did: 'mistyped the target', at: ['shop CNAME cname.platfrom.test.'], shows: 'record.typo-target' },
  { did: 'left out the final dot, at a provider that appends the zone', at: [`shop CNAME ${TARGET}`], appendsZone: true, shows: 'record.missing-dot' },
  { did: 'typed the full name, at a provider that appends the zone', at: [`shop.example.test CNAME ${TARGET}.`], shows: 'record.doubled-label' },
  { did: 'pasted a URL as the target', at: [`shop CNAME https://${TARGET}.`], shows: 'record.dangling' },
  { did: 'set a CNAME to a name that does not exist', at: ['shop CNAME gone.platform.test.'], shows: 'record.dangling' },
  { did: 'set two CNAMEs that point to each other', at: ['shop CNAME b.example.test.', 'b CNAME shop.example.test.'], shows: 'record.loop' },
  { did: 'added the CNAME next to the old A record', at: [RIGHT, `shop ${OLD}`], shows: 'conflict.coexist' },
  { did: 'added the CNAME next to A and AAAA records', at: [RIGHT, `shop ${OLD}`, 'shop AAAA 2001:db8::7'], shows: 'conflict.coexist' },
  { did: 'added the CNAME next to a TXT record', at: [RIGHT, 'shop TXT verify=1'], shows: 'conflict.coexist' },
  { did: 'added the CNAME next to an MX record', at: [RIGHT, 'shop MX 10 mail.elsewhere.test.'], shows: 'conflict.coexist' },
  { did: 'added the CNAME next to an HTTPS record', at: [RIGHT, 'shop HTTPS 1 www.elsewhere.test.'], shows: 'conflict.coexist' },
  { did: 'left an old CNAME next to an A record', at: world(['shop CNAME www.elsewhere.test.', `shop ${OLD}`]), shows: 'conflict.coexist' },
  { did: 'added the CNAME next to the old CNAME', at: world([RIGHT, 'shop CNAME www.elsewhere.test.']), shows: 'conflict.multiple-cname' },
  { did: 'left two old CNAMEs', at: world(['shop CNAME www.elsewhere.test.', 'shop CNAME old.elsewhere.test.']), shows: 'conflict.multiple-cname' },
  { did: 'set a TXT record instead', at: ['shop TXT verify=1'], shows: 'conflict.other-types' },
  { did: 'uses the name for mail', at: ['shop MX 10 mail.elsewhere.test.', 'shop TXT v=spf1'], shows: 'conflict.other-types' },
  { did: 'set an SRV record instead', at: [`shop SRV 1 1 443 ${TARGET}.`], request: { thorough: true }, shows: 'conflict.other-types' },
  { did: 'set a CAA record for the name, and no CNAME', at: ['shop CAA 0 issue letsencrypt.org'], request: LE, shows: 'conflict.other-types' },
  { did: 'left A and CAA records; CAA allows another authority only', at: [`shop ${OLD}`, 'shop CAA 0 issue other.example'], request: LE, shows: 'conflict.address' },
  { did: 'added the CNAME next to a CAA record', at: [RIGHT, 'shop CAA 0 issue other.example'], request: LE, shows: 'conflict.coexist' },
  { did: 'set an NS record instead', at: [`shop NS ${TARGET}.`], shows: 'conflict.other-types' },
  { did: 'points to the target through another own name', at: ['shop CNAME www.example.test.', `www CNAME ${TARGET}.`], shows: 'record.chain' },
  { did: 'has a wildcard with the target', at: [`* CNAME ${TARGET}.`], shows: 'record.wildcard' },
  { did: 'has a wildcard with another address', at: [`* ${OLD}`], shows: 'record.missing' },
  { did: 'chose a TTL of two days', at: [`shop 172800 CNAME ${TARGET}.`], shows: 'record.ttl' },
  { did: 'chose a TTL of five seconds', at: [`shop 5 CNAME ${TARGET}.`], shows: 'record.ttl' },
  { did: 'no record of a name with two labels', at: [], request: { domain: 'a.b.example.test' }, shows: 'record.missing' },
  { did: 'no record of an internationalised name', at: [], request: { domain: 'münchen.example.test' }, shows: 'record.missing' },
  { did: 'CAA allows another authority only', at: [RIGHT, '@ CAA 0 issue other.example'], request: LE, shows: 'caa.blocked' },
  { did: 'CAA allows no authority', at: [RIGHT, '@ CAA 0 issue ;'], request: LE, shows: 'caa.blocked' },
  { did: 'CAA has an unknown critical property', at: [RIGHT, '@ CAA 128 tbs unknown'], request: LE, shows: 'caa.critical' },
  { did: 'CAA allows several authorities', at: [RIGHT, '@ CAA 0 issue other.example', '@ CAA 0 issue letsencrypt.org'], request: LE, shows: 'caa.ok' },
  { did: 'has the Free plan', at: [RIGHT], request: { plan: 'Free' }, thenRequest: { plan: 'Pro' }, shows: 'plan.required' },
  { did: 'has not deployed', at: [RIGHT], request: { deployed: false }, thenRequest: { deployed: true }, shows: 'deploy.required' },
  { did: 'has not registered the domain', at: parent([])(worldOf([RIGHT])), then: parent(DELEGATED), shows: 'zone.not-registered' },
  { did: 'entered name servers that do not exist', at: parent(['example NS ns.gone.test.'])(worldOf([RIGHT])), then: parent(DELEGATED), shows: 'zone.no-delegation' },
  { did: 'entered the target as a name server', at: parent([...DELEGATED, `example NS ${TARGET}.`])(worldOf([RIGHT])), shows: 'zone.lame-ns' },
  { did: 'has not added the zone at the provider', at: worldOf([RIGHT], { faults: { [NS1]: 'REFUSED', [NS2]: 'REFUSED' } }), then: working, shows: 'zone.lame-ns' },
  { did: 'has added the zone at one of two servers', at: worldOf([RIGHT], { faults: { [NS2]: 'REFUSED' } }), shows: 'zone.lame-ns' },
  { did: 'name servers do not respond', at: worldOf([RIGHT], { faults: { [NS1]: 'silent', [NS2]: 'silent' } }), then: working, shows: 'zone.unreachable-ns' },
  { did: 'set the record at one of two providers', at: worldOf([RIGHT], { copies: { [`${NS2} example.test`]: ['@ NS ns1', '@ NS ns2', '@ SOA ns.other 2026010101'] } }), shows: 'zone.split-providers' },
  { did: 'set the record at one of two providers; the other has the old address', at: worldOf([RIGHT], { copies: { [`${NS2} example.test`]: ['@ NS ns1', '@ NS ns2', '@ SOA ns.other 2026010101', `shop ${OLD}`] } }), shows: 'zone.split-providers' },
  { did: 'changed the record a moment ago; one server is behind', at: worldOf([RIGHT, '@ 900 SOA ns1 9'], { copies: { [`${NS2} example.test`]: ['@ NS ns1', '@ NS ns2', '@ 900 SOA ns1 8'] } }), then: working, shows: 'zone.serial-skew' },
  { did: 'a server denies the name for one type', at: worldOf([RIGHT], { replace: (query) => (/^192.0.2.1[12] AAAA shop/.test(query) ? respond({ authoritative: true, rcode: 'NXDOMAIN' }) : undefined) }), then: working, shows: 'zone.wrong-nxdomain' },
  { did: 'changed the record; a resolver caches the old address', at: worldOf([RIGHT], { cached: { 'A shop.example.test': ['@ 1800 A 198.51.100.7'] } }), then: working, shows: 'prop.stale-positive' },
  { did: 'added the record; a resolver caches its absence', at: worldOf([RIGHT], { cached: { 'A shop.example.test': ['@ 600 SOA ns1.example.test. 1'], 'AAAA shop.example.test': ['@ 600 SOA ns1.example.test. 1'] } }), then: working, shows: 'prop.stale-negative' },
  { did: 'right, but the resolver fails', at: worldOf([RIGHT], { rcodes: { [`${RESOLVER} A shop.example.test`]: 'SERVFAIL' } }), then: working, shows: 'prop.resolver-error' },
  { did: 'left the DS record of the former provider', at: parent([...DELEGATED, `example DS 12345 13 2 ${'6b'.repeat(32)}`])(worldOf([RIGHT])), shows: 'zone.dnssec-bogus' },
  { did: 'entered one of two name servers at the registrar', at: parent(['example NS ns1.example', `ns1.example A ${NS1}`])(worldOf([RIGHT])), then: parent(DELEGATED), shows: 'zone.ns-mismatch' },
  { did: 'entered a server at the registrar that is not in the list of the zone', at: copied([RIGHT], []), shows: 'record.partial' },
  { did: 'entered a server at the registrar that has the old address', at: copied([RIGHT], [`shop ${OLD}`]), shows: 'record.partial' },
  { did: 'the name servers fail for CAA', at: worldOf([RIGHT], { rcodes: failing('CAA', 'shop.example.test', 'example.test') }), then: working, request: LE, shows: 'caa.lookup-failed' },
  { did: 'has no certificate 30 minutes after verification', at: [RIGHT], web: { certificate: platforms }, request: PROBED, end: 'active', shows: 'cert.overdue' },
  { did: 'port 443 is closed 30 minutes after verification', at: [RIGHT], web: { certificate: closed }, request: PROBED, end: 'active', shows: 'cert.no-tls' },
  { did: 'has a certificate of another name', at: [RIGHT], web: { certificate: strangers }, request: PROBED, end: 'active', shows: 'cert.wrong-name' },
  { did: 'has a self-signed certificate', at: [RIGHT], web: { certificate: { distrust: selfSigned.distrust } }, request: PROBED, end: 'active', shows: 'cert.untrusted' },
  { did: 'has a certificate that has expired', at: [RIGHT], web: { certificate: { validTo: NOON, distrust: expired.distrust } }, request: PROBED, end: 'active', shows: 'cert.expired' },
  { did: 'redirect: right', at: [RIGHT], request: REDIRECTED, end: 'active', shows: 'redirect.ok' },
  { did: 'redirect: no entry at the service', at: [RIGHT], web: { hops: (url) => [{ url }] }, request: REDIRECTED, end: 'active', shows: 'redirect.missing' },
  { did: 'redirect: another status', at: [RIGHT], web: { hops: (url, to) => [moved(url, to, 302), { url: to }] }, request: REDIRECTED, end: 'active', shows: 'redirect.status' },
  { did: 'redirect: another target', at: [RIGHT], web: { hops: (url, to) => [moved(url, to.replace('shop', 'old'))] }, request: REDIRECTED, end: 'active', shows: 'redirect.target' },
  { did: 'redirect: the target fails', at: [RIGHT], web: { hops: (url, to) => [moved(url, to), { url: to, response: { kind: 'response', status: 502, location: undefined } }] }, request: REDIRECTED, end: 'active', shows: 'redirect.unreachable' },
  { did: 'redirect: the target redirects back', at: [RIGHT], web: { hops: (url, to) => [moved(url, to), moved(to, url)] }, request: REDIRECTED, end: 'active', shows: 'redirect.loop' },
  { did: 'redirect: no certificate for its own name', at: [RIGHT], web: { hops: (url, to) => [{ ...moved(url, to), ...(url.startsWith('https:') && { certificate: platforms }) }, { url: to }] }, request: REDIRECTED, end: 'active', shows: 'redirect.no-cert-on-from' },
  { did: 'redirect: leads from https to http', at: [RIGHT], web: { hops: (url, to) => [moved(url, to.replace('https:', 'http:')), { url: to.replace('https:', 'http:') }] }, request: REDIRECTED, end: 'active', shows: 'redirect.downgrade' },
  { did: 'redirect: drops path and query', at: [RIGHT], web: { hops: (url, to) => [moved(url, new URL('/', to).href), { url: to }] }, request: REDIRECTED, end: 'active', shows: 'redirect.drops-path-query' },
  { did: 'redirect: two entries lead to each other', at: [RIGHT], request: { ...REDIRECTED, redirects: [...REDIRECTED.redirects, { from: 'shop.example.test', to: 'www.example.test', status: 301 }] }, thenRequest: REDIRECTED, end: 'active', shows: 'redirect.loop' },
  { did: 'apex: set the ALIAS to a name that does not exist', at: worldOf([`@ ALIAS ${TARGET}.`], { rcodes: { ...failing('A', 'example.test'), ...failing('AAAA', 'example.test') } }), then: working, request: APEX, shows: 'apex.alias-broken' },
  { did: 'apex: set the ALIAS', at: [`@ ALIAS ${TARGET}.`], request: APEX, shows: 'apex.alias-proved' },
  { did: 'apex: no address yet', at: [], request: APEX, shows: 'apex.missing' },
  { did: 'apex: no address yet, at Porkbun', at: hosted('curitiba1.ns.porkbun.com', []), request: APEX, shows: 'apex.missing' },
  { did: 'apex: left the old address, at Porkbun', at: hosted('curitiba1.ns.porkbun.com', [`@ ${OLD}`]), request: APEX, shows: 'apex.wrong-address' },
  { did: 'apex: left the old address, at GoDaddy', at: hosted('ns1.domaincontrol.com', [`@ ${OLD}`]), request: APEX, then: replacing('www', `www CNAME ${TARGET}.`), thenRequest: { domain: 'www.example.test' }, shows: 'apex.wrong-address' },
  { did: 'apex: left the old address', at: [`@ ${OLD}`], request: APEX, then: replacing('198.51.100.7', `@ ALIAS ${TARGET}.`), shows: 'apex.wrong-address' },
  { did: 'apex: set a private address', at: hosted('curitiba1.ns.porkbun.com', ['@ A 10.0.0.8']), request: APEX, shows: 'record.reserved-address' },
  { did: 'apex: set a CNAME, at Porkbun', at: hosted('curitiba1.ns.porkbun.com', [`@ CNAME ${TARGET}.`]), request: APEX, shows: 'apex.cname' },
  { did: 'apex: added the right address next to the old one', at: ['@ 60 A 192.0.2.80', '@ 60 AAAA 2001:db8::80', `@ 60 ${OLD}`], request: APEX, shows: 'apex.mixed' },
  { did: 'apex: left the old IPv6 address', at: ['@ 60 A 192.0.2.80', '@ 60 AAAA 2001:db8::7'], request: APEX, shows: 'apex.aaaa-stale' },
  { did: 'apex: has only IPv6, at Porkbun', at: hosted('curitiba1.ns.porkbun.com', ['@ 60 AAAA 2001:db8::80']), request: APEX, shows: 'apex.ipv4-missing' },
  { did: 'apex: has only IPv4', at: ['@ 60 A 192.0.2.80'], request: APEX, shows: 'apex.ipv6-missing' },
  { did: "apex: copied the target's addresses", at: ['@ A 192.0.2.80', '@ AAAA 2001:db8::80'], request: APEX, shows: 'apex.looks-copied' },
  { did: 'apex: set the ALIAS next to an HTTPS record', at: [`@ ALIAS ${TARGET}.`, '@ HTTPS 1 www.elsewhere.test.'], request: APEX, shows: 'conflict.https-rr' },
  { did: 'pasted a URL as the domain', at: [], request: { domain: 'https://shop.example.test/cart' }, thenRequest: { domain: 'shop.example.test' }, then: replacing('shop', RIGHT), shows: 'name.invalid' },
  { did: 'entered an IP address as the domain', at: [], request: { domain: '192.0.2.1' }, end: 'invalid', shows: 'name.ip' },
  { did: 'entered a public suffix', at: [], request: { domain: 'co.uk' }, end: 'invalid', shows: 'name.public-suffix' },
  { did: 'entered a wildcard', at: [], request: { domain: '*.example.test' }, end: 'invalid', shows: 'name.wildcard' },
];
