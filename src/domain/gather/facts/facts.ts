import type { DomainName } from '../../names/name.js';
import type { PlanFact } from '../../request/subject.js';
import type { Lookup } from './lookup.js';
import type { ProviderFacts } from './providers.js';
import type { DnsRecord, DnsServer, SoaData } from '../../dns/dns.js';

/** Input of the diagnosis: all query results of one check. A failed lookup is a fact too. */
export interface Facts {
  domain: DomainName;
  /** The value that the dashboard shows for the CNAME: ASCII, lower case, without the final dot. */
  target: string;
  /** From the request; may be inferred from the rate-limit headers. */
  plan: PlanFact | undefined;
  deployed: boolean | undefined;
  /** Milliseconds since the epoch. */
  queriedAt: number;
  zone: ZoneFacts;
  /** One entry for each address of each server of the zone. */
  servers: readonly ServerFacts[];
  /** The addresses of the target at its own authoritative servers or, if these fail, at a resolver. */
  platform: TargetFacts;
  /** Names around the domain that explain its records. Each is queried at one server of the zone. */
  relatedNames: RelatedNames;
  caa: CaaFacts;
  /** DNSSEC of the domain's zone and of the target's, if their parents have DS records. */
  dnssec: readonly DnssecFacts[];
  /** Empty if the resolvers were not queried: that needs the right record at every authoritative server. */
  resolvers: readonly ResolverFacts[];
  /** Set if this network does not let queries pass to name servers. */
  access?: AccessFacts;
  /** The services behind the domain, by dated lists. Absent if no list has them. */
  provider?: ProviderFacts;
  /** The time limit in milliseconds, if it was reached: then outcomes are `aborted`. */
  ranOutAfterMs?: number;
  /** Whether the goal of the check includes the certificate. */
  isForActive?: boolean;
}

/** The zone of the domain. */
export interface ZoneFacts {
  /** The zone's name; the registrable domain if the servers did not respond. */
  name: string;
  kind: 'apex' | 'subdomain';
  decidedBy: 'zone-cut' | 'public-suffix' | 'override';
  /** One label below the public suffix, such as `example.co.uk`, or the name that is itself delegated below that. */
  registrable: string;
  /**
   * The NS lookup of the registrable domain at its parent; `nxdomain` is an unregistered name. Absent if the parent did
   * not respond, or if the zone does not depend on this delegation.
   */
  delegation: Lookup | undefined;
  /** Name server hosts as the parent lists them, sorted. */
  parentHosts: readonly string[];
  /** Name server hosts as the zone itself lists them, sorted; empty if its servers did not respond. */
  ownHosts: readonly string[];
  /** For a zone below the registrable domain: its delegation. */
  cut?: CutFacts;
  /** Name server hosts that have no address. */
  unresolvedHosts: readonly string[];
  /** Name server hosts whose address lookups failed. */
  failedHosts: readonly string[];
  /** A referral for the domain itself to the target: an NS record was entered instead of the CNAME. */
  typedNs?: Lookup;
  /** Name server hosts that are aliases, which resolvers may ignore. */
  aliasHosts: readonly AliasHost[];
  /** Name server hosts with other addresses at the parent than in the zone. */
  glueDifferences: readonly GlueDifference[];
}

/** A name server host with a CNAME. */
export interface AliasHost {
  host: string;
  target: string;
}

/** The addresses of a name server host, of one family. */
export interface GlueDifference {
  host: string;
  atParent: readonly string[];
  inZone: readonly string[];
}

/** The delegation of a zone below the registrable domain. */
export interface CutFacts {
  parentZone: string;
  /** The lookup at a server of the parent zone that returned the referral. */
  referral: Lookup;
}

/** How this network treats queries to name servers. */
export interface AccessFacts {
  /** `blocked`: no response. `intercepted`: something responds in place of the servers. */
  problem: 'blocked' | 'intercepted';
  /** A query to a server that would respond without the network's doing. */
  lookup: Lookup;
  /** The resolver whose responses are in the facts instead of those of the name servers. */
  view?: { label: string; server: DnsServer };
}

/** One zone as found, shared by all names in it. The fields mean the same as in {@link ZoneFacts}. */
export interface ZoneView extends Omit<ZoneFacts, 'kind' | 'decidedBy' | 'typedNs'> {
  /** Addresses of its name servers as the parent has them. */
  parentGlue?: readonly DnsRecord[];
  /** Set if this network does not let queries pass to name servers. */
  access?: AccessFacts;
  /** The DS lookup at the parent. Absent if the parent was not queried for it. */
  ds?: Lookup | undefined;
  servers: readonly DnsServer[];
  /** Whether no server responded about its own zone. Then names in it are not queried one by one. */
  isSilent: boolean;
}

/** The zone of a name by one server: its own zone, or one below it. */
export interface Cut {
  /** The responsible zone: this one or one below. */
  zone: string;
  /** Name server hosts of the referral, if it is one. */
  hosts: readonly string[];
  glue: readonly DnsRecord[];
  referral?: Lookup;
}

/** The records of the domain at one authoritative server. */
export interface ServerFacts {
  server: DnsServer;
  soa: Lookup;
  /** The zone's SOA at this server. */
  zoneSoa: SoaData | undefined;
  cname: Lookup;
  a: Lookup;
  aaaa: Lookup;
  mx: Lookup;
  txt: Lookup;
  https: Lookup;
  /** A again, a second later, if evidence for an ALIAS is needed. */
  aRepeated: Lookup | undefined;
  /** The ALIAS itself, at a server that returns no address although its copy of the zone is up to date. */
  alias?: Lookup;
}

