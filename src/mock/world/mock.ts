import type { DnsState, MockDns } from '../dns/dns.js';
import type { DnsServer } from '../dns/listen-dns.js';
import type { WebOptions, WebServer, WebState } from '../web/web.js';
import type { ReplayState } from '../har/replay.js';
import type { MockSnapshot } from '../pets/snapshot.js';
import type { MockPetSeed } from '../pets/store.js';
import type { VirtualClock } from '../service/clock.js';
import type { MockEvent } from '../service/events.js';
import type { Explanation } from '../service/explain.js';
import type { Fault } from '../service/fault.js';
import type { ActiveFaultState, FaultChange } from '../service/faults.js';
import type { JournalFilter } from '../service/journal-filter.js';
import type { JournalEntry } from '../service/journal.js';
import type { MockPlan } from '../service/limits.js';
import type { MockOutcome, MockRequest } from '../service/message.js';
import type { Verify } from '../service/verify.js';
import type { MockTenant, TenantState } from './account.js';

/** Options of `Mock.listen`. */
export interface ListenOptions {
  /**
   * TCP port, 0 to 65535. 0 means any free port.
   *
   * @default 0
   */
  port?: number | undefined;
  /**
   * Address or host name to listen on.
   *
   * @default '127.0.0.1'
   */
  host?: string | undefined;
  /** Also serves DNS on this port (0 to 65535, 0 means any free port), over UDP and TCP, always on loopback addresses. */
  dnsPort?: number | undefined;
  /**
   * Whether `/__mock/` serves a page that shows and controls the mock in a browser on this machine.
   *
   * @default true
   */
  ui?: boolean | undefined;
  /**
   * Opens the control API and the page to other machines that use this host name or address, or a loopback one, in the
   * URL. Every program that can connect to the port can then change the mock and read its requests.
   *
   * @default only programs on this machine, by a loopback address
   */
  controlHost?: string | undefined;
  /**
   * Also serves the web servers of the DNS names, over HTTP and HTTPS on free loopback ports.
   *
   * @default no web servers
   */
  web?: WebOptions | undefined;
  /**
   * Called when the response to a request has been sent, or its connection has closed. `durationMs` is the time since the
   * request, by the mock's clock, in milliseconds. An error that it throws is a warning of the process.
   */
  onResponse?: ((entry: JournalEntry, durationMs: number) => void) | undefined;
}

