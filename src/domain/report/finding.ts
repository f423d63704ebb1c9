import { printable } from '../../schema/control-characters.js';

/** Severity of a finding. */
export type Severity =
  /** Verification fails. */
  | 'block'
  /** Correct at the source. Only time is needed. */
  | 'wait'
  /** Could not be checked. */
  | 'unknown'
  | 'warn'
  | 'info';

/** The subject of a finding. */
export type Axis =
  | 'name'
  | 'plan'
  | 'deploy'
  | 'zone'
  | 'record'
  | 'propagation'
  | 'caa'
  | 'certificate'
  | 'redirect'
  | 'serving';

/** A change of the records of one name. */
export interface Change {
  /** Records that exist, to remove. */
  remove: readonly RecordFields[];
  /** Records to add, or to keep in this form. */
  add: readonly RecordToAdd[];
}

/** How to fix a finding. */
export interface Fix extends Change {
  action: 'add' | 'remove' | 'change' | 'other';
  /** For people: one or more sentences, with the exact text to paste. */
  text: string;
  /** The text in its parts, for a page that shows the change of records elsewhere, or one part a line. */
  parts: readonly AdvicePart[];
}

/** A part of an advice: one or more sentences. */
export interface AdvicePart {
  /**
   * - `check`: what to check before the change.
   * - `unless`: when not to make the change. The next part begins with "Otherwise".
   * - `change`: the change of the records in `remove` and `add`.
   * - `step`: anything else to do.
   * - `choice`: one of several ways.
   * - `note`: a hint.
   */
  kind: 'check' | 'unless' | 'change' | 'step' | 'choice' | 'note';
  text: string;
}

/** A record as the fields of a DNS provider's form. */
export interface RecordFields {
  type: string;
  /** The full name, without the final dot. */
  name: string;
  /** The name relative to the zone; `@` for the zone itself. */
  label: string;
  value: string;
  /** Seconds. Absent for a record to remove. */
  ttl?: number;
}

/** A record to add. */
export interface RecordToAdd extends RecordFields {
  /** Seconds. */
  ttl: number;
}

/** A change of one record, and where to make it. */
export interface Todo {
  /** The DNS provider: `GoDaddy`, or `the DNS provider of ns1.example.net (listed at your registrar)`. */
  at: string;
  /** `edit`: the record, or what it replaces, exists. `remove`: nothing replaces it, because the right records exist. */
  action: 'add' | 'edit' | 'remove';
  /** As to paste. Without `ttl` if it is to be removed. */
  record: RecordFields;
  /** The records that it replaces, in one change: a removal on its own would leave the domain without an address. */
  replaces?: readonly RecordFields[];
}

/** One result of a check. */
export interface Finding {
  /** Stable, such as `record.missing`. */
  id: FindingId;
  axis: Axis;
  severity: Severity;
  /** For people: what was found. */
  message: string;
  /** For a redirect: the message without the hosts of its entry. */
  reason?: string;
  fix?: Fix;
  evidence: readonly Evidence[];
  /** The redirect entries that the finding is about. Valid hosts are in ASCII. */
  entries?: readonly { from: string; to: string; status: number }[];
}

/** The parts of a finding in addition to its id and severity. */
interface FindingParts extends Pick<Finding, 'message' | 'reason' | 'evidence' | 'entries'> {
  /** Texts alone are advice without records: what to do, and hints. */
  fix?: Fix | string | readonly string[] | undefined;
  /** By default, the axis of the id. */
  axis?: Axis;
}

/** Makes a finding. */
export function finding(
  id: FindingId,
  severity: Severity,
  { axis = axisOf(id), fix: given, message, reason, evidence, entries }: FindingParts,
): Finding {
  const fix = isFix(given) ? given : adviceWithoutChange(...[given].flat());
  // Queries for A and AAAA may get the same response.
  const distinct = evidence.filter(({ text }, at) => evidence.findIndex((one) => one.text === text) === at);
  return {
    id,
    axis,
    severity,
    message,
    ...(reason !== undefined && { reason }),
    ...(fix && { fix }),
    evidence: distinct,
    ...(entries && { entries }),
  };
}

