/** One question that the mock's DNS has seen. */
export interface DnsJournalEntry {
  /** 1 for the first since the start or the last reset. */
  sequence: number;
  /** When it came, in milliseconds since the epoch, by the mock's clock. */
  at: number;
  over: 'udp' | 'tcp';
  /** The address that was asked. */
  server: string;
  /** Without the final dot; bytes that are not plain as `\DDD`. */
  name: string;
  type: string;
  /** RD: whether it was the recursive resolver that was asked. */
  recursionDesired: boolean;
  edns: boolean;
  /** Such as `NXDOMAIN`; absent where no answer was sent. */
  rcode?: string;
  /** Records in the answer section. */
  answers: number;
  /** The faults that struck it. */
  faults?: readonly string[];
}

/** The last questions, bounded. */
export interface DnsJournal {
  readonly size: number;
  /** Entries that had to go to make room. */
  readonly dropped: number;
  record(entry: Omit<DnsJournalEntry, 'sequence'>): void;
  entries(): DnsJournalEntry[];
  clear(): void;
}

/** @throws TypeError where `entriesMax` is not a positive whole number. */
export function createDnsJournal(entriesMax: number): DnsJournal {
  if (!Number.isInteger(entriesMax) || entriesMax < 1)
    throw new TypeError('journalMax is not a positive whole number');
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
      // In one go now and then, since taking the first off a long list each time is slow.
      if (entries.length >= 2 * entriesMax) entries = entries.slice(-entriesMax);
    },
    entries: () => entries.slice(-entriesMax),
    clear() {
      entries = [];
      recorded = 0;
    },
  };
}