/** A mock that listens on a port. */
export interface MockServer {
  /** Such as `http://127.0.0.1:4010`. */
  readonly url: string;
  /** The URL with `/v1`: the base URL for a client. */
  readonly baseUrl: string;
  readonly port: number;
  /** Addresses and port of the mock DNS. Present if `dnsPort` was set. */
  readonly dns?: Omit<DnsServer, 'close'>;
  /** The web servers of the DNS names. Present with `web`. */
  readonly web?: WebServer;
  /**
   * Stops listening. Closes idle connections at once, and the others after their response or after `deadlineMs`.
   *
   * @param options.deadlineMs in milliseconds; default 500.
   */
  close(options?: { deadlineMs?: number }): Promise<void>;
  /** Closes it at the end of the block that declares it with `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** The state of a mock, as `GET /__mock/state` returns it. */
export interface MockState {
  instance: string;
  /** Time of the mock's clock. */
  now: Date;
  /** Whether the clock is frozen, until `advance` or `clock.run()`. */
  clockFrozen: boolean;
  /** How far `advance` has moved the clock, in milliseconds. */
  clockOffsetMs: number;
  /** In the order of `keys`. The keys themselves are not included. */
  tenants: readonly TenantState[];
  /** The faults for every key. Those of one key are in `MockTenant.faults`. */
  faults: readonly ActiveFaultState[];
  /** `dropped`: requests that the journal no longer keeps. */
  journal: { entries: number; dropped: number };
  /** The recording. Present with the option `replay`. */
  replay?: ReplayState;
  /** Present after `listen` with a `dnsPort`. */
  dns?: DnsState;
  /** Present after `listen` with `web`. */
  web?: WebState;
}

/** A pet store service in memory. */
export interface Mock {
  /** Handles a request without waiting. The caller waits `delayMs` and then sends the outcome. */
  handle(request: MockRequest): MockOutcome;
  /**
   * Handles a request, and resolves after the delay of the outcome.
   *
   * @throws the reason of `signal` if it aborts. Changes that the request made stay.
   */
  exchange(request: MockRequest, signal?: AbortSignal): Promise<MockOutcome>;
  /**
   * A Web `fetch` that sends every request to this mock, whatever the host in the URL. A reset replaces this function,
   * and clients with another `fetch` share no rate budget. So a client that a test creates after a reset starts fresh.
   *
   * @throws TypeError `fetch failed` with `cause.code` `ECONNRESET` if a fault closes the connection.
   * @example
   * ```ts
   * const store = createPetStore({ baseUrl: 'https://mock.test/v1', apiKey: 'mock-key', fetch: mock.fetch });
   * ```
   */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /**
   * Serves the mock over HTTP.
   *
   * @throws the system's error, such as `EADDRINUSE`.
   * @throws TypeError if a DNS zone or a DNS fault is invalid.
   * @example
   * ```ts
   * const server = await mock.listen({ port: 0 });
   * const store = createPetStore({ baseUrl: server.baseUrl, apiKey: 'mock-key' });
   * await server.close();
   * ```
   */
  listen(options?: ListenOptions): Promise<MockServer>;
  /** The last requests, oldest first, at most `journalMax`. Keys are redacted. */
  readonly journal: readonly JournalEntry[];
  /** The mock DNS, or `undefined` before `listen` with a `dnsPort`. */
  readonly dns: MockDns | undefined;
  /** Assertions about the journal. */
  readonly verify: Verify;
  /** The valid keys, including those of `tenant()`, in order of creation. */
  readonly keys: readonly string[];
  /** Value of the header `X-Mock-Instance`. */
  readonly instance: string;
  /**
   * The clock of the mock, for the option `clock` of `createPetStore`. Clients with this clock wait in virtual time: their
   * waits end during `advance`, and a reset ends all of them.
   *
   * @example
   * ```ts
   * const store = createPetStore({ baseUrl, apiKey: 'mock-key', fetch: mock.fetch, clock: mock.clock });
   * const pets = store.pets.list(); // waits, because the limit is used up
   * mock.advance('until-reset');
   * await pets;
   * ```
   */
  readonly clock: VirtualClock;
  /**
   * Restores pets, limits, bans, clock, faults and DNS to their initial state, and clears the journal. All keys stay valid.
   *
   * Clients with `clock: mock.clock` start fresh too. The budget of other existing clients stays, because the service can't
   * reach it: create new ones with `mock.fetch`, or with a `memoryGate()` for each test.
   */
  reset(): void;
  /**
   * Moves the clock forward. Responses that become due are sent, and waits of clients with `mock.clock` end.
   *
   * `until-reset` and `until-unbanned` also include the end of a `Retry-After`, which is rounded up to a second. They also
   * end waits that are due within the next 2 seconds, because clients add jitter.
   *
   * @param by a duration (`60s`, `500ms`, or a number of milliseconds), `until-reset` (of the limit in the key's rate headers)
   *   or `until-unbanned` (the end of the key's ban). The clock does not move for a key that is not banned.
   * @param key selects the limit or the ban; default: the first key.
   * @returns the new time.
   * @throws TypeError if the duration is invalid, the time would pass the year 9999, or the key is unknown.
   * @example
   * ```ts
   * mock.advance('until-reset'); // the next request has budget again
   * ```
   */
  advance(by: string | number, key?: string): Date;
  /**
   * Adds a key with its own pets, limits, faults, clock and ids, so that parallel tests can share one mock.
   *
   * @param options.plan default: the plan of the mock.
   * @param options.pets default: the pets of the mock.
   * @returns the new key, for `forKey` and for a client.
   * @throws TypeError if an option is invalid.
   */
  tenant(options?: {
    plan?: MockPlan | undefined;
    pets?: number | readonly MockPetSeed[] | undefined;
  }): string;
  /**
   * Returns what belongs to one key.
   *
   * @param key default: the first key.
   * @throws TypeError if the key is unknown.
   * @example
   * ```ts
   * const shop = mock.forKey(mock.tenant({ plan: 'pro' }));
   * shop.pets.load([{ name: 'Rex', categoryId: 1 }]);
   * shop.setFaults(['slow:ms=250']);
   * const store = createPetStore({ baseUrl, apiKey: shop.key, clock: shop.clock });
   * ```
   */
  forKey(key?: string): MockTenant;
  /**
   * Removes a key that `tenant` has added. Requests with it get 401.
   *
   * @throws TypeError if the key is unknown, or is one of the option `keys`.
   */
  removeTenant(key: string): void;
  /**
   * Resolves when at least `count` requests match, also earlier ones, or after `timeoutMs` of real time.
   *
   * @param options.key only requests with this key. @default any key
   * @param options.count 0 or more. @default 1
   * @param options.timeoutMs 0 to 60,000. @default 5000
   * @returns the matching entries of the journal, fewer than `count` after a time-out.
   * @example
   * ```ts
   * const posts = await mock.waitForRequests({ method: 'POST' }, { count: 3, timeoutMs: 5_000 });
   * ```
   */
  waitForRequests(
    filter?: JournalFilter,
    options?: {
      key?: string | undefined;
      count?: number | undefined;
      timeoutMs?: number | undefined;
      signal?: AbortSignal | undefined;
    },
  ): Promise<readonly JournalEntry[]>;
  /**
   * Forgets the requests so far.
   *
   * @param key only requests with this key. @default all requests
   * @throws TypeError if the key is unknown.
   */
  clearJournal(key?: string): void;
  /**
   * Explains the response to a request: the windows and the arithmetic behind a 429.
   *
   * @param sequence of a journal entry.
   * @throws TypeError if the journal does not have it.
   */
  explain(sequence: number): Explanation;
  /**
   * Calls the listener after each request and after each change by a method of the mock. Its first error is a warning of
   * the process.
   *
   * @returns a function that removes the listener.
   * @throws TypeError if the listener is not a function.
   */
  subscribe(listener: (event: MockEvent) => void): () => void;
  /**
   * Replaces all faults, and restarts their counts.
   *
   * @throws TypeError if a fault is invalid. The faults are then unchanged.
   */
  setFaults(faults: readonly (Fault | string)[]): void;
  /**
   * Removes and adds faults. The others keep their counts.
   *
   * @throws TypeError if a fault is invalid or an id is unknown. The faults are then unchanged.
   * @example
   * ```ts
   * mock.updateFaults({ add: ['slow:ms=250'], remove: mock.state().faults.map(({ id }) => id) });
   * ```
   */
  updateFaults(change: FaultChange): void;
  /** Returns the state as plain data. */
  state(): MockState;
  /** Returns the pets of all keys as plain data, for the option `snapshot`. Contains no keys and no limits. */
  snapshot(): MockSnapshot;
  /**
   * Replaces the pets with those of a snapshot. A key without a store in it is unchanged. A key of `tenant()` that this
   * mock does not have is added, with the same number.
   *
   * @throws TypeError if it is not a snapshot, or a number belongs to an initial key. The pets are then unchanged.
   */
  restore(snapshot: unknown): void;
}
