/** Where an entry comes from. */
export interface Dated {
  /** Documentation URLs. */
  sources: readonly string[];
  /** `YYYY-MM-DD`. */
  date: string;
}

/** A DNS provider, recognised by the names of its servers. */
export interface DnsProvider extends Dated {
  /** Such as `Cloudflare`. */
  name: string;
  servers: RegExp;
  /** Whether it supports ALIAS at an apex. `limited`: only to its own services. A `no` is no proof. */
  alias?: 'yes' | 'limited' | 'no';
  /** The type to choose for that. */
  aliasType?: string;
  panel?: Panel;
  /** Other settings and limits, as sentences. */
  note?: string;
}

/** The form for a record, in the provider's words. */
export interface Panel {
  /** The way to the form. */
  path?: string;
  /** Names of its fields, if they are not `Name`, `Value` and `TTL`. */
  name?: string;
  value?: string;
  ttl?: string;
  /** What to choose for a CNAME record. */
  cnameType?: string;
  /** How the name field represents the zone itself. */
  apex?: '@' | 'empty';
  /** Whether the value must end with a dot. Otherwise the provider appends the zone. */
  needsFinalDot?: boolean;
}

/** A service that shows a page for domains without a site. */
export interface ParkingService {
  name: string;
  servers: RegExp;
}

/** A content delivery network or proxy. */
export interface Cdn extends Dated {
  name: string;
  /** Ends of the names that domains are aliases of. */
  aliases: RegExp;
  /** Its addresses, if it publishes them. */
  subnets: readonly string[];
}

/** What is known about the services behind a domain. */
export interface ProviderFacts {
  dns?: DnsProvider;
  parking?: Dated & { name: string };
  /** Where the domain's own records lead, if that is not the target. */
  cdn?: Cdn;
}
