import { ConfigurationError } from '../../errors.js';
import { anything, findProblem } from '../../options/check-options.js';

/**
 * Stores the rate budgets, one store per key and origin: the type of the option `gate`. `fileGate()` and `redisGate()`
 * return one. Implement it to share the budget in other storage.
 *
 * If a store fails, calls use the budget in memory, with one warning; `redisGate()` uses files first. A failing store
 * never makes a call fail or hang.
 *
 * @example
 * ```ts
 * const database = new Map<string, { text: string; version: number }>();
 *
 * const store: GateStore = {
 *   id: 'my-database',
 *   open(budget) {
 *     const read = (): Reading => {
 *       const { text, version } = database.get(budget) ?? { text: undefined, version: 0 };
 *       return { text, version: String(version), now: Date.now() };
 *     };
 *     return {
 *       holder: crypto.randomUUID(),
 *       read,
 *       swap(seen, text) {
 *         const swapped = read().version === seen.version;
 *         if (swapped) database.set(budget, { text, version: Number(seen.version) + 1 });
 *         return { swapped, reading: read() };
 *       },
 *     };
 *   },
 *   close: () => Promise.resolve(),
 * };
 * createPetStore({ apiKey, baseUrl, gate: store });
 * ```
 */
export interface GateStore {
  /** Identifies the storage. Clients of one process whose stores have the same id share their budgets. */
  readonly id: string;
  /**
   * Returns the store of a budget. Must not do any I/O yet.
   *
   * @param budget name of the budget: a digest of origin and key, 32 hexadecimal digits.
   */
  open(budget: string): BudgetStore;
  /** Closes connections. A later use opens them again. */
  close(): Promise<void>;
}

/**
 * Stores one text, replaced by compare-and-swap. The clients apply the rules of the rate budget; a store need not
 * understand the text.
 *
 * An operation may throw or reject. The client then continues in memory and retries later, so a store needs no retries
 * or time limits of its own. The client waits at most 3 seconds for a read, and for a read and all swaps that follow it.
 */
export interface BudgetStore {
  /**
   * Identifies this process in the text. Unique among all processes and stores.
   * 1 to 200 letters, digits, `.`, `-`, `_` and `:`.
   */
  readonly holder: string;
  /** Reads the stored text. */
  read(): Reading | Promise<Reading>;
  /**
   * Replaces the text if it has not changed since it was read. Only one of several swaps with the same reading
   * succeeds.
   *
   * @param expiresInMs milliseconds after which the text may be deleted.
   */
  swap(seen: Reading, text: string, expiresInMs: number): Swap | Promise<Swap>;
  /**
   * Checks whether a process is certainly dead. Without this method, the requests of a dead process count as in flight
   * until they time out.
   */
  isDead?(holder: string): boolean;
  /**
   * Checks at once whether nothing was stored since a reading. With this method, a busy process stores the budget once
   * for many requests where the limit is far away. It checks before each of them.
   */
  isCurrent?(reading: Reading): boolean;
}

/** The content of a store at one time. */
export interface Reading {
  /** The stored text. `undefined` if there is no text, or if it is unreadable. */
  text: string | undefined;
  /** Why the stored text is unreadable, for a warning. The next swap replaces it. */
  damage?: string;
  /** Changes with every swap, even if the text stays the same. Any format. */
  version: string;
  /**
   * Current time in milliseconds, by one clock for all processes that share the store. Any start is allowed. Continues
   * while no process runs, and never jumps back.
   */
  now: number;
}

/** The result of a swap. */
export interface Swap {
  /** Whether this swap replaced the text. */
  swapped: boolean;
  /** The content after the swap: the new text, or the text of the process that was faster. */
  reading: Reading;
}

/**
 * Checks the options of a gate.
 *
 * @throws ConfigurationError if they are no object, or for an unknown option.
 */
export function checkGateOptions(gate: string, options: unknown, known: readonly string[]): void {
  const checks = Object.fromEntries(known.map((name) => [name, anything]));
  const problem = findProblem(options, checks, {
    what: `The options of ${gate}`,
    noun: `option of ${gate}`,
  });
  if (problem === undefined) return;
  const [first] = known;
  const { message, hint = `Pass ${gate}({ ${String(first)} }).` } = problem;
  throw new ConfigurationError(message, {
    option: 'gate',
    hint: first === undefined ? `${gate} has no options.` : hint,
  });
}

/** Creates the error for a gate that needs a module of Node.js, in a runtime without it. */
export function needsNode(gate: string): ConfigurationError {
  return new ConfigurationError(`${gate} needs Node.js, and this runtime has no modules of Node.js`, {
    option: 'gate',
    hint: 'Leave out gate, or pass memoryGate(): the budget is then limited to this process.',
  });
}
