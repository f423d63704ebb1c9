import { setMaxListeners } from 'node:events';
import type { createPetStore } from '../../../src/client/index.js';
import type { createMock, MockPlan } from '../../../src/mock/index.js';
import { sleep } from '../../../src/client/time/clock.js';
import { seededRandom } from '../simulated-service.js';
import { createVirtualClock, settle, type VirtualClock } from '../virtual-clock.js';
import { type Figures, figuresOf } from './figures.js';
import { createService, type Loss, type Service } from './service.js';

const MINUTE_MS = 60_000;

/** The product, handed in: as source in the tests, as built in the benchmarks. */
export interface Product {
  createPetStore: typeof createPetStore;
  createMock: typeof createMock;
}

/** What happens in a simulation. */
export interface Scenario {
  name: string;
  plan: Exclude<MockPlan, 'unlimited'>;
  /** When it begins, in milliseconds since the epoch: a whole minute. */
  startAt: number;
  /** How much later the clients do, in milliseconds. Default 0. */
  joinAfterMs?: number;
  minutes: number;
  /** How many; whether in one process or in several, the contender says. */
  clients: number;
  load: Load;
  latencyMs: readonly [number, number];
  /** How far the wall clock of a process is off. */
  skewMs?: (process: number) => number;
  /** When a process is killed, in milliseconds from the beginning; what it sent still arrives. */
  diesAfterMs?: (process: number) => number | undefined;
  /** Another user of the same key. */
  foreign?: Foreign;
  loss?: Loss;
  /** Changes the headers of the n-th answer on its way. */
  alter?: (headers: Record<string, string>, n: number, writtenAt: number) => void;
  /** The key is moved to another plan at a minute, where all counts begin anew. */
  change?: { atMinute: number; plan: Exclude<MockPlan, 'unlimited'> };
  seed?: number;
}

/** What each process wants to send. */
export type Load =
  /** So many calls at a time, the next as soon as one is over. */
  | { kind: 'steady'; workers: number }
  /** So many calls at once, and again after a time. */
  | { kind: 'bursts'; calls: number; everyMs: number };

/** Sends one request after the other in bursts, whatever is left; after a 429 it waits as told. */
export interface Foreign {
  /** Mean distance between two bursts; drawn evenly from 0 to twice as much. */
  everyMs: number;
  /** Requests at once. */
  burst: number;
}

/** What a client is made of. */
export interface Seat {
  /** Number of the client. */
  client: number;
  fetch: typeof globalThis.fetch;
  clock: Pick<VirtualClock, 'now' | 'monotonic' | 'setTimeout'>;
  random: () => number;
}

/** Who sends. */
export interface Contender {
  name: string;
  /**
   * How the clients stand to one another: in one `process`, with one clock and one fetch; in a process each, with one
   * `gate` between them; `apart`, in a process each that knows nothing of the others.
   */
  clients: 'process' | 'gate' | 'apart';
  /** Opens a client; what it returns makes one call. */
  open(seat: Seat): (signal: AbortSignal) => Promise<unknown>;
}

const AFTER_FAILURE_MS = 1_000;
/** A call that is older at the end of a minute was held back, and not merely on its way. */
const HELD_MS = 15_000;
const FIRST_BURST_MS = 5_000;

const QUOTAS = {
  free: { minute: 60, day: 1_000 },
  pro: { minute: 300, day: 10_000 },
  business: { minute: 1_000, day: 100_000 },
} as const;

/**
 * Plays a scenario to its end in virtual time. The same scenario gives the same figures.
 *
 * @param clock stands at the scenario's beginning.
 */
export async function simulate(
  { createMock }: Pick<Product, 'createMock'>,
  scenario: Scenario,
  contender: Contender,
  clock: VirtualClock = createVirtualClock(scenario.startAt),
): Promise<Figures> {
  const { startAt, minutes, plan, change } = scenario;
  const random = seededRandom(scenario.seed ?? 1);
  const mock = createMock({ clock, pets: 1, plan, journalMax: 1 });
  const [firstKey = ''] = mock.keys;
  const secondKey = change === undefined ? firstKey : mock.tenant({ plan: change.plan });
  const changesAt = change === undefined ? Infinity : startAt + change.atMinute * MINUTE_MS;
  const keyAt = (now: number): string => (now < changesAt ? firstKey : secondKey);
  const service = createService({ ...scenario, mock, clock, random, keyAt });

  const crew = createCrew(clock, scenario.load);
  clock.setTimeout(() => {
    for (const seat of seatsOf(scenario, contender, service, clock, random)) crew.join(contender.open(seat));
  }, scenario.joinAfterMs ?? 0);
  if (scenario.foreign !== undefined) letForeignIn(scenario.foreign, service, clock, random);

  const busyEnds = new Set<number>();
  for (let minute = 1; minute <= minutes; minute += 1) {
    await clock.advance(MINUTE_MS);
    // Whoever always wants more has work in every minute; after a burst only what is held back is work left over.
    if (scenario.load.kind === 'steady' || crew.longestOpenMs() > HELD_MS)
      busyEnds.add(startAt + minute * MINUTE_MS);
  }
  const figures = figuresOf({
    doneOf: crew.doneOf,
    longestMs: Math.max(crew.longestMs, crew.longestOpenMs()),
    failures: { ...crew.failures },
    exchanges: service.exchanges,
    apart: contender.clients === 'apart',
    quotaAt: (now) => QUOTAS[now < changesAt ? plan : (change?.plan ?? plan)],
    startAt,
    endAt: startAt + minutes * MINUTE_MS,
    busyEnds,
  });
  crew.dismiss();
  await settle();
  return figures;
}

