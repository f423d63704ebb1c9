import type { DnsOptions } from './dns/dns.js';
import type { MockPetSeed } from './pets/store.js';
import type { MockClock } from './service/clock.js';
import type { Fault } from './service/fault.js';
import type { JournalEntry } from './service/journal.js';
import type { MockPlan } from './service/limits.js';

/** Options of `createMock`. */
export interface MockOptions {
  /**
   * The pets in the store of each key: a number of generated pets (0 to 1,000,000), or the pets themselves.
   *
   * @default 25
   */
  pets?: number | readonly MockPetSeed[];
  /**
   * Seed of the generated pets and of the random faults. The same seed gives the same results on every machine.
   *
   * @default 1
   */
  seed?: number;
  /**
   * The plan of every key, which sets the rate limits.
   *
   * @default 'free'
   */
  plan?: MockPlan;
  /**
   * The valid API keys, at least one. Each key has its own store and its own limits.
   *
   * @default ['mock-key']
   */
  keys?: readonly string[];
  /**
   * Faults to inject: objects, or texts for `parseFault`.
   *
   * @default []
   */
  faults?: readonly (Fault | string)[];
  /**
   * The base clock, to which `advance` adds an offset.
   *
   * @default the system clock
   */
  clock?: MockClock;
  /**
   * Delay before every response, in milliseconds.
   *
   * @default 0
   */
  latencyMs?: number;
  /**
   * Number of requests that the journal keeps, at least 1.
   *
   * @default 1000
   */
  journalMax?: number;
  /** Result of `snapshot()` of an earlier mock. The stores start with its pets instead of `pets`. */
  snapshot?: unknown;
  /**
   * Value of the header `X-Mock-Instance` of every response, which identifies the mock. Visible ASCII.
   *
   * @default a unique value
   */
  instance?: string;
  /**
   * Zones and faults of the mock DNS, which starts when `listen` gets a `dnsPort`.
   *
   * @default the built-in zones
   */
  dns?: DnsOptions;
  /**
   * A HAR 1.2 archive, as parsed JSON. Its responses replace the service: keys and limits are not checked, and headers are
   * sent as recorded. Requests match by method, path, query and body. Equal requests get their responses in the recorded
   * order, and then the last one again. An unknown request gets 501, which names the nearest entry.
   */
  replay?: unknown;
  /** Called after each request. An error that it throws becomes a 500 response of `listen`. */
  onRequest?: (entry: JournalEntry) => void;
}
