/** A name in the built-in zones, and what it demonstrates. */
export interface BuiltInName {
  /** In ASCII (A-labels). */
  name: string;
  /** Finding ids of the domain checks, separated by commas, or the DNS problem that it demonstrates. */
  shows: string;
  /** The cause, in a few words. */
  because: string;
}

/** The names of the built-in zones: name, what it shows, and why. Each name has a test. */
const NAMES = `
shop.example.test | record.ok, prop.done, caa.ok, cert.active, probe.served | CNAME to cname.platform.test, TTL 3600
www.example.test | record.ok, redirect.ok | the same, and redirects to example.test
example.test | apex.alias-proved | ALIAS, with MX and TXT records
xn--mnchen-3ya.example.test | name.idn | internationalised name, correct
xn--9ckk6c.example.test | name.idn, record.missing | internationalised name, no record yet
missing.example.test | record.missing | no record
text-only.example.test | conflict.other-types | TXT record, no CNAME
mail.example.test | conflict.other-types | MX and TXT records instead of the CNAME
wrong.example.test | record.wrong-target, probe.unproved | CNAME to another service
proxied.example.test | conflict.address, probe.served | addresses of a proxy in front of the platform, which --probe proves
typo.example.test | record.typo-target | CNAME to cname.platfrom.test
missing-dot.example.test | record.missing-dot | CNAME to cname.platform.test.example.test
doubled.example.test | record.doubled-label | record at doubled.example.test.example.test
chain.example.test | record.chain | CNAME to hop.example.test, which is a CNAME to the target
renamed.old.example.test | record.chain | DNAME from old.example.test to new.example.test
loop.example.test | record.loop | two CNAMEs that point to each other
dangling.example.test | record.dangling | CNAME to gone.platform.test, which does not exist
any.wild.example.test | record.wildcard | matched by *.wild.example.test
long-ttl.example.test | record.ttl | TTL of two days
reserved.example.test | record.reserved-address | A 10.0.0.8
control.example.test | record.dangling | target with control characters
blocked.example.test | conflict.address | A and AAAA records instead of the CNAME
copied-address.example.test | conflict.address | an address of the target instead of the CNAME
coexist.example.test | conflict.coexist | CNAME and an A record
two.example.test | conflict.multiple-cname | two CNAMEs
denied.example.test | zone.wrong-nxdomain | correct, but AAAA gets NXDOMAIN
https.example.test | conflict.coexist | CNAME and an HTTPS record for another service
shop.behind.test | zone.serial-skew, record.partial | ns2 has an older copy of the zone, without the record
shop.partial.test | record.partial | ns2 lacks the record, with the same serial
shop.ns-mismatch.test | zone.ns-mismatch | the parent still lists the old provider, which has the same records
shop.split.test | zone.split-providers | two providers serve the zone, and only one has the record
shop.half-lame.test | zone.lame-ns | one of two name servers refuses
shop.lame.test | zone.lame-ns | the only name server does not have the zone
shop.half-silent.test | zone.unreachable-ns | one of two name servers does not respond
shop.silent.test | zone.unreachable-ns | the only name server does not respond
shop.failing.test | zone.lame-ns | the only name server responds with SERVFAIL
unregistered.test | zone.not-registered | unknown to the parent zone
dead.test | zone.no-delegation | the host of its name server does not exist
alias.test | apex.alias-proved | ALIAS: the TTL of the addresses counts down
steady.test | apex.alias-consistent | addresses of the target with a constant TTL
copied.test | apex.looks-copied | addresses of the target with a TTL of one hour
empty.test | apex.missing | no address
apex-cname.test | apex.cname | CNAME at the apex
elsewhere.test | apex.wrong-address | addresses of another service
mixed.test | apex.mixed | one address of the target and one of another service
old-ipv6.test | apex.aaaa-stale, cert.differs-per-address | A is correct, AAAA is not
ipv6-only.test | apex.ipv4-missing | AAAA without A
ipv4-only.test | apex.ipv6-missing | A without AAAA
broken-alias.test | apex.alias-broken | ALIAS to a name that does not exist: SERVFAIL
https.test | conflict.https-rr | ALIAS and an HTTPS record for another service
team.example.test | apex.alias-proved | delegated sub-zone with its own apex
shop.team.example.test | record.ok | record in the delegated sub-zone
xn--strae-oqa.test | name.idn | internationalised apex, correct
shop.caa-ok.test | caa.ok | CAA allows several authorities
shop.caa-blocked.test | caa.blocked | CAA allows only another authority
shop.caa-critical.test | caa.critical | CAA has an unknown critical tag
shop.caa-failing.test | caa.lookup-failed | only the CAA query fails
shop.dnssec.test | zone.dnssec-bogus | the parent has a DS record, but the zone is not signed
moved.example.test | prop.stale-positive | correct, but the resolver at 127.0.0.1 caches an old address
fresh.example.test | prop.stale-negative | correct, but the resolver at 127.0.0.1 caches a negative response
unlucky.example.test | prop.resolver-error | correct, but the resolver responds with SERVFAIL
large.example.test | TCP after TC | TXT record that is too long for UDP
truncated.example.test | TCP after TC | every UDP response is truncated
no-edns.example.test | FORMERR on EDNS | responds only without EDNS
hostile.example.test | malformed response | a record exceeds the end of the response
wrong-id.example.test | wrong id | every response has a wrong id
slow.example.test | late response | responds after 1.5 seconds
cert-pending.example.test | cert.pending | no certificate yet: the platform serves its own
cert-expired.example.test | cert.expired | certificate expired yesterday
cert-expiring.example.test | cert.expiring | certificate expires in three days
cert-wrong-name.example.test | cert.wrong-name | certificate of another host
cert-self-signed.example.test | cert.untrusted | certificate signed with its own key
no-tls.example.test | cert.no-tls | no TLS
redirect-status.example.test | redirect.status | redirects with 302 instead of 301
redirect-target.example.test | redirect.target | redirects to another service
redirect-missing.example.test | redirect.missing | serves a page instead of a redirect
redirect-loop.example.test | redirect.loop | redirects to itself
redirect-downgrade.example.test | redirect.downgrade | redirects from https to http
redirect-no-cert.example.test | redirect.no-cert-on-from | redirects without a certificate
redirect-no-path.example.test | redirect.drops-path-query | redirects without path and query`;

export const BUILT_IN_NAMES: readonly BuiltInName[] = NAMES.trim()
  .split('\n')
  .map((line) => line.split(' | '))
  .map(([name = '', shows = '', because = '']) => ({ name, shows, because }));
