import { BUILT_IN_NAMES } from './built-in-names.js';
import type { DnsFault } from './dns-faults.js';

/** The names in `example.test` with the correct record. The problem is elsewhere: in a fault, a cache, or `web/sites.ts`. */
const CORRECT_LABELS = [
  ...'shop www xn--mnchen-3ya moved fresh unlucky truncated no-edns hostile denied wrong-id slow'.split(' '),
  ...BUILT_IN_NAMES.flatMap(
    ({ name }) => /^((?:cert|redirect)-[a-z-]+|no-tls)\.example\.test$/.exec(name)?.[1] ?? [],
  ),
];

/**
 * The zones of `BUILT_IN_NAMES`. Each name server has its own loopback address, so that servers can disagree:
 *
 * - 127.0.0.1 and 127.0.0.2: the provider of nearly all zones
 * - 127.0.0.3: another provider
 * - 127.0.0.10: the root and the top-level domain
 * - 127.0.0.11 to 127.0.0.14: servers with faults
 *
 * Public addresses are from the documentation ranges (RFC 5737, RFC 3849).
 */
export const BUILT_IN_ZONES = String.raw`
$TTL 3600
$ORIGIN .
@ SOA a.nic.test. hostmaster.nic.test. 1 30m 15m 1w 15m
@ 518400 NS a.nic.test.

$ORIGIN test.
@ SOA a.nic.test. hostmaster.nic.test. 1 30m 15m 1w 15m
@ 172800 NS a.nic.test.
a.nic A 127.0.0.10
dead NS ns1.nowhere.test.
lame NS ns.lame.dns.test.
dnssec NS ns1.dns.test.
dnssec NS ns2.dns.test.
dnssec 86400 DS 12345 13 2 6b6f1c1e0a5d4b3c2d1e0f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c4d3e2f1a0b9c
ns-mismatch NS ns1.dns.test.
ns-mismatch NS ns.old-dns.test.
ns.old-dns A 127.0.0.3

$ORIGIN dns.test.
@ SOA ns1 hostmaster 1 2h 15m 2w 15m
@ NS ns1
@ NS ns2
ns1 A 127.0.0.1
ns2 A 127.0.0.2
mx A 198.51.100.25
ns.other A 127.0.0.3
ns.refusing A 127.0.0.11
ns.silent A 127.0.0.12
ns.failing A 127.0.0.13
ns.lame A 127.0.0.14

; The target of the other zones.
$ORIGIN platform.test.
@ SOA ns1.dns.test. hostmaster.dns.test. 1 2h 15m 2w 5m
@ NS ns1.dns.test.
@ NS ns2.dns.test.
cname 60 A 192.0.2.80
cname 60 AAAA 2001:db8::80

$ORIGIN example.test.
@ SOA ns1 hostmaster ( 2026112101 ; serial
  2h 15m 2w 15m )
@ NS ns1
@ NS ns2
ns1 A 127.0.0.1
ns2 A 127.0.0.2
@ ALIAS cname.platform.test.
@ MX 10 mx.dns.test.
@ TXT "v=spf1 mx -all"
text-only TXT "verify-me=1"
mail MX 10 mx.dns.test.
mail TXT "v=spf1 mx -all"
wrong CNAME www.elsewhere.test.
typo CNAME cname.platfrom.test.
missing-dot CNAME cname.platform.test
doubled.example.test CNAME cname.platform.test.
chain CNAME hop
hop CNAME cname.platform.test.
old DNAME new
renamed.new CNAME cname.platform.test.
loop CNAME loop-back
loop-back CNAME loop
dangling CNAME gone.platform.test.
*.wild CNAME cname.platform.test.
long-ttl 2d CNAME cname.platform.test.
reserved A 10.0.0.8
control CNAME \027[31mred\007.example.test.
blocked A 198.51.100.9
blocked AAAA 2001:db8:bad::9
proxied A 198.51.100.9
proxied AAAA 2001:db8:bad::9
copied-address A 192.0.2.80
coexist CNAME cname.platform.test.
coexist A 198.51.100.9
two CNAME cname.platform.test.
two CNAME www.elsewhere.test.
https CNAME cname.platform.test.
https HTTPS 1 . alpn=h2 ipv4hint=198.51.100.9
large TXT ${Array.from({ length: 8 }, (_, index) => `"${String(index).repeat(200)}"`).join(' ')}
${CORRECT_LABELS.map((label) => `${label} CNAME cname.platform.test.`).join('\n')}
team NS ns.other.dns.test.

$ORIGIN team.example.test.
${apexRecords(1, 'ns.other.dns.test')}
@ ALIAS cname.platform.test.
shop CNAME cname.platform.test.

$ORIGIN behind.test.
${apexRecords(10)}
shop CNAME cname.platform.test.
$SERVER ns2.dns.test.
${apexRecords(9)}

$ORIGIN partial.test.
${apexRecords(7)}
shop CNAME cname.platform.test.
$SERVER ns2.dns.test.
${apexRecords(7)}

$ORIGIN ns-mismatch.test.
${apexRecords(3)}
shop CNAME cname.platform.test.
$SERVER ns.old-dns.test.
${apexRecords(3, 'ns.old-dns.test')}
shop CNAME cname.platform.test.

$ORIGIN split.test.
${apexRecords(4, 'ns1.dns.test', 'ns.other.dns.test')}
shop CNAME cname.platform.test.
$SERVER ns.other.dns.test.
@ SOA ns.other.dns.test. hostmaster.dns.test. 2026010101 2h 15m 2w 15m
@ NS ns1.dns.test.
@ NS ns.other.dns.test.
${servedBy('half-lame', 'ns1.dns.test', 'ns.refusing.dns.test')}
${servedBy('half-silent', 'ns1.dns.test', 'ns.silent.dns.test')}
${servedBy('silent', 'ns.silent.dns.test')}
${servedBy('failing', 'ns.failing.dns.test')}
${apex('alias', '@ ALIAS cname.platform.test.', '@ MX 10 mx.dns.test.')}
${apex('steady', '@ 60 A 192.0.2.80', '@ 60 AAAA 2001:db8::80')}
${apex('copied', '@ A 192.0.2.80', '@ AAAA 2001:db8::80')}
${apex('empty', '@ MX 10 mx.dns.test.')}
${apex('apex-cname', '@ CNAME cname.platform.test.')}
${apex('elsewhere', '@ A 198.51.100.9', '@ AAAA 2001:db8:bad::9', 'www A 198.51.100.9')}
${apex('mixed', '@ 60 A 192.0.2.80', '@ 60 A 198.51.100.9', '@ 60 AAAA 2001:db8::80')}
${apex('old-ipv6', '@ 60 A 192.0.2.80', '@ 60 AAAA 2001:db8:bad::9')}
${apex('ipv6-only', '@ 60 AAAA 2001:db8::80')}
${apex('ipv4-only', '@ 60 A 192.0.2.80')}
${apex('broken-alias', '@ ALIAS gone.platform.test.')}
${apex('https', '@ ALIAS cname.platform.test.', '@ HTTPS 0 www.elsewhere.test.')}
${apex('xn--strae-oqa', '@ ALIAS cname.platform.test.')}
${apex('caa-ok', '@ CAA 0 issue "letsencrypt.org"', '@ CAA 0 issue "pki.goog"', 'shop CNAME cname.platform.test.')}
${apex('caa-blocked', '@ CAA 0 issue "authority.elsewhere.test"', 'shop CNAME cname.platform.test.')}
${apex('caa-critical', '@ CAA 128 future "1"', '@ CAA 0 issue "letsencrypt.org"', 'shop CNAME cname.platform.test.')}
${apex('caa-failing', 'shop CNAME cname.platform.test.')}
${apex('dnssec', 'shop CNAME cname.platform.test.')}

$REMEMBERED
$ORIGIN example.test.
moved 3600 A 198.51.100.9
moved 3600 AAAA 2001:db8:bad::9
fresh 900 NXDOMAIN
`;

