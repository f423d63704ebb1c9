import { setMaxListeners } from 'node:events';
import type { createPetStore } from '../../../src/client/internal.js';
import type { createMock, MockPlan } from '../../../src/mock/index.js';
import { sleep } from '../../../src/time/clock.js';
import { seededRandom } from '../random-runs.js';
import { createVirtualClock, settle, type VirtualClock } from '../virtual-clock.js';
import { type Figures, summarize } from './figures.js';
import { createService, type Loss, type Service } from './service.js';

const MINUTE_MS = 60_000;

/** The product: from source in the tests, as built in the benchmarks. */
export interface Product {
  createPetStore: typeof createPetStore;
  createMock: typeof createMock;
}

/** Conditions of a simulation. */
export interface Scenario {
  name: string;
  plan: Exclude<MockPlan, 'unlimited'>;
  /** Start time in milliseconds since the epoch: a whole minute. */
  startAt: number;
  /** Minutes before the start, each with its limit used up by another user of the key. @default 0 */
  usedMinutes?: number;
  /** Delay of the clients in milliseconds. @default 0 */
  joinAfterMs?: number;
  minutes: number;
  /** Number of clients. The candidate decides whether they share a process. */
  clients: number;
  load: Load;
  latencyMs: readonly [number, number];
  /** Error of the wall clock of a process. */
  skewMs?: (process: number) => number;
  /** When a process is killed, in milliseconds from the start. Its sent requests still arrive. */
  killedAfterMs?: (process: number) => number | undefined;
  /** Another user of the same key. */
  foreign?: Foreign;
  loss?: Loss;
  /** Changes the headers of the n-th response. */
  alter?: (headers: Record<string, string>, n: number, writtenAt: number) => void;
  /** Changes the plan of the key at a minute. All counts start again. */
  planChange?: { atMinute: number; plan: Exclude<MockPlan, 'unlimited'> };
  seed?: number;
}

/** The calls of each client. */
export type Load =
  /** A number of calls at a time, the next one as soon as one has ended. */
  | { kind: 'steady'; workers: number }
  /** A number of calls at once, repeated at intervals. */
  | { kind: 'bursts'; calls: number; everyMs: number };

/** Sends bursts of requests without pacing. Obeys Retry-After. */
export interface Foreign {
  /** Mean time between two bursts, evenly distributed from 0 to twice as much. */
  everyMs: number;
  /** Requests per burst. */
  burst: number;
}

/** The world of one client. */
export interface Environment {
  /** Number of the client. */
  client: number;
  fetch: typeof globalThis.fetch;
  clock: Pick<VirtualClock, 'now' | 'monotonic' | 'setTimeout'>;
  random: () => number;
}

/** An HTTP client under test. */
export interface Candidate {
  name: string;
  /**
   * `process`: all clients share a process, its clock and its fetch. `gate`: one process per client, with a shared
   * gate. `apart`: one process per client, with nothing shared.
   */
  clients: 'process' | 'gate' | 'apart';
  /** Creates a client. Returns a function that makes one call. */
  open(environment: Environment): (signal: AbortSignal) => Promise<unknown>;
}

const AFTER_FAILURE_MS = 1_000;
/** A call that is older than this at the end of a minute was held back. */
const HELD_MS = 15_000;
const FIRST_BURST_MS = 5_000;

const QUOTAS = {
  free: { minute: 60, day: 1_000 },
  pro: { minute: 300, day: 10_000 },
  business: { minute: 1_000, day: 100_000 },
} as const;

/**
 * Runs a scenario in virtual time. The same scenario gives the same figures.
 *
 * @param clock shows the start time of the scenario.
 */
export async function simulate(
  { createMock }: Pick<Product, 'createMock'>,
  scenario: Scenario,
  candidate: Candidate,
  clock: VirtualClock = createVirtualClock(scenario.startAt),
): Promise<Figures> {
  const { startAt, usedMinutes = 0, minutes, plan, planChange } = scenario;
  const random = seededRandom(scenario.seed ?? 1);
  const usedFrom = startAt - usedMinutes * MINUTE_MS;
  clock.setWall(usedFrom);
  const mock = createMock({ clock, pets: 1, plan, journalMax: 1 });
  const [firstKey = ''] = mock.keys;
  const secondKey = planChange === undefined ? firstKey : mock.tenant({ plan: planChange.plan });
  const changesAt = planChange === undefined ? Infinity : startAt + planChange.atMinute * MINUTE_MS;
  const keyAt = (now: number): string => (now < changesAt ? firstKey : secondKey);
  const service = createService({ ...scenario, mock, clock, random, keyAt });

  for (let minute = 0; minute < usedMinutes; minute += 1) {
    for (let sent = 0; sent < QUOTAS[plan].minute; sent += 1) service.foreignRequest();
    await clock.advance(MINUTE_MS);
  }
  const workload = createWorkload(clock, scenario.load);
  clock.setTimeout(() => {
    for (const environment of environmentsOf(scenario, candidate, service, clock, random))
      workload.addClient(candidate.open(environment));
  }, scenario.joinAfterMs ?? 0);
  if (scenario.foreign !== undefined) startForeignUser(scenario.foreign, service, clock, random);

  const busyEnds = new Set<number>();
  for (let minute = 1; minute <= minutes; minute += 1) {
    await clock.advance(MINUTE_MS);
    // A steady load has work left in every minute, bursts only if calls were held back.
    if (scenario.load.kind === 'steady' || workload.longestOpenMs() > HELD_MS)
      busyEnds.add(startAt + minute * MINUTE_MS);
  }
  const figures = summarize({
    callsByClient: workload.callsByClient,
    longestMs: Math.max(workload.longestMs, workload.longestOpenMs()),
    failures: { ...workload.failures },
    requests: service.requests,
    isApart: candidate.clients === 'apart',
    quotaAt: (now) => QUOTAS[now < changesAt ? plan : (planChange?.plan ?? plan)],
    startAt: usedFrom,
    endAt: startAt + minutes * MINUTE_MS,
    busyEnds,
  });
  workload.stop();
  await settle();
  return figures;
}

