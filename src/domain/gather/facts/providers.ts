import type { DnsProviderReport, ListedService } from '../../report/report.js';

/** A DNS provider, recognised by the names of its servers. An `alias` of `no` is no proof. */
export interface DnsProvider extends Omit<DnsProviderReport, 'steps' | 'besideRecord'> {
  servers: RegExp;
  panel?: Panel;
  /** Seconds. The lowest TTL that it accepts, if it is known to be above 300. */
  ttlMin?: number;
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
export interface Cdn extends ListedService {
  /** Ends of the names that domains are aliases of. */
  aliases: RegExp;
  /** Its addresses, if it publishes them. */
  subnets: readonly string[];
}

/** What is known about the services behind a domain. */
export interface ProviderFacts {
  dns?: DnsProvider;
  parking?: ListedService;
  /** Name servers to which a registrar moves domains that have expired or are suspended, by their names. */
  holdingHosts?: readonly string[];
  /** Where the domain's own records lead, if that is not the target. */
  cdn?: Cdn;
}