function seatsOf(
  { clients, skewMs = () => 0, startAt, diesAfterMs = () => undefined }: Scenario,
  contender: Contender,
  service: Service,
  clock: VirtualClock,
  random: () => number,
): Seat[] {
  const processSeat = (process: number): Omit<Seat, 'client'> => {
    const diesAt = startAt + (diesAfterMs(process) ?? Infinity);
    return {
      fetch: service.fetchOf(process, diesAt),
      clock: clockOf(process, clock, skewMs(process), diesAt),
      random,
    };
  };
  const together = processSeat(0);
  return Array.from({ length: clients }, (_, client) => ({
    client,
    ...(contender.clients === 'process' ? together : processSeat(client)),
  }));
}

/** The clock of a process whose wall time is off; its monotonic time begins whenever the machine did. */
function clockOf(process: number, clock: VirtualClock, skewMs: number, diesAt: number): Seat['clock'] {
  const bootedMs = process * 1_234_567;
  return {
    now: () => clock.now() + skewMs,
    monotonic: () => clock.monotonic() + bootedMs,
    setTimeout: (callback, delayMs) =>
      clock.setTimeout(() => {
        if (clock.now() < diesAt) callback();
      }, delayMs),
  };
}

/** The clients and what they have done. */
interface Crew {
  /** How long the oldest call has waited that has not ended, 0 where there is none. */
  longestOpenMs(): number;
  readonly longestMs: number;
  readonly doneOf: readonly number[];
  readonly failures: Record<string, number>;
  /** Lets one more client in, who begins at once. */
  join(call: (signal: AbortSignal) => Promise<unknown>): void;
  dismiss(): void;
}

function createCrew(clock: VirtualClock, load: Load): Crew {
  const doneOf: number[] = [];
  const failures: Record<string, number> = {};
  const end = new AbortController();
  setMaxListeners(0, end.signal);
  const open = new Set<{ begunAt: number }>();
  let longestMs = 0;

  const perform = async (client: number, call: (signal: AbortSignal) => Promise<unknown>): Promise<void> => {
    const begun = { begunAt: clock.monotonic() };
    open.add(begun);
    try {
      await call(end.signal);
      doneOf[client] = (doneOf[client] ?? 0) + 1;
    } catch (error) {
      const name = error instanceof Error ? error.name : 'thrown';
      failures[name] = (failures[name] ?? 0) + 1;
      // Whoever fails at once must not fail without end.
      await sleep(clock, AFTER_FAILURE_MS);
    }
    open.delete(begun);
    longestMs = Math.max(longestMs, clock.monotonic() - begun.begunAt);
  };

  return {
    longestOpenMs() {
      const [oldest] = open;
      return oldest === undefined ? 0 : clock.monotonic() - oldest.begunAt;
    },
    get longestMs() {
      return longestMs;
    },
    doneOf,
    failures,
    join(call) {
      const client = doneOf.push(0) - 1;
      if (load.kind === 'steady') {
        const work = async (): Promise<void> => {
          while (!end.signal.aborted) await perform(client, call);
        };
        for (let worker = 0; worker < load.workers; worker += 1) void work();
        return;
      }
      const burst = (): void => {
        if (end.signal.aborted) return;
        for (let begun = 0; begun < load.calls; begun += 1) void perform(client, call);
        clock.setTimeout(burst, load.everyMs);
      };
      // Not with the beginning of a window, for that is told apart by the millisecond.
      clock.setTimeout(burst, FIRST_BURST_MS);
    },
    dismiss() {
      end.abort(new Error('the simulation is over'));
    },
  };
}

function letForeignIn(
  { everyMs, burst }: Foreign,
  service: Service,
  clock: VirtualClock,
  random: () => number,
): void {
  const send = (): void => {
    let waitMs = 2 * everyMs * random();
    for (let sent = 0; sent < burst; sent += 1) {
      const toldMs = service.foreignRequest();
      if (toldMs === 0) continue;
      waitMs = toldMs;
      break;
    }
    clock.setTimeout(send, waitMs);
  };
  clock.setTimeout(send, everyMs * random());
}
