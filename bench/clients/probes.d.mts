/** What a client did. `good` is `null` if the client has no such function. */
interface Cell {
  text: string;
  good: boolean | null;
}

interface Probe {
  id: string;
  title: string;
  run: (tools: never) => Promise<Cell>;
}

/** A server of a probe. */
interface ProbeServer {
  /** Number of requests that stay without a complete response. */
  readonly stalled: number;
}

type Outcome<T> = { value: T } | { error: unknown } | { isPending: true };

/** Real or virtual time. */
export interface Time {
  now(): number;
  elapsedMs(): number;
  /** Lets time pass. */
  pass(ms: number): Promise<void>;
  /** Waits for the end of a call, at most for `limitMs`. */
  outcomeOf<T>(promise: Promise<T>, limitMs: number): Promise<Outcome<T>>;
  /** Called with each server. */
  attach?(server: ProbeServer): void;
}

interface Settings {
  baseUrl: string;
  apiKey: string;
  timeoutMs?: number;
}

type CallMethod = (options?: { signal?: AbortSignal }) => Promise<unknown>;

interface Calls {
  list: CallMethod;
  create: CallMethod;
}

export declare const PROBES: readonly Probe[];

export declare function runProbe(
  probe: Probe,
  adapter: object,
  open: (settings: Settings) => Calls,
  time: Time,
): Promise<Cell>;

export declare function petStoreCalls(store: object): Calls;
