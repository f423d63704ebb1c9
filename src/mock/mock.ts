import type { MockClock } from './service/clock.js';
import type { DnsOptions, DnsState, MockDns } from './dns/dns.js';
import type { DnsServer } from './dns/listen.js';
import type { Fault } from './service/fault.js';
import type { MockOutcome, MockRequest } from './service/message.js';
import type { JournalEntry } from './service/journal.js';
import type { Budget, MockPlan } from './service/limits.js';
import type { MockPetSeed, StoreSnapshot } from './service/store.js';
import type { Verify } from './service/verify.js';

/** How to set up a mock. */
export interface MockOptions {
  /** How many animals each key's store begins with (default 25, made from `seed`), or the animals themselves. */
  pets?: number | readonly MockPetSeed[];
  /** Of the animals and of everything drawn by chance; the same on every machine. Default 1. */
  seed?: number;
  /** Of every key. Default `free`. */
  plan?: MockPlan;
  /** The good keys, each with a world of its own. Default `['mock-key']`. */
  keys?: readonly string[];
  /** What goes wrong: faults, or texts that `parseFault` reads. */
  faults?: readonly (Fault | string)[];
  /** The time underneath; `advance` comes on top. Default: the machine's. */
  clock?: MockClock;
  /** Before every answer, in milliseconds. Default 0. */
  latencyMs?: number;
  /** Requests kept in the journal. Default 1,000. */
  journalMax?: number;
  /** What an earlier mock's `snapshot()` returned; the stores begin with it instead of `pets`. */
  snapshot?: unknown;
  /**
   * Sent with every answer as `X-Mock-Instance`, to prove which mock answered; visible ASCII. Default: another one for
   * each mock, whatever the seed.
   */
  instance?: string;
  /** Zones and faults of its DNS, which is there once it listens with a `dnsPort`. Default: the built-in zones. */
  dns?: DnsOptions;
  /** Told of each request once it has been handled. */
  onRequest?: (entry: JournalEntry) => void;
}

/** The stores of the keys that the mock was made with, as plain data for `stringifyJson`. Holds no keys and no limits. */
export interface MockSnapshot {
  format: 'petstore-mock/1';
  /** In the order of the option `keys`. */
  worlds: readonly StoreSnapshot[];
}

/** How a mock stands. */
export interface MockState {
  instance: string;
  /** By the mock's clock, in milliseconds since the epoch. */
  now: number;
  /** How far `advance` has moved the clock, in milliseconds. */
  clockOffsetMs: number;
  /** In the order of `keys`; the keys themselves are left out. */
  tenants: readonly {
    tenant: number;
    plan: MockPlan;
    pets: number;
    rateLimit: Budget;
    banned: boolean;
  }[];
  faults: readonly (Fault & { seen: number; struck: number })[];
  journal: { entries: number; dropped: number };
  /** Once it has listened with a `dnsPort`. */
  dns?: DnsState;
}

/** Where to listen. */
export interface ListenOptions {
  /** Default 0: any free one. */
  port?: number;
  /** Default `127.0.0.1`. */
  host?: string;
  /** Serves DNS as well, over UDP and TCP, at loopback addresses whatever `host` is; 0 for any free port. Default: none. */
  dnsPort?: number;
}

/** A mock on a port. */
export interface MockServer {
  /** Such as `http://127.0.0.1:4010`. */
  readonly url: string;
  /** The same with `/v1`: what a client takes as its base URL. */
  readonly baseUrl: string;
  readonly port: number;
  /** Where its DNS is, where `dnsPort` was given. */
  readonly dns?: Omit<DnsServer, 'close'>;
  /**
   * Takes no more requests, ends idle connections at once, and the others after their answer, or at the latest after
   * `deadlineMs` (default 500).
   */
  close(options?: { deadlineMs?: number }): Promise<void>;
}

/** A pet store service in memory. */
export interface Mock {
  /** Handles a request at once. The caller waits `delayMs` and plays the outcome. */
  handle(request: MockRequest): MockOutcome;
  /** Like `handle`, and waits. Rejects with the signal's reason; what the request did stays done. */
  exchange(request: MockRequest, signal?: AbortSignal): Promise<MockOutcome>;
  /**
   * A Web `fetch` that reaches this mock whatever the host in the URL.
   *
   * @throws TypeError `fetch failed` with `cause.code` `ECONNRESET` where a fault ends the connection.
   */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /**
   * Serves it on a port, loopback by default.
   *
   * @throws the system's error, such as `EADDRINUSE`.
   */
  listen(options?: ListenOptions): Promise<MockServer>;
  /** The requests seen, oldest first, at most `journalMax`. Keys are redacted. */
  readonly journal: readonly JournalEntry[];
  /** Its DNS; `undefined` until it has listened with a `dnsPort`. */
  readonly dns: MockDns | undefined;
  /** Assertions over the journal. */
  readonly verify: Verify;
  /** The good keys, those of `tenant()` last. */
  readonly keys: readonly string[];
  readonly instance: string;
  /**
   * Everything back to the beginning: stores, limits, bans, clock, journal, the faults it was made with, and DNS. Keys
   * stay good.
   */
  reset(): void;
  /**
   * Moves the clock forward, at most to the end of the year 9999; answers that are due by then are sent.
   *
   * @param by `60s`, `500ms`, milliseconds, `until-reset` (of the limit that the key's headers show) or
   *   `until-unbanned` (not at all where it is not banned).
   * @param key whose limit or ban; default the first.
   * @returns the new time in milliseconds since the epoch.
   * @throws TypeError where it is not a length of time, or too long, or not a key of this mock.
   */
  advance(by: string | number, key?: string): number;
  /** A fresh key with a store, limits and bans of its own: parallel tests on one mock. */
  tenant(options?: { plan?: MockPlan }): string;
  /** Replaces the faults. */
  setFaults(faults: readonly (Fault | string)[]): void;
  state(): MockState;
  snapshot(): MockSnapshot;
}
