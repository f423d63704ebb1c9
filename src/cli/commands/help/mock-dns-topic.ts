/** The text of `petstore help mock-dns`: the names of the mock's own zones, and what is the matter with each. */
export const MOCK_DNS_TOPIC = `Domain names of the mock

These are there to be tried, offline and at once; all are to point to
cname.platform.test:

  petstore --mock domain verify blocked.example.test
  petstore --mock domain records blocked.example.test -o zone

The same names, until ^C, for several commands or for other programs:

  petstore mock --dns-port 5353
  petstore domain verify shop.example.test --target cname.platform.test \\
    --resolver 127.0.0.1:5353 --authoritative-port 5353 --no-certificate

--dns-zone FILE adds zones of your own, as a zone file has them. All flags:
petstore mock --help.

  shop.example.test            CNAME to cname.platform.test, TTL 3600
  www.example.test             the same, for redirects
  example.test                 an ALIAS beside MX and TXT
  xn--mnchen-3ya.example.test  an internationalised name, right
  xn--9ckk6c.example.test      an internationalised name, no record yet
  missing.example.test         no record at all
  text-only.example.test       a TXT record and no CNAME
  mail.example.test            MX and TXT records where the CNAME should be
  wrong.example.test           CNAME to another service
  typo.example.test            CNAME to cname.platfrom.test
  missing-dot.example.test     CNAME to cname.platform.test.example.test
  doubled.example.test         the record is at
                               doubled.example.test.example.test
  chain.example.test           CNAME to hop.example.test, which leads to the
                               target
  renamed.old.example.test     a DNAME at old.example.test leads to
                               new.example.test
  loop.example.test            two CNAMEs that lead to each other
  dangling.example.test        CNAME to gone.platform.test, which does not exist
  any.wild.example.test        answered by *.wild.example.test
  long-ttl.example.test        TTL of two days
  reserved.example.test        A 10.0.0.8
  control.example.test         a target with control bytes, which no terminal
                               may get
  blocked.example.test         A and AAAA where the CNAME should be
  copied-address.example.test  an address of the target instead of the CNAME
  coexist.example.test         the CNAME, and an A record beside it
  two.example.test             two CNAMEs
  https.example.test           the CNAME, and an HTTPS record that leads
                               elsewhere
  shop.behind.test             ns2 has an older copy of the zone, without the
                               record
  shop.partial.test            ns2 lacks the record, with the same serial
  shop.ns-mismatch.test        the parent still lists the old provider, whose
                               copy is another
  shop.half-lame.test          one of two name servers refuses
  shop.lame.test               the only name server does not have the zone
  shop.half-silent.test        one of two name servers never answers
  shop.silent.test             the only name server never answers
  shop.failing.test            the only name server says SERVFAIL
  unregistered.test            the parent does not know it
  dead.test                    its name server host does not exist
  alias.test                   an ALIAS: the TTL of the addresses counts down
  steady.test                  the target's addresses with its TTL, which stands
                               still
  copied.test                  the target's addresses with a TTL of an hour
  empty.test                   no address at all
  apex-cname.test              a CNAME at the apex
  elsewhere.test               addresses of another service
  mixed.test                   one of the target's addresses and a stranger's
  old-ipv6.test                A is right, AAAA is not
  broken-alias.test            an ALIAS to a name that does not exist: SERVFAIL
  https.test                   an ALIAS, and an HTTPS record that leads
                               elsewhere
  team.example.test            a delegated sub-zone: an apex of its own
  shop.team.example.test       a record in the delegated sub-zone
  xn--strae-oqa.test           an internationalised apex, right
  shop.caa-ok.test             CAA allows several authorities
  shop.caa-blocked.test        CAA allows only another authority
  shop.caa-critical.test       CAA has an unknown tag that is marked critical
  shop.caa-failing.test        the CAA question fails, all others do not
  moved.example.test           right, but the resolver at 127.0.0.1 remembers an
                               old address
  fresh.example.test           right, but the resolver at 127.0.0.1 remembers it
                               as missing
  unlucky.example.test         right, but the resolver says SERVFAIL
  large.example.test           a TXT record that is too long for UDP
  truncated.example.test       every answer over UDP is truncated
  no-edns.example.test         answered only without EDNS
  hostile.example.test         a record runs over the end of the answer
  wrong-id.example.test        every answer bears a foreign id
  slow.example.test            one and a half seconds late
`;
