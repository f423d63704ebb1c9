import type { BuiltInName } from '../../dns/built-in-names.js';
import type { DnsState } from '../../dns/dns.js';
import type { MockState } from '../../world/mock.js';
import type { RequestEvent, StateEvent } from '../../service/events.js';
import type { ActiveFaultState } from '../../service/faults.js';
import type { JournalEntry } from '../../service/journal.js';
import type { LimitState } from '../../service/limits.js';
import type { MockPet } from '../../pets/store.js';
import type { TenantState } from '../../world/account.js';

/** A type of the mock as the control API sends it: a date is a text, and a short bigint is a number. */
export type Wire<T> = T extends Date
  ? string
  : T extends bigint
    ? bigint | number
    : T extends object
      ? { [K in keyof T]: Wire<T[K]> }
      : T;

export type State = Wire<MockState>;
export type Tenant = Wire<TenantState>;
export type Limits = Wire<LimitState>;
export type Entry = Wire<JournalEntry>;
export type ActiveFault = Wire<ActiveFaultState>;
export type Pet = Wire<MockPet>;

/** A request in the list. `response` is absent for one that was sent before the page was open. */
export interface SeenRequest {
  entry: Entry;
  response?: RequestEvent['response'];
  delayMs?: number;
}

/** The data of the server-sent event `state`. */
export interface StateChange {
  changed: StateEvent['changed'] | 'connected';
  /** Number of the key, if the change concerns one. */
  tenant?: number;
  state: State;
}

/** The response of `GET /__mock/dns`. Without the state if the DNS is not served. */
export type Dns = { names: readonly BuiltInName[] } & Partial<Wire<DnsState>>;