function apex(label: string, ...records: readonly string[]): string {
  return ['', `$ORIGIN ${label}.test.`, apexRecords(1), ...records].join('\n');
}

function servedBy(label: string, ...servers: readonly string[]): string {
  return `\n$ORIGIN ${label}.test.\n${apexRecords(1, ...servers)}\nshop CNAME cname.platform.test.`;
}

/** The SOA and the NS records of a zone. The first server is the primary one. */
function apexRecords(serial: number, ...servers: readonly string[]): string {
  const hosts = servers.length > 0 ? servers : ['ns1.dns.test', 'ns2.dns.test'];
  const soa = `@ SOA ${String(hosts[0])}. hostmaster.dns.test. ${String(serial)} 2h 15m 2w 15m`;
  return [soa, ...hosts.map((host) => `@ NS ${host}.`)].join('\n');
}

/** Faults of the built-in name servers and names. */
export const BUILT_IN_FAULTS: readonly DnsFault[] = [
  { server: 'ns.refusing.dns.test', action: 'refused' },
  { server: 'ns.silent.dns.test', action: 'drop' },
  { server: 'ns.failing.dns.test', action: 'servfail' },
  { server: 'ns.lame.dns.test', action: 'lame' },
  { name: 'shop.caa-failing.test', type: 'CAA', action: 'servfail' },
  { name: 'caa-failing.test', type: 'CAA', action: 'servfail' },
  { server: 'recursor', name: 'unlucky.example.test', action: 'servfail' },
  { server: 'recursor', name: 'shop.dnssec.test', action: 'bogus' },
  { name: 'denied.example.test', type: 'AAAA', action: 'nxdomain' },
  { name: 'truncated.example.test', action: 'truncate' },
  { name: 'no-edns.example.test', action: 'formerr-edns' },
  { name: 'hostile.example.test', action: 'malformed' },
  { name: 'wrong-id.example.test', action: 'wrong-id' },
  { name: 'slow.example.test', action: { delayMs: 1_500 } },
];