function environmentsOf(
  { clients, skewMs = () => 0, startAt, killedAfterMs = () => undefined }: Scenario,
  candidate: Candidate,
  service: Service,
  clock: VirtualClock,
  random: () => number,
): Environment[] {
  const environmentOf = (process: number): Omit<Environment, 'client'> => {
    const killedAt = startAt + (killedAfterMs(process) ?? Infinity);
    return {
      fetch: service.fetchOf(process, killedAt),
      clock: clockOf(process, clock, skewMs(process), killedAt),
      random,
    };
  };
  const shared = environmentOf(0);
  return Array.from({ length: clients }, (_, client) => ({
    client,
    ...(candidate.clients === 'process' ? shared : environmentOf(client)),
  }));
}

/** The clock of a process with a wrong wall time. Monotonic clocks of different processes differ. */
function clockOf(
  process: number,
  clock: VirtualClock,
  skewMs: number,
  killedAt: number,
): Environment['clock'] {
  const bootedMs = process * 1_234_567;
  return {
    now: () => clock.now() + skewMs,
    monotonic: () => clock.monotonic() + bootedMs,
    setTimeout: (callback, delayMs) =>
      clock.setTimeout(() => {
        if (clock.now() < killedAt) callback();
      }, delayMs),
  };
}

/** The calls of all clients, and their results. */
interface Workload {
  /** Age of the oldest call in progress. 0 if there is none. */
  longestOpenMs(): number;
  readonly longestMs: number;
  readonly callsByClient: readonly number[];
  readonly failures: Record<string, number>;
  /** Adds a client, which starts at once. */
  addClient(call: (signal: AbortSignal) => Promise<unknown>): void;
  stop(): void;
}

function createWorkload(clock: VirtualClock, load: Load): Workload {
  const callsByClient: number[] = [];
  const failures: Record<string, number> = {};
  const end = new AbortController();
  setMaxListeners(0, end.signal);
  const open = new Set<{ startedAt: number }>();
  let longestMs = 0;

  const perform = async (client: number, call: (signal: AbortSignal) => Promise<unknown>): Promise<void> => {
    const started = { startedAt: clock.monotonic() };
    open.add(started);
    try {
      await call(end.signal);
      callsByClient[client] = (callsByClient[client] ?? 0) + 1;
    } catch (error) {
      const name = error instanceof Error ? error.name : 'thrown';
      failures[name] = (failures[name] ?? 0) + 1;
      // Otherwise a client that fails at once would loop forever.
      await sleep(clock, AFTER_FAILURE_MS);
    }
    open.delete(started);
    longestMs = Math.max(longestMs, clock.monotonic() - started.startedAt);
  };

  return {
    longestOpenMs() {
      const [oldest] = open;
      return oldest === undefined ? 0 : clock.monotonic() - oldest.startedAt;
    },
    get longestMs() {
      return longestMs;
    },
    callsByClient,
    failures,
    addClient(call) {
      const client = callsByClient.push(0) - 1;
      if (load.kind === 'steady') {
        const work = async (): Promise<void> => {
          while (!end.signal.aborted) await perform(client, call);
        };
        for (let worker = 0; worker < load.workers; worker += 1) void work();
        return;
      }
      const burst = (): void => {
        if (end.signal.aborted) return;
        for (let started = 0; started < load.calls; started += 1) void perform(client, call);
        clock.setTimeout(burst, load.everyMs);
      };
      // Not at the start of a window, which is a matter of milliseconds.
      clock.setTimeout(burst, FIRST_BURST_MS);
    },
    stop() {
      end.abort(new Error('The simulation has ended'));
    },
  };
}

function startForeignUser(
  { everyMs, burst }: Foreign,
  service: Service,
  clock: VirtualClock,
  random: () => number,
): void {
  const send = (): void => {
    let waitMs = 2 * everyMs * random();
    for (let sent = 0; sent < burst; sent += 1) {
      const retryAfterMs = service.foreignRequest();
      if (retryAfterMs === 0) continue;
      waitMs = retryAfterMs;
      break;
    }
    clock.setTimeout(send, waitMs);
  };
  clock.setTimeout(send, everyMs * random());
}
