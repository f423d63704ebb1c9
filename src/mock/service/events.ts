import { mustBeFunction, problemError } from '../../options/check-options.js';
import type { Guard } from '../../options/guard-callback.js';
import type { JournalEntry } from './journal.js';
import type { MockOutcome } from './message.js';

/** A request, as the mock handled it. */
export interface RequestEvent {
  type: 'request';
  entry: JournalEntry;
  /** Absent if the connection closed without a response. The body has at most 16,384 characters. */
  response?: { status: number; headers: Readonly<Record<string, string>>; body: string };
  /** Delay of the response, in milliseconds. */
  delayMs: number;
}

/** A change of the mock that is not a request. */
export interface StateEvent {
  type: 'state';
  changed: 'clock' | 'faults' | 'journal' | 'pets' | 'reset' | 'tenants';
  /** Number of the key, if the change concerns one. */
  tenant?: number;
}

/** What `mock.subscribe` reports. */
export type MockEvent = RequestEvent | StateEvent;

/** The listeners of a mock. */
export interface Listeners {
  readonly size: number;
  add(listener: (event: MockEvent) => void): () => void;
  emit(event: MockEvent): void;
}

/** Creates a set of listeners. An error of a listener is a warning of the process. */
export function createListeners(guard: Guard): Listeners {
  const listeners = new Set<(event: MockEvent) => void>();
  return {
    get size() {
      return listeners.size;
    },
    add(listener) {
      const problem = mustBeFunction(listener, 'listener');
      if (problem !== undefined) throw problemError(problem);
      // A wrapper, so that one function can listen twice.
      const own = (event: MockEvent): void => listener(event);
      listeners.add(own);
      return () => listeners.delete(own);
    },
    emit(event) {
      for (const listener of [...listeners]) guard('listener', (): unknown => listener(event));
    },
  };
}

const BODY_CHARACTERS_MAX = 16_384;

export function requestEvent(entry: JournalEntry, outcome: MockOutcome): RequestEvent {
  const { delayMs } = outcome;
  if (outcome.kind === 'reset') return { type: 'request', entry, delayMs };
  const { status, headers, body } = outcome.response;
  const response = { status, headers, body: body.slice(0, BODY_CHARACTERS_MAX) };
  return { type: 'request', entry, response, delayMs };
}
