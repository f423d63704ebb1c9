/** The last entries, up to a maximum. */
export interface Ring<Stored, Entry> {
  /** Number of entries. */
  readonly size: number;
  /** Number of entries removed to make room. */
  readonly dropped: number;
  /** Number of entries since the start or the last `clear`. */
  readonly recorded: number;
  record(entry: Stored): void;
  /** Returns the entries, oldest first. */
  entries(): Entry[];
  /** Returns the newest entry. */
  last(): Entry | undefined;
  /** Returns an entry by its sequence number, or `undefined` if the ring does not have it. */
  find(sequence: number): { entry: Entry; stored: Stored } | undefined;
  clear(): void;
}

/**
 * @param entriesMax entries to keep. The oldest are removed first.
 * @param entryOf called on reading, because most entries are never read. The sequence number of the first entry is 1.
 * @param options.toStored returns what is kept of an entry. Receives the stored entry before it.
 * @throws TypeError if the maximum is not a positive whole number.
 */
export function createRing<Stored, Entry>(
  entriesMax: number,
  entryOf: (sequence: number, stored: Stored) => Entry,
  { toStored = (entry) => entry }: { toStored?(entry: Stored, before: Stored | undefined): Stored } = {},
): Ring<Stored, Entry> {
  if (!Number.isInteger(entriesMax) || entriesMax < 1)
    throw new TypeError('journalMax must be a whole number of 1 or more');
  const ring: Stored[] = [];
  let recorded = 0;
  let newest: Stored | undefined;

  const firstSequence = (): number => Math.max(0, recorded - entriesMax) + 1;
  const storedAt = (sequence: number): Stored => ring[(sequence - 1) % entriesMax] as Stored;
  const entryAt = (sequence: number): Entry => entryOf(sequence, storedAt(sequence));

  return {
    get size() {
      return Math.min(recorded, entriesMax);
    },
    get dropped() {
      return firstSequence() - 1;
    },
    get recorded() {
      return recorded;
    },
    record(entry) {
      newest = toStored(entry, newest);
      ring[recorded % entriesMax] = newest;
      recorded += 1;
    },
    entries() {
      const entries: Entry[] = [];
      for (let sequence = firstSequence(); sequence <= recorded; sequence += 1)
        entries.push(entryAt(sequence));
      return entries;
    },
    last: () => (recorded === 0 ? undefined : entryAt(recorded)),
    find(sequence) {
      if (!(sequence >= firstSequence() && sequence <= recorded)) return undefined;
      return { entry: entryAt(sequence), stored: storedAt(sequence) };
    },
    clear() {
      ring.length = 0;
      newest = undefined;
      recorded = 0;
    },
  };
}
