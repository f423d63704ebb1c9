import type { DnsFault } from './fault.js';

/** A name in the built-in zones, and what it demonstrates. */
export interface BuiltInName {
  /** In ASCII (A-labels). */
  name: string;
  /** Finding ids of the domain checks, separated by commas, or the DNS problem that it demonstrates. */
  shows: string;
  /** The cause, in a few words. */
  because: string;
}

/** The target that the built-in names should have. */
export const PLATFORM_TARGET = 'cname.platform.test';

/** The names of the built-in zones. Each name has a test. */
export const BUILT_IN_NAMES: readonly BuiltInName[] = [
  ...[
    ['shop.example.test', 'record.ok, prop.done, caa.ok', 'CNAME to cname.platform.test, TTL 3600'],
    ['www.example.test', 'record.ok', 'the same, for redirects'],
    ['example.test', 'apex.alias-proved', 'ALIAS, with MX and TXT records'],
    ['xn--mnchen-3ya.example.test', 'name.idn', 'internationalised name, correct'],
    ['xn--9ckk6c.example.test', 'name.idn, record.missing', 'internationalised name, no record yet'],
    ['missing.example.test', 'record.missing', 'no record'],
    ['text-only.example.test', 'conflict.other-types', 'TXT record, no CNAME'],
    ['mail.example.test', 'conflict.other-types', 'MX and TXT records instead of the CNAME'],
    ['wrong.example.test', 'record.wrong-target', 'CNAME to another service'],
    ['typo.example.test', 'record.typo-target', 'CNAME to cname.platfrom.test'],
    ['missing-dot.example.test', 'record.missing-dot', 'CNAME to cname.platform.test.example.test'],
    ['doubled.example.test', 'record.doubled-label', 'record at doubled.example.test.example.test'],
    ['chain.example.test', 'record.chain', 'CNAME to hop.example.test, which is a CNAME to the target'],
    ['renamed.old.example.test', 'record.chain', 'DNAME from old.example.test to new.example.test'],
    ['loop.example.test', 'record.loop', 'two CNAMEs that point to each other'],
    ['dangling.example.test', 'record.dangling', 'CNAME to gone.platform.test, which does not exist'],
    ['any.wild.example.test', 'record.wildcard', 'matched by *.wild.example.test'],
    ['long-ttl.example.test', 'record.ttl', 'TTL of two days'],
    ['reserved.example.test', 'record.reserved-address', 'A 10.0.0.8'],
    ['control.example.test', 'record.dangling', 'target with control characters'],
    ['blocked.example.test', 'conflict.address', 'A and AAAA records instead of the CNAME'],
    ['copied-address.example.test', 'conflict.address', 'an address of the target instead of the CNAME'],
    ['coexist.example.test', 'conflict.coexist', 'CNAME and an A record'],
    ['two.example.test', 'conflict.multiple-cname', 'two CNAMEs'],
    ['https.example.test', 'conflict.coexist', 'CNAME and an HTTPS record for another service'],
    [
      'shop.behind.test',
      'zone.serial-skew, record.partial',
      'ns2 has an older copy of the zone, without the record',
    ],
    ['shop.partial.test', 'record.partial', 'ns2 lacks the record, with the same serial'],
    [
      'shop.ns-mismatch.test',
      'zone.ns-mismatch',
      'the parent still lists the old provider, which has another copy',
    ],
    ['shop.half-lame.test', 'zone.lame-ns', 'one of two name servers refuses'],
    ['shop.lame.test', 'zone.lame-ns', 'the only name server does not have the zone'],
    ['shop.half-silent.test', 'zone.unreachable-ns', 'one of two name servers does not respond'],
    ['shop.silent.test', 'zone.unreachable-ns', 'the only name server does not respond'],
    ['shop.failing.test', 'zone.lame-ns', 'the only name server responds with SERVFAIL'],
    ['unregistered.test', 'zone.not-registered', 'unknown to the parent zone'],
    ['dead.test', 'zone.no-delegation', 'the host of its name server does not exist'],
    ['alias.test', 'apex.alias-proved', 'ALIAS: the TTL of the addresses counts down'],
    ['steady.test', 'apex.alias-consistent', 'addresses of the target with a constant TTL'],
    ['copied.test', 'apex.looks-copied', 'addresses of the target with a TTL of one hour'],
    ['empty.test', 'apex.missing', 'no address'],
    ['apex-cname.test', 'apex.cname', 'CNAME at the apex'],
    ['elsewhere.test', 'apex.wrong-address', 'addresses of another service'],
    ['mixed.test', 'apex.mixed', 'one address of the target and one of another service'],
    ['old-ipv6.test', 'apex.aaaa-stale', 'A is correct, AAAA is not'],
    ['ipv6-only.test', 'apex.ipv4-missing', 'AAAA without A'],
    ['ipv4-only.test', 'apex.ipv6-missing', 'A without AAAA'],
    ['broken-alias.test', 'apex.alias-broken', 'ALIAS to a name that does not exist: SERVFAIL'],
    ['https.test', 'conflict.https-rr', 'ALIAS and an HTTPS record for another service'],
    ['team.example.test', 'apex.alias-proved', 'delegated sub-zone with its own apex'],
    ['shop.team.example.test', 'record.ok', 'record in the delegated sub-zone'],
    ['xn--strae-oqa.test', 'name.idn', 'internationalised apex, correct'],
    ['shop.caa-ok.test', 'caa.ok', 'CAA allows several authorities'],
    ['shop.caa-blocked.test', 'caa.blocked', 'CAA allows only another authority'],
    ['shop.caa-critical.test', 'caa.critical', 'CAA has an unknown critical tag'],
    ['shop.caa-failing.test', 'caa.lookup-failed', 'only the CAA query fails'],
    [
      'moved.example.test',
      'prop.stale-positive',
      'correct, but the resolver at 127.0.0.1 caches an old address',
    ],
    [
      'fresh.example.test',
      'prop.stale-negative',
      'correct, but the resolver at 127.0.0.1 caches a negative response',
    ],
    ['unlucky.example.test', 'prop.resolver-error', 'correct, but the resolver responds with SERVFAIL'],
    ['large.example.test', 'TCP after TC', 'TXT record that is too long for UDP'],
    ['truncated.example.test', 'TCP after TC', 'every UDP response is truncated'],
    ['no-edns.example.test', 'FORMERR on EDNS', 'responds only without EDNS'],
    ['hostile.example.test', 'malformed response', 'a record exceeds the end of the response'],
    ['wrong-id.example.test', 'wrong id', 'every response has a wrong id'],
    ['slow.example.test', 'late response', 'responds after 1.5 seconds'],
  ].map(([name = '', shows = '', because = '']) => ({ name, shows, because })),
];

