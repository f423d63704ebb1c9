import type { DomainName } from '../name/name.js';
import type { Lookup } from './lookup.js';
import type { DnsRecord, DnsServer, SoaData } from '../resolver/dns.js';

/** Everything that was found out, before anything is concluded. A look-up that failed is a fact as well. */
export interface Facts {
  domain: DomainName;
  /** The value that the dashboard shows for the CNAME: ASCII, lower case, without the final dot. */
  target: string;
  /** As told by flags or configuration, or inferred from the rate limit headers. */
  plan: PlanFact | undefined;
  deployed: boolean | undefined;
  /** Milliseconds since the epoch. */
  queriedAt: number;
  zone: ZoneFacts;
  /** One entry for each address of each server of the zone; all of them asked. */
  servers: readonly ServerFacts[];
  /** Where the target leads, as seen by its own authoritative servers or, failing those, by a resolver. */
  platform: TargetFacts;
  /** Names around the domain that explain a missing record. Each asked of one server of the zone. */
  relatedNames: RelatedNames;
  caa: CaaFacts;
  /** Empty where they were not asked, which is so unless every authoritative server is right. */
  resolvers: readonly ResolverFacts[];
  /** Milliseconds that the run was allowed, where they ran out before all was asked: then outcomes are `cut-short`. Absent else. */
  ranOutAfterMs?: number;
}

export interface PlanFact {
  name: string;
  /** Whether it is Pro or above; `undefined` for a plan that the specification does not name. */
  paid: boolean | undefined;
  /** Whether nobody told it: it was concluded from the rate limit of an API key. */
  inferred: boolean;
}

/** The zone that the domain lies in. */
export interface ZoneFacts {
  /** The zone's name; the registrable domain where the servers could not be asked. */
  name: string;
  kind: 'apex' | 'subdomain';
  decidedBy: 'zone-cut' | 'public-suffix' | 'override';
  /** The name below the public suffix, such as `example.co.uk`; the name delegated by itself below one that is not. */
  registrable: string;
  /**
   * The parent's own answer about the registrable domain; `nxdomain` is an unregistered name. Absent where it did not answer,
   * and where the zone does not hang on it.
   */
  delegation: Lookup | undefined;
  /**
   * A, AAAA and MX of the registrable domain that its parent answers with, where it delegates nothing: some registries keep
   * a few records of a domain in their own zone.
   */
  parentRecords?: readonly Lookup[];
  /** Name server hosts as the parent lists them, sorted. */
  parentHosts: readonly string[];
  /** Name server hosts as the zone itself lists them, sorted; empty where it could not be asked. */
  ownHosts: readonly string[];
  /** For a zone below the registrable domain: who pointed to its servers. */
  cut?: CutFacts;
  /** Name server hosts that have no address. */
  unresolvedHosts: readonly string[];
  /** Name server hosts whose addresses could not be asked for. */
  failedHosts?: readonly string[];
}

/** Where a zone is delegated from another one of the owner's. */
export interface CutFacts {
  /** The zone above. */
  parentZone: string;
  /** The answer of one of its servers that is the referral. */
  referral: Lookup;
}

/** What one authoritative server says of the domain. */
export interface ServerFacts {
  server: DnsServer;
  soa: Lookup;
  /** The zone's start of authority by this server. */
  zoneSoa: SoaData | undefined;
  /** The zone's own list of its servers; asked for where it is not the parent's. */
  ns?: Lookup;
  cname: Lookup;
  a: Lookup;
  aaaa: Lookup;
  mx: Lookup;
  txt: Lookup;
  https: Lookup;
  /** A again, two seconds later, where the evidence for an ALIAS is wanted. */
  aRepeated: Lookup | undefined;
}

export interface TargetFacts {
  a: Lookup | undefined;
  aaaa: Lookup | undefined;
  /** All addresses seen for it, A and AAAA. */
  addresses: readonly string[];
  /** The TTL of its addresses as its authoritative servers give it, in seconds. */
  ttl: number | undefined;
}

export interface RelatedNames {
  /** The wildcard that answers for the domain. Absent where none does, which is so wherever the domain has a record itself. */
  wildcard?: WildcardFacts;
  /**
   * Types beyond those that every server is asked for, by one server, where the name exists: what else stands, or would
   * stand, beside a CNAME. Others still are not seen.
   */
  others?: readonly Lookup[];
  /** CNAME of `domain.zone`: the name typed in full where the provider appends the zone. */
  doubled: Lookup | undefined;
  /** The same for a random name, to tell it from a wildcard. */
  doubledControl: Lookup | undefined;
  /** The chain from the domain's CNAME on, hop by hop, asked of whoever is responsible. */
  chain: readonly ChainStep[];
  /** CNAME at the end of the chain, where that is not the target: `nxdomain` is an alias to nowhere. */
  chainEnd?: Lookup;
}

export interface WildcardFacts {
  /** Its owner, such as `*.example.com`. */
  name: string;
  /** The answer for a random name below the domain. There is none to a name below one that exists (RFC 4592, section 3.3.1). */
  lookup: Lookup;
}

/** One hop of the alias chain. */
export interface ChainStep {
  from: string;
  to: string;
  /** Seconds. */
  ttl: number;
  /** Who said so. */
  server?: DnsServer;
}

/** The climb of a certificate authority (RFC 8659, section 3): the domain, then each parent up to the top-level domain. */
export interface CaaFacts {
  /**
   * In the order climbed, up to and including the first hit. Where an alias leads out of the zone, the look-up is the last
   * one on its way, with that question.
   */
  steps: readonly { name: string; lookup: Lookup }[];
  /** The climbed name that has the first records; itself, or through an alias: then the records are another name's. */
  owner: string | undefined;
  records: readonly DnsRecord[];
  /** The authority that issues for the platform, where it is known, such as `letsencrypt.org`. */
  issuer: string | undefined;
}

/** What one recursive resolver says. Users get addresses, so these count; the CNAME explains. */
export interface ResolverFacts {
  server: DnsServer;
  /** Such as `1.1.1.1` or `system (192.168.1.1)`. */
  label: string;
  a: Lookup;
  aaaa: Lookup;
  cname: Lookup;
}
