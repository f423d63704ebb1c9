/**
 * Where the budget of one key at one origin is kept for all who send with that key: a single text, replaced by
 * compare-and-swap. The rules of the budget run in the clients and nowhere else, so a ledger understands nothing of
 * what it keeps.
 *
 * Whatever fails is thrown or rejected; whoever uses the ledger then goes by what was last known (`fallback.ts`), limits
 * the time that an operation may take, and tries again after a while. A ledger retries nothing by itself.
 */
export interface Ledger {
  /**
   * This process, as others see it in the text: unlike that of any other process, and of another ledger of this one.
   * Letters, digits, `.`, `-`, `_` and `:` only.
   */
  readonly holder: string;
  /** Looks at what is kept. A ledger on this machine may answer at once; one across a network promises to. */
  read(): Reading | Promise<Reading>;
  /**
   * Replaces the text, if nobody has since it was read: of all who swap from one reading, at most one succeeds.
   *
   * @param expiresInMs how long the text is worth keeping; later it may be forgotten.
   */
  swap(seen: Reading, text: string, expiresInMs: number): Swap | Promise<Swap>;
  /** Whether a holder is known to be dead, so that nothing of it need be waited for. Absent where that can't be known. */
  isGone?(holder: string): boolean;
}

/** What a ledger held at a moment. */
export interface Reading {
  /** `undefined` where nothing is kept, or nothing that can be read. */
  text: string | undefined;
  /** Tells this text from every other that was ever kept here, the same text again included. The ledger's own. */
  version: string;
  /**
   * The time, in milliseconds, on one clock for all who share the ledger. It begins anywhere, goes on while a process
   * is down, and does not jump back but where the place of the ledger itself is lost.
   */
  now: number;
}

/** What became of a swap. */
export interface Swap {
  swapped: boolean;
  /** What is kept now: the new text, or the one that came first. Saves those who lost from reading again. */
  reading: Reading;
}

/** A place for ledgers, one a budget: what the option `gate` takes, and `fileGate()` makes. */
export interface GateStore {
  /** Tells one place from another: within a process, clients whose stores have the same id share their gates. */
  readonly id: string;
  /**
   * Makes the ledger of a budget. Does no I/O yet.
   *
   * @param budget names it: a digest of origin and key, in hexadecimal digits.
   */
  open(budget: string): Ledger;
  /** Lets connections go. Nothing is lost by it; a later use opens them again. */
  close(): Promise<void>;
}