/**
 * The zones of the table. Each name server has its own loopback address, so that servers can disagree: 127.0.0.1 and .2 are
 * the provider of nearly all zones, .3 is another provider, .10 is the root and the top-level domain, and .11 to .14 have
 * faults. Public addresses are from the documentation ranges (RFC 5737, RFC 3849).
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
shop CNAME cname.platform.test.
www CNAME cname.platform.test.
xn--mnchen-3ya CNAME cname.platform.test.
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
copied-address A 192.0.2.80
coexist CNAME cname.platform.test.
coexist A 198.51.100.9
two CNAME cname.platform.test.
two CNAME www.elsewhere.test.
https CNAME cname.platform.test.
https HTTPS 1 . alpn=h2 ipv4hint=198.51.100.9
moved CNAME cname.platform.test.
fresh CNAME cname.platform.test.
unlucky CNAME cname.platform.test.
large TXT ${Array.from({ length: 8 }, (_, index) => `"${String(index).repeat(200)}"`).join(' ')}
truncated CNAME cname.platform.test.
no-edns CNAME cname.platform.test.
hostile CNAME cname.platform.test.
wrong-id CNAME cname.platform.test.
slow CNAME cname.platform.test.
team NS ns.other.dns.test.

$ORIGIN team.example.test.
@ SOA ns.other.dns.test. hostmaster.dns.test. 1 2h 15m 2w 15m
@ NS ns.other.dns.test.
@ ALIAS cname.platform.test.
shop CNAME cname.platform.test.

$ORIGIN behind.test.
@ SOA ns1.dns.test. hostmaster.dns.test. 10 2h 15m 2w 15m
@ NS ns1.dns.test.
@ NS ns2.dns.test.
shop CNAME cname.platform.test.
$SERVER ns2.dns.test.
@ SOA ns1.dns.test. hostmaster.dns.test. 9 2h 15m 2w 15m
@ NS ns1.dns.test.
@ NS ns2.dns.test.

$ORIGIN partial.test.
@ SOA ns1.dns.test. hostmaster.dns.test. 7 2h 15m 2w 15m
@ NS ns1.dns.test.
@ NS ns2.dns.test.
shop CNAME cname.platform.test.
$SERVER ns2.dns.test.
@ SOA ns1.dns.test. hostmaster.dns.test. 7 2h 15m 2w 15m
@ NS ns1.dns.test.
@ NS ns2.dns.test.

$ORIGIN ns-mismatch.test.
@ SOA ns1.dns.test. hostmaster.dns.test. 3 2h 15m 2w 15m
@ NS ns1.dns.test.
@ NS ns2.dns.test.
shop CNAME cname.platform.test.
$SERVER ns.old-dns.test.
@ SOA ns.old-dns.test. hostmaster.dns.test. 2 2h 15m 2w 15m
@ NS ns.old-dns.test.
shop A 198.51.100.9

$ORIGIN half-lame.test.
@ SOA ns1.dns.test. hostmaster.dns.test. 1 2h 15m 2w 15m
@ NS ns1.dns.test.
@ NS ns.refusing.dns.test.
shop CNAME cname.platform.test.

$ORIGIN half-silent.test.
@ SOA ns1.dns.test. hostmaster.dns.test. 1 2h 15m 2w 15m
@ NS ns1.dns.test.
@ NS ns.silent.dns.test.
shop CNAME cname.platform.test.

$ORIGIN silent.test.
@ SOA ns.silent.dns.test. hostmaster.dns.test. 1 2h 15m 2w 15m
@ NS ns.silent.dns.test.
shop CNAME cname.platform.test.

$ORIGIN failing.test.
@ SOA ns.failing.dns.test. hostmaster.dns.test. 1 2h 15m 2w 15m
@ NS ns.failing.dns.test.
shop CNAME cname.platform.test.
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

$REMEMBERED
$ORIGIN example.test.
moved 3600 A 198.51.100.9
moved 3600 AAAA 2001:db8:bad::9
fresh 900 NXDOMAIN
`;

function apex(label: string, ...records: readonly string[]): string {
  return `
$ORIGIN ${label}.test.
@ SOA ns1.dns.test. hostmaster.dns.test. 1 2h 15m 2w 15m
@ NS ns1.dns.test.
@ NS ns2.dns.test.
${records.join('\n')}`;
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
  { name: 'truncated.example.test', action: 'truncate' },
  { name: 'no-edns.example.test', action: 'formerr-edns' },
  { name: 'hostile.example.test', action: 'malformed' },
  { name: 'wrong-id.example.test', action: 'wrong-id' },
  { name: 'slow.example.test', action: { delayMs: 1_500 } },
];
