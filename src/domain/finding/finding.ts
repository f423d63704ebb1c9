/** How much a finding weighs. */
export type Severity =
  /** Verification fails. */
  | 'block'
  /** Right at the source; only time is missing. */
  | 'wait'
  /** Could not be told. */
  | 'unknown'
  | 'warn'
  | 'info';

/** What a finding is about. */
export type Axis =
  'name' | 'plan' | 'deploy' | 'zone' | 'record' | 'propagation' | 'caa' | 'certificate' | 'redirect';

/** What to change, with the record as it is typed. */
export interface Fix {
  action: 'add' | 'remove' | 'change' | 'other';
  /** One sentence. */
  text: string;
  /** Records to add, remove or change to. */
  records: readonly RecordFields[];
}

/** A record as a DNS provider's form wants it. */
export interface RecordFields {
  type: string;
  /** The whole name, without the final dot. */
  name: string;
  /** The name relative to the zone; `@` for the zone itself. */
  label: string;
  value: string;
  /** Seconds; absent for a record to remove. */
  ttl?: number;
}

/** Something that was concluded from the facts. */
export interface Finding {
  /** Stable, such as `record.missing`. */
  id: FindingId;
  axis: Axis;
  severity: Severity;
  /** For people: one or two sentences. */
  message: string;
  fix?: Fix;
  evidence: readonly Evidence[];
  /** Of redirects: the entries that it is about, with hosts in ASCII; what is no host, as it can be shown. */
  entries?: readonly { from: string; to: string; status: number }[];
}

/** What a finding rests on. */
export interface Evidence {
  /** What was seen, such as `ns1.example.net (192.0.2.1): A 192.0.2.99, TTL 300`. */
  text: string;
  /** A command that shows it, such as `dig +norecurse @192.0.2.1 shop.example.com A`. */
  command?: string;
}

export type FindingId =
  | 'time.ran-out'
  | `name.${'invalid' | 'ip' | 'public-suffix' | 'wildcard' | 'idn'}`
  | `plan.${'required' | 'unknown'}`
  | `deploy.${'required' | 'unknown'}`
  | `zone.${'not-registered' | 'no-delegation' | 'lame-ns' | 'unreachable-ns' | 'ns-mismatch' | 'serial-skew'}`
  | `record.${'missing' | 'partial' | 'wrong-target' | 'typo-target' | 'missing-dot' | 'doubled-label' | 'chain' | 'loop' | 'dangling' | 'wildcard' | 'ttl' | 'reserved-address' | 'ok'}`
  | `conflict.${'address' | 'coexist' | 'multiple-cname' | 'other-types' | 'https-rr'}`
  | `apex.${'missing' | 'cname' | 'wrong-address' | 'mixed' | 'aaaa-stale' | 'alias-proved' | 'alias-consistent' | 'looks-copied' | 'alias-broken'}`
  | `caa.${'blocked' | 'critical' | 'lookup-failed' | 'ok'}`
  | `prop.${'stale-positive' | 'stale-negative' | 'resolver-error' | 'done'}`
  | `cert.${'active' | 'pending' | 'overdue' | 'wrong-name' | 'untrusted' | 'expired' | 'expiring' | 'no-tls' | 'differs-per-address'}`
  | `redirect.${'ok' | 'missing' | 'status' | 'target' | 'loop' | 'downgrade' | 'no-cert-on-from' | 'drops-path-query'}`;
