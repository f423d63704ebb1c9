/** The text of `petstore help mock-dns`: the names of the mock's built-in zones and what each one shows. */
export const MOCK_DNS_TOPIC = `Domain names of the mock DNS server

Each name shows one result of the domain checks. Their target is cname.platform.test. Try them offline:
  petstore --mock domain verify blocked.example.test
  petstore --mock domain records blocked.example.test -o zone

To serve the names until ^C, for several commands or other programs:
  petstore mock --dns-port 5353
  petstore domain verify shop.example.test --target cname.platform.test --resolver 127.0.0.1:5353 --authoritative-port 5353 --no-certificate

--dns-zone FILE adds your own zones from a zone file (petstore mock --help).

Names:

  shop.example.test            CNAME to cname.platform.test, TTL 3600
  www.example.test             the same, for redirects
  example.test                 ALIAS, with MX and TXT records
  xn--mnchen-3ya.example.test  internationalised name, correct
  xn--9ckk6c.example.test      internationalised name, no record yet
  missing.example.test         no record
  text-only.example.test       TXT record, no CNAME
  mail.example.test            MX and TXT records instead of the CNAME
  wrong.example.test           CNAME to another service
  typo.example.test            CNAME to cname.platfrom.test
  missing-dot.example.test     CNAME to cname.platform.test.example.test
  doubled.example.test         record at doubled.example.test.example.test
  chain.example.test           CNAME to hop.example.test, which is a CNAME to the target
  renamed.old.example.test     DNAME from old.example.test to new.example.test
  loop.example.test            two CNAMEs that point to each other
  dangling.example.test        CNAME to gone.platform.test, which does not exist
  any.wild.example.test        matched by *.wild.example.test
  long-ttl.example.test        TTL of two days
  reserved.example.test        A 10.0.0.8
  control.example.test         target with control characters
  blocked.example.test         A and AAAA records instead of the CNAME
  copied-address.example.test  an address of the target instead of the CNAME
  coexist.example.test         CNAME and an A record
  two.example.test             two CNAMEs
  https.example.test           CNAME and an HTTPS record for another service
  shop.behind.test             ns2 has an older copy of the zone, without the record
  shop.partial.test            ns2 lacks the record, with the same serial
  shop.ns-mismatch.test        the parent still lists the old provider, which has another copy
  shop.half-lame.test          one of two name servers refuses
  shop.lame.test               the only name server does not have the zone
  shop.half-silent.test        one of two name servers does not respond
  shop.silent.test             the only name server does not respond
  shop.failing.test            the only name server responds with SERVFAIL
  unregistered.test            unknown to the parent zone
  dead.test                    the host of its name server does not exist
  alias.test                   ALIAS: the TTL of the addresses counts down
  steady.test                  addresses of the target with a constant TTL
  copied.test                  addresses of the target with a TTL of one hour
  empty.test                   no address
  apex-cname.test              CNAME at the apex
  elsewhere.test               addresses of another service
  mixed.test                   one address of the target and one of another service
  old-ipv6.test                A is correct, AAAA is not
  broken-alias.test            ALIAS to a name that does not exist: SERVFAIL
  https.test                   ALIAS and an HTTPS record for another service
  team.example.test            delegated sub-zone with its own apex
  shop.team.example.test       record in the delegated sub-zone
  xn--strae-oqa.test           internationalised apex, correct
  shop.caa-ok.test             CAA allows several authorities
  shop.caa-blocked.test        CAA allows only another authority
  shop.caa-critical.test       CAA has an unknown critical tag
  shop.caa-failing.test        only the CAA query fails
  moved.example.test           correct, but the resolver at 127.0.0.1 caches an old address
  fresh.example.test           correct, but the resolver at 127.0.0.1 caches a negative response
  unlucky.example.test         correct, but the resolver responds with SERVFAIL
  large.example.test           TXT record that is too long for UDP
  truncated.example.test       every UDP response is truncated
  no-edns.example.test         responds only without EDNS
  hostile.example.test         a record exceeds the end of the response
  wrong-id.example.test        every response has a wrong id
  slow.example.test            responds after 1.5 seconds
`;