function isFix(fix: FindingParts['fix']): fix is Fix | undefined {
  return fix === undefined || (typeof fix === 'object' && 'parts' in fix);
}

/** Advice that changes no record. */
export function adviceWithoutChange(...texts: readonly string[]): Fix {
  const parts = texts.map((text, index): AdvicePart => ({ kind: index === 0 ? 'step' : 'note', text }));
  return { action: 'other', text: texts.join(' '), parts, remove: [], add: [] };
}

/** The axis of an id. */
function axisOf(id: FindingId): Axis {
  // The type of `split` loses the prefixes.
  return AXES[id.split('.')[0] as Prefix];
}

type Prefix<Id = FindingId> = Id extends `${infer First}.${string}` ? First : never;

const AXES: Readonly<Record<Prefix, Axis>> = {
  time: 'zone',
  name: 'name',
  plan: 'plan',
  deploy: 'deploy',
  zone: 'zone',
  record: 'record',
  conflict: 'record',
  apex: 'record',
  caa: 'caa',
  prop: 'propagation',
  cert: 'certificate',
  probe: 'serving',
  redirect: 'redirect',
};

/** Evidence of a finding. */
export interface Evidence {
  /** What a server returned, such as `ns1.example.net (192.0.2.1): A 192.0.2.99, TTL 300`. */
  text: string;
  /** A command that shows the same, such as `dig +norecurse @192.0.2.1 shop.example.com A`. */
  command?: string;
}

/** Stable id of a finding. */
export type FindingId =
  | 'time.ran-out'
  | `name.${'invalid' | 'ip' | 'public-suffix' | 'wildcard' | 'idn'}`
  | `plan.${'required' | 'unknown'}`
  | `deploy.${'required' | 'unknown'}`
  | `zone.${'not-registered' | 'no-delegation' | 'lame-ns' | 'unreachable-ns' | 'ns-mismatch' | 'serial-skew' | 'dnssec-bogus' | 'intercepted' | 'split-providers' | 'wrong-nxdomain'}`
  | `record.${'missing' | 'partial' | 'wrong-target' | 'typo-target' | 'missing-dot' | 'doubled-label' | 'chain' | 'loop' | 'dangling' | 'wildcard' | 'ttl' | 'reserved-address' | 'ok'}`
  | `conflict.${'address' | 'coexist' | 'multiple-cname' | 'other-types' | 'https-rr'}`
  | `apex.${'missing' | 'cname' | 'wrong-address' | 'mixed' | 'aaaa-stale' | 'ipv4-missing' | 'ipv6-missing' | 'alias-proved' | 'alias-consistent' | 'looks-copied' | 'alias-broken'}`
  | `caa.${'blocked' | 'critical' | 'lookup-failed' | 'ok'}`
  | `prop.${'stale-positive' | 'stale-negative' | 'resolver-error' | 'done'}`
  | `cert.${'active' | 'pending' | 'overdue' | 'wrong-name' | 'untrusted' | 'expired' | 'expiring' | 'no-tls' | 'differs-per-address'}`
  | `probe.${'served' | 'unproved' | 'failed'}`
  | `redirect.${'ok' | 'missing' | 'status' | 'target' | 'unreachable' | 'loop' | 'downgrade' | 'no-cert-on-from' | 'drops-path-query'}`;

/** Makes all texts of a finding or of evidence safe to print. They may contain untrusted data from DNS. */
export function withPrintableTexts<T>(value: T): T {
  if (typeof value === 'string') return printable(value) as T;
  if (Array.isArray(value)) return value.map(withPrintableTexts) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withPrintableTexts(part)])) as T;
}