/** The records of the domain at a server whose SOA record may not be known yet. */
export type ServerRecords = Omit<ServerFacts, 'soa' | 'zoneSoa'> &
  Partial<Pick<ServerFacts, 'soa' | 'zoneSoa'>>;

/** The queried servers, and whether the user wants every type to be queried. */
export interface QueriedServers {
  servers: readonly ServerRecords[];
  isThorough: boolean;
}

/** The addresses of the target. */
export interface TargetFacts {
  a: Lookup | undefined;
  aaaa: Lookup | undefined;
  /** All addresses seen for the target, A and AAAA. */
  addresses: readonly string[];
  /** The lowest TTL of its addresses at its authoritative servers, in seconds. */
  ttl: number | undefined;
  /** Whether responses differed in their addresses, as those of a CDN do. */
  isVarying?: boolean;
  /** Those of its addresses that only the domain has, and that serve the target's certificate. */
  byCertificate?: readonly string[];
}

/** Lookups of names around the domain, which explain its records. */
export interface RelatedNames {
  /** The wildcard that the domain's records come from. Absent if the domain has records of its own, or no records. */
  wildcard?: WildcardFacts;
  /**
   * Less common record types of the domain, which conflict with a CNAME too. Queried at one server, if the name exists.
   */
  others?: readonly Lookup[];
  /** MX of the zone, which may name the domain. Queried at one server, if the domain has addresses and no alias. */
  zoneMx?: Lookup;
  /** CNAME of `domain.zone`: the full name typed at a provider that appends the zone. */
  doubled: Lookup | undefined;
  /** CNAME of `random.zone.zone`: a record there shows that `doubled` comes from a wildcard. */
  doubledControl: Lookup | undefined;
  /** The aliases from the domain on, each from the servers of its zone. */
  chain: readonly ChainStep[];
  /** CNAME lookup at the end of the chain, if that is not the target: `nxdomain` is a dangling alias. */
  chainEnd?: Lookup;
}

export interface WildcardFacts {
  /** Its owner, such as `*.example.com`. */
  name: string;
  /**
   * The lookup of a random name below the domain. A wildcard has no effect below a name that exists (RFC 4592,
   * section 3.3.1), so records there show that the domain itself does not exist.
   */
  lookup: Lookup;
}

/** One hop of the alias chain. */
export interface ChainStep {
  from: string;
  to: string;
  /** Seconds. */
  ttl: number;
  server?: DnsServer;
}

/** The CAA lookups of a certificate authority: at the domain, then at each parent (RFC 8659, section 3). */
export interface CaaFacts {
  /**
   * From the domain up, until a lookup has records. If an alias leads out of the zone, the lookup is the last query
   * for its chain, with that question.
   */
  steps: readonly { name: string; lookup: Lookup }[];
  /** The name of the step with records. An alias there may lead to the records of another name. */
  owner: string | undefined;
  records: readonly DnsRecord[];
  /** CAA name of the authority that issues for the platform, such as `letsencrypt.org`, if known. */
  issuer: string | undefined;
}

/** The signatures of one zone whose parent has DS records. */
export interface DnssecFacts {
  zone: string;
  /** `target`: a zone of the platform, which only its operator can repair. */
  owner: 'domain' | 'target';
  /** The DS records at the parent. */
  ds: Lookup;
  servers: readonly SignedLookups[];
}

/** Lookups with signatures at one server of a signed zone. */
export interface SignedLookups {
  server: DnsServer;
  dnskey: Lookup;
  /** The domain's or the target's address, alias or absence. */
  record: Lookup;
}

/** Lookups at a resolver that returned SERVFAIL for a domain with a signed zone. */
export interface RejectedFacts {
  /**
   * The same query without and with the CD flag, and both again some seconds later. Only the first pair, if that shows no
   * rejection.
   */
  tests: readonly { checked: Lookup; unchecked: Lookup }[];
  /** The A records of the target, with the last test. */
  target: Lookup;
}

/** The records of the domain at one recursive resolver. Addresses decide, because users get them. */
export interface ResolverFacts {
  server: DnsServer;
  /** Such as `1.1.1.1` or `system (192.168.1.1)`. */
  label: string;
  /** True for the system's and the built-in resolvers: they do not decide the state alone. */
  isDefault?: boolean;
  /** If a query for addresses ended with SERVFAIL, and the parent has DS records. */
  rejected?: RejectedFacts;
  /** The NS records of the zone, if the resolver has a stale record: they may be those before a change. */
  ns?: Lookup;
  /** The records of the domain at the name servers before a change, if the resolver still has their NS records. */
  former?: readonly Lookup[];
  a: Lookup;
  aaaa: Lookup;
  /** The responses with the DO flag, if the resolver has a stale record: they may come from a cache behind it. */
  behind?: { a: Lookup; aaaa: Lookup };
  /** The same responses more than a second later: the TTL of a cache counts down. */
  later?: { a: Lookup; aaaa: Lookup };
  /** Whether it has a stale record for longer than it showed in an earlier check of a wait. */
  isLate?: boolean;
}
