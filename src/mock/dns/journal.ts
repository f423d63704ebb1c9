/** A query in the journal of the mock DNS. */
export interface DnsJournalEntry {
  /** 1 for the first query since the start or the last reset. */
  sequence: number;
  /** Time of the query, by the mock's clock. */
  at: Date;
  over: 'udp' | 'tcp';
  /** The address that received the query. */
  server: string;
  /** Without the final dot. Control characters are written as `\DDD`. */
  name: string;
  type: string;
  /** RD: `true` for the recursive resolver, `false` for the authoritative server. */
  recursionDesired: boolean;
  /** Whether the query had an OPT record. */
  edns: boolean;
  /** Such as `NXDOMAIN`. Absent without a response. */
  rcode?: string;
  /** Number of records in the answer section. */
  answers: number;
  /** The faults that were applied. */
  faults?: readonly string[];
}

/** The last queries, up to a maximum. */
export interface DnsJournal {
  readonly size: number;
  /** Number of entries removed to make room. */
  readonly dropped: number;
  record(entry: Omit<DnsJournalEntry, 'sequence'>): void;
  entries(): DnsJournalEntry[];
  clear(): void;
}

/** @throws TypeError if `entriesMax` is not a positive whole number. */
export function createDnsJournal(entriesMax: number): DnsJournal {
  if (!Number.isInteger(entriesMax) || entriesMax < 1)
    throw new TypeError('journalMax must be a whole number of 1 or more');
  let entries: DnsJournalEntry[] = [];
  let recorded = 0;
  return {
    get size() {
      return Math.min(entries.length, entriesMax);
    },
    get dropped() {
      return recorded - Math.min(entries.length, entriesMax);
    },
    record(entry) {
      recorded += 1;
      entries.push({ sequence: recorded, ...entry });
      // Removes many at once: shift() on a long array is slow.
      if (entries.length >= 2 * entriesMax) entries = entries.slice(-entriesMax);
    },
    entries: () => entries.slice(-entriesMax),
    clear() {
      entries = [];
      recorded = 0;
    },
  };
}
