/** DNS as the checks see it: names in lower case without the final dot, numbers as numbers, nothing of the wire. */

/** The record types that the checks ask for or look at. */
export type RecordType =
  | 'A'
  | 'AAAA'
  | 'CAA'
  | 'CNAME'
  | 'DNAME'
  | 'HTTPS'
  | 'MX'
  | 'NAPTR'
  | 'NS'
  | 'SOA'
  | 'SRV'
  | 'SSHFP'
  | 'TLSA'
  | 'TXT';

/** What a record says. */
export type RecordData =
  | { type: 'A' | 'AAAA'; address: string }
  | { type: 'CNAME' | 'DNAME' | 'NS'; target: string }
  | { type: 'MX'; preference: number; target: string }
  | { type: 'SRV'; priority: number; weight: number; port: number; target: string }
  | { type: 'TXT'; text: string }
  | { type: 'CAA'; flags: number; tag: string; value: string }
  | SoaData
  /** SvcPriority 0 is AliasMode (RFC 9460, section 2.4). */
  | { type: 'HTTPS'; priority: number; target: string; addressHints: readonly string[] }
  /** Of these it counts only that they are there. */
  | { type: 'NAPTR' | 'SSHFP' | 'TLSA' }
  /** A type that the checks do not ask for. */
  | { type: 'OTHER'; code: number };

/** A zone's start of authority (RFC 1035, section 3.3.13). Times in seconds. */
export interface SoaData {
  type: 'SOA';
  primary: string;
  serial: number;
  refresh: number;
  minimum: number;
}

/** A record of an answer. */
export interface DnsRecord {
  /** Owner, as printed: every byte that is not plain is escaped `\DDD` (RFC 1035, section 5.1). */
  name: string;
  /** Seconds. */
  ttl: number;
  data: RecordData;
}

/** A server that can be asked. */
export interface DnsServer {
  /** IPv4 or IPv6 address; for DNS over HTTPS the URL. */
  address: string;
  port: number;
  transport: 'dns' | 'https';
  /** The name server's host name, where it was found by one. */
  host?: string;
}

export interface DnsQuestion {
  /** ASCII, without the final dot. */
  name: string;
  type: RecordType;
}

/** A well-formed answer. */
export interface DnsResponse {
  /** `NOERROR`, `NXDOMAIN`, `SERVFAIL`, `REFUSED`, … with the extended part merged in (RFC 6891, section 6.1.3). */
  rcode: string;
  /** AA. */
  authoritative: boolean;
  /** RA. */
  recursionAvailable: boolean;
  answers: readonly DnsRecord[];
  authority: readonly DnsRecord[];
  additional: readonly DnsRecord[];
  /** RFC 8914. */
  extendedErrors: readonly { code: number; text: string }[];
  over: 'udp' | 'tcp' | 'https';
  /** Whether it came only when asked without EDNS. Absent where not. */
  withoutEdns?: boolean;
}

/** Why a question has no answer. Never the same as "no record". */
export type QueryFailureReason = 'timeout' | 'unreachable' | 'malformed' | 'aborted';

/** What came of one question to one server. */
export type DnsExchange =
  | { kind: 'response'; response: DnsResponse; elapsedMs: number }
  | { kind: 'failure'; reason: QueryFailureReason; detail: string; elapsedMs: number };

export interface QueryOptions {
  /** RD. Authoritative servers are asked without it. */
  recursive: boolean;
  /** Checking disabled (RFC 4035, section 3.2.2): shows what a validating resolver hides. Default false. */
  checkingDisabled?: boolean;
  signal?: AbortSignal | undefined;
}

/**
 * Asks one server one question, with all that takes: EDNS and without, UDP and TCP, repeats, a time limit. Never rejects.
 */
export interface DnsClient {
  query(server: DnsServer, question: DnsQuestion, options: QueryOptions): Promise<DnsExchange>;
  /** Frees its sockets. */
  close(): void;
}
