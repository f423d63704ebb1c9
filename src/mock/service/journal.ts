import type { MockRequest } from './message.js';

/** One request that the mock has seen. */
export interface JournalEntry {
  /** 1 for the first since the start or the last reset. */
  sequence: number;
  /** When it came, in milliseconds since the epoch, by the mock's clock. */
  at: number;
  method: string;
  /** Path below `/v1`, such as `/pets`; the whole path where it is elsewhere. */
  path: string;
  /** What follows the `?`, as sent; empty without one. */
  query: string;
  /** As sent, but for what carries a secret. */
  headers: Readonly<Record<string, string>>;
  /** The first 16,384 characters. */
  body?: string;
  /** Number of the key, 1 for the first; absent without a good key. The key itself is not kept here. */
  tenant?: number;
  /** Status of the answer; absent where the connection ended without one. */
  status?: number;
  /** The fault that struck it. */
  fault?: string;
  /** Seconds that a 429 told it to wait. */
  retryAfterSeconds?: number;
}

/** The entry of a request, before the secrets are taken out. */
export interface JournalRecord extends Omit<JournalEntry, 'sequence' | 'headers' | 'body' | 'method'> {
  request: MockRequest;
}

/** The last requests, bounded. */
export interface Journal {
  /** Entries kept. */
  readonly size: number;
  /** Entries that had to go to make room. */
  readonly dropped: number;
  /** @returns the entry's sequence number. */
  record(record: JournalRecord): number;
  entries(): JournalEntry[];
  /** The last one recorded. */
  last(): JournalEntry | undefined;
  clear(): void;
}

const BODY_CHARACTERS_MAX = 16_384;
const SECRET_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'x-api-key',
]);

/**
 * @param entriesMax entries kept; the oldest go first.
 * @throws TypeError where that is not a positive whole number.
 */
export function createJournal(entriesMax: number): Journal {
  if (!Number.isInteger(entriesMax) || entriesMax < 1)
    throw new TypeError('journalMax is not a positive whole number');
  const ring: JournalRecord[] = [];
  let recorded = 0;

  const entryAt = (sequence: number): JournalEntry =>
    entryOf(sequence, ring[(sequence - 1) % entriesMax] as JournalRecord);
  const firstKept = (): number => Math.max(0, recorded - entriesMax) + 1;

  return {
    get size() {
      return Math.min(recorded, entriesMax);
    },
    get dropped() {
      return firstKept() - 1;
    },
    record(record) {
      ring[recorded % entriesMax] = withShortBody(record);
      recorded += 1;
      return recorded;
    },
    entries() {
      const entries: JournalEntry[] = [];
      for (let sequence = firstKept(); sequence <= recorded; sequence += 1) entries.push(entryAt(sequence));
      return entries;
    },
    last: () => (recorded === 0 ? undefined : entryAt(recorded)),
    clear() {
      ring.length = 0;
      recorded = 0;
    },
  };
}

function withShortBody(record: JournalRecord): JournalRecord {
  const { body } = record.request;
  if (body === undefined || body.length <= BODY_CHARACTERS_MAX) return record;
  // A slice would keep the whole body alive behind it.
  const short = Buffer.from(body.slice(0, BODY_CHARACTERS_MAX)).toString();
  return { ...record, request: { ...record.request, body: short } };
}

// Done on reading, since a busy server records far more than anyone reads.
function entryOf(sequence: number, { request, at, path, query, ...rest }: JournalRecord): JournalEntry {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    headers[name] = SECRET_HEADERS.has(name.toLowerCase()) ? redacted(value) : value;
  }
  const { body } = request;
  return {
    sequence,
    at,
    method: request.method,
    path,
    query,
    headers,
    ...(body === undefined ? {} : { body }),
    ...rest,
  };
}

/** Keeps the scheme, which is what a test of the header looks at. */
function redacted(value: string): string {
  return /^(?:bearer|basic) /i.test(value) ? value.replace(/ .*$/s, ' [redacted]') : '[redacted]';
}
