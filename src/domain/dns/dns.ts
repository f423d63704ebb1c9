/** DNS as the checks see it: names in lower case without the final dot, numbers as numbers, no wire format. */

/** The record types that the checks query or read. */
export type RecordType =
  | 'A'
  | 'AAAA'
  | 'CAA'
  | 'CNAME'
  | 'DNAME'
  | 'DNSKEY'
  | 'DS'
  | 'HTTPS'
  | 'MX'
  | 'NAPTR'
  | 'NS'
  | 'RRSIG'
  | 'SOA'
  | 'SRV'
  | 'SSHFP'
  | 'TLSA'
  | 'TXT'
  /** ALIAS of PowerDNS, in a private range of type codes. Zone transfers may have it. */
  | 'TYPE65401';

/** The value of a record. */
export type RecordData =
  | { type: 'A' | 'AAAA'; address: string }
  | { type: 'CNAME' | 'DNAME' | 'NS'; target: string }
  | { type: 'MX'; preference: number; target: string }
  | { type: 'SRV'; priority: number; weight: number; port: number; target: string }
  | { type: 'TXT'; text: string }
  | { type: 'CAA'; flags: number; tag: string; value: string }
  | SoaData
  | DsData
  | DnskeyData
  | RrsigData
  /** SvcPriority 0 is AliasMode (RFC 9460, section 2.4). */
  | { type: 'HTTPS'; priority: number; target: string; addressHints: readonly string[] }
  /** The data of these is not decoded, because the checks only need to know that they exist. */
  | { type: 'NAPTR' | 'SSHFP' | 'TLSA' | 'TYPE65401' }
  /** A type that the checks do not query. */
  | { type: 'OTHER'; code: number };

/** A zone's start of authority (RFC 1035, section 3.3.13). Times in seconds. */
export interface SoaData {
  type: 'SOA';
  primary: string;
  serial: number;
  refresh: number;
  minimum: number;
}

/** A delegation signer (RFC 4034, section 5.1). */
export interface DsData {
  type: 'DS';
  keyTag: number;
  algorithm: number;
  digestType: number;
  /** Lower-case hexadecimal digits. */
  digest: string;
}

/** A key of a zone (RFC 4034, section 2.1). */
export interface DnskeyData {
  type: 'DNSKEY';
  flags: number;
  algorithm: number;
  /** RFC 4034, appendix B. */
  keyTag: number;
  /** The whole record data, in hexadecimal digits. */
  rdata: string;
}

/** A signature, without its bytes (RFC 4034, section 3.1). Times in seconds since the epoch. */
export interface RrsigData {
  type: 'RRSIG';
  /** Type code of the signed records. */
  covered: number;
  keyTag: number;
  inception: number;
  expiration: number;
  /** The zone of the key. */
  signer: string;
}

/** A record of a DNS response. */
export interface DnsRecord {
  /**
   * The owner name. Bytes other than letters, digits, `_`, `*`, `/` and `-` are escaped `\DDD` (RFC 1035, section 5.1).
   */
  name: string;
  /** Seconds. */
  ttl: number;
  data: RecordData;
}

/** A DNS server to query. */
export interface DnsServer {
  /** IPv4 or IPv6 address; for DNS over HTTPS the URL. */
  address: string;
  port: number;
  transport: 'dns' | 'https';
  /** Host name of the name server, if it was found by one. */
  host?: string;
}

/** The question section of a query. The class is always IN. */
export interface DnsQuestion {
  /** ASCII, without the final dot. */
  name: string;
  type: RecordType;
}

/** A well-formed response. */
export interface DnsResponse {
  /** `NOERROR`, `NXDOMAIN`, `SERVFAIL`, `REFUSED`, …, including extended codes (RFC 6891, section 6.1.3). */
  rcode: string;
  /** The AA flag. */
  authoritative: boolean;
  /** The RA flag. */
  recursionAvailable: boolean;
  answers: readonly DnsRecord[];
  authority: readonly DnsRecord[];
  additional: readonly DnsRecord[];
  /** Extended DNS errors (RFC 8914). */
  extendedErrors: readonly { code: number; text: string }[];
  over: 'udp' | 'tcp' | 'https';
  /** Whether the server responded only to a query without EDNS. Absent if not. */
  withoutEdns?: boolean;
}

/** Why a query has no response. It never means that a record does not exist. */
export type QueryFailureReason = 'timeout' | 'unreachable' | 'malformed' | 'aborted';

/** The result of one query to one server. */
export type DnsExchange =
  | { kind: 'response'; response: DnsResponse; elapsedMs: number }
  | {
      kind: 'failure';
      reason: QueryFailureReason;
      detail: string;
      /** Whether this machine has no route to the server, or no address of its family. */
      isWithoutRoute?: true;
      /** Whether the server responded over UDP that the response is too long for it. */
      isTruncated?: true;
      elapsedMs: number;
    };

export interface QueryOptions {
  /** The RD flag. Use false for authoritative servers. */
  recursive: boolean;
  /**
   * The CD flag (RFC 4035, section 3.2.2): returns records that a validating resolver would withhold.
   *
   * @default false
   */
  checkingDisabled?: boolean;
  /**
   * The DO flag (RFC 4035, section 3.2.1): requests signatures.
   *
   * @default false
   */
  dnssec?: boolean;
  /** Called once if there is no response {@link SLOW_MS} after the first attempt was sent. */
  onSlow?: (() => void) | undefined;
  /**
   * Limit of all attempts, in milliseconds.
   *
   * @default each attempt has its own limit
   */
  limitMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** Milliseconds after which another server is queried too. Most servers respond within 100 ms. */
export const SLOW_MS = 400;

/** Queries DNS servers. */
export interface DnsClient {
  /**
   * Sends one query to one server: with EDNS and without, over UDP and TCP, with retries and time limits.
   * Never rejects; a failure is a result.
   */
  query(server: DnsServer, question: DnsQuestion, options: QueryOptions): Promise<DnsExchange>;
  /** Ends all queries and closes the sockets. */
  close(): void;
}
