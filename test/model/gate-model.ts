import { DEFAULT_RETRY_POLICY, waitAfter429Ms } from '../../src/client/call/backoff.js';
import type { GateReport } from '../../src/client/gate/budget/budget-counting.js';
import { parseBudget } from '../../src/client/gate/budget/budget-text.js';
import { type Exploration, explore, Replays, type Step } from './explore.js';
import { type GateInput, GateProcess, type GateView, IGNORED_FIELDS } from './gate-process.js';
import { loadSource, type SourceChange } from './load-source.js';

export interface GateBound {
  /** The turns of each process in which it starts calls, and how many. */
  calls: readonly (readonly number[])[];
  /** A process starts no calls while it has so many in progress. */
  open: number;
  /** Crashes, lost responses, 429 responses, and clock steps while something else can happen. */
  faults: number;
  /** Requests that the service allows in a window. */
  limit: number;
  /** Whether the store knows which processes have crashed, as files do and Redis does not. */
  knowsDead: boolean;
  /** Whether something can happen between a call, a response or a timer, and the read that follows. */
  hasReads: boolean;
}

const CLOCK_STEP_MS = 6_000;
const WINDOW_MS = 2 * CLOCK_STEP_MS;
/** Ends between two clock steps. */
const RETRY_AFTER_MS = 9_000;
const HOLD_MS = waitAfter429Ms(DEFAULT_RETRY_POLICY, RETRY_AFTER_MS, 0, () => 0);

/** What responses have shown: the end of a Retry-After, and the last window. */
interface News {
  heldUntil: number;
  window: number;
}

interface Process {
  /** Of `Replays`. */
  state: number;
  isDead: boolean;
  /** Whether nothing was stored since its last operation. */
  isFresh: boolean;
  /** Requests in flight. `left` of the window; below zero, the service rejects the request. */
  requests: { call: number; sentAt: number; left: number }[];
  /** What it has received, and what of it its pending operation stores. */
  received: News;
  storing: News;
}

/** The state of all processes, the store and the service. */
interface World {
  now: number;
  text: string | undefined;
  processes: Process[];
  /** Requests in the current window. */
  used: number;
  /** What each process must obey. */
  stored: News;
  /** How many requests the budget may overcount: one for each lost response, and for each lease of a crashed process. */
  lost: number;
  faults: number;
}

const NO_NEWS: News = { heldUntil: 0, window: -1 };
const GATE = 'client/gate/shared-gate.ts';
/** The intervals of polls do not grow: that would make more states, and not more behaviour. */
const POLL: SourceChange = { file: GATE, from: 'POLL_FIRST_MS = 8', to: 'POLL_FIRST_MS = 120' };

/** Explores processes that share the budget of a key through a store in memory. */
export async function exploreGate(bound: GateBound, ...changes: SourceChange[]): Promise<Exploration> {
  const source = await loadSource<ConstructorParameters<typeof GateProcess>[0]>(GATE, [...changes, POLL]);
  const replays = new Replays((holder: string) => new GateProcess(source, holder), IGNORED_FIELDS);
  const model = new GateModel(bound, replays);
  const idle = { isDead: false, isFresh: false, requests: [], received: NO_NEWS, storing: NO_NEWS };
  const processes: Process[] = [];
  for (const index of bound.calls.keys())
    processes.push({ ...idle, state: await replays.start(nameOf(index)) });
  const { faults } = bound;
  const start: World = { now: 0, text: undefined, processes, used: 0, stored: NO_NEWS, lost: 0, faults };
  return explore(start, (world) => model.next(world));
}

class GateModel {
  constructor(
    private readonly bound: GateBound,
    private readonly replays: Replays<string, GateInput, GateView>,
  ) {}

  async next(world: World): Promise<Step<World>[]> {
    const { now, processes, faults } = world;
    const steps: Step<World>[] = [];
    for (const [index, { isDead }] of processes.entries())
      if (!isDead) await this.#addSteps(steps, world, index);
    const isIdle = steps.length === 0;
    const views = processes.flatMap(({ isDead, state }) => (isDead ? [] : this.replays.view(state)));
    if (isIdle && views.every(({ dueAt }) => dueAt === undefined)) return this.#end(world);
    // Requests and operations have time limits: they take at most one clock step.
    const times = [
      ...views.flatMap(({ operation }) => operation ?? []),
      ...processes.flatMap(({ requests }) => requests),
    ];
    const canWait = times.every((each) => ('at' in each ? each.at : each.sentAt) === now);
    if (isIdle || (canWait && faults > 0)) steps.push(passTime(world, isIdle ? 0 : 1));
    if (faults > 0) await this.#addFaults(steps, { ...world, faults: faults - 1 });
    return steps;
  }

  async #addSteps(steps: Step<World>[], world: World, index: number): Promise<void> {
    const { calls, open } = this.bound;
    const { isFresh, requests, state } = world.processes[index]!;
    const { operation, turns, started, ended, dueAt = Infinity } = this.replays.view(state);
    const at = world.now;
    // Equal processes start in order.
    const before = world.processes[index - 1];
    const isEqual = before?.isDead === false && String(calls[index]) === String(calls[index - 1]);
    const canStart = started < ended + open && (!isEqual || this.replays.view(before.state).turns > 0);
    const count = calls[index]![turns];
    if (count !== undefined && canStart)
      steps.push(
        await this.#step(world, index, { kind: 'call', calls: count, isFresh, at }, `starts ${count}`),
      );
    if (operation !== undefined) steps.push(await this.#operate(world, index, operation.text));
    else if (dueAt <= at) steps.push(await this.#step(world, index, { kind: 'wake', at }, 'wakes'));
    for (const request of requests)
      steps.push(await this.#respond(world, index, request, request.left < 0 ? 429 : 200));
  }

  async #addFaults(steps: Step<World>[], world: World): Promise<void> {
    for (const [index, { isDead, isFresh, state, requests }] of world.processes.entries()) {
      if (isDead) continue;
      const text = this.replays.view(state).operation?.text;
      if (text !== undefined && isFresh)
        steps.push(crash(await this.#store(world, index, text), index, 'crashes when its swap is stored'));
      steps.push(crash(world, index, 'crashes'));
      for (const request of requests)
        for (const status of request.left < 0 ? (['lost'] as const) : (['lost', 429] as const))
          steps.push(await this.#respond(world, index, request, status));
    }
  }

  /** Ends the operation of a process on the store: a swap of this text, or a read. */
  async #operate(world: World, index: number, text: string | undefined): Promise<Step<World>> {
    const { isFresh, received } = world.processes[index]!;
    const swapped = text === undefined ? undefined : isFresh;
    const next = swapped === true ? await this.#store(world, index, text!) : world;
    const names = world.processes.flatMap(({ isDead }, other) => (isDead ? nameOf(other) : []));
    const dead = this.bound.knowsDead ? names : [];
    const input = {
      kind: 'stored',
      text: next.text,
      ...(swapped !== undefined && { swapped }),
      dead,
      at: world.now,
    } as const;
    const action = swapped === undefined ? 'reads' : swapped ? 'swaps' : 'swaps too late';
    const step = await this.#step(change(next, index, { isFresh: true }), index, input, action);
    return { ...step, state: change(step.state, index, { storing: received }) };
  }

  async #store(world: World, index: number, text: string): Promise<World> {
    const processes = [...world.processes];
    for (const [at, process] of processes.entries()) {
      if (at === index || process.isDead) continue;
      const isStale = process.isFresh && this.replays.view(process.state).operation?.text !== undefined;
      const input = { kind: 'stale', at: world.now } as const;
      const state = isStale ? await this.replays.step(process.state, input) : process.state;
      processes[at] = { ...process, state, isFresh: false };
    }
    return { ...world, processes, text, stored: latest(world.stored, processes[index]!.storing) };
  }

  #respond(
    world: World,
    index: number,
    request: Process['requests'][number],
    status: 200 | 429 | 'lost',
  ): Promise<Step<World>> {
    const { call, left, sentAt } = request;
    const { now, lost } = world;
    const { received, requests } = world.processes[index]!;
    const others = requests.filter((other) => other !== request);
    const step = (report: GateReport, changes: Partial<Process>, more = 0): Promise<Step<World>> => {
      const next = change({ ...world, lost: lost + more }, index, { requests: others, ...changes });
      const action = status === 'lost' ? 'loses the response' : `receives ${status}`;
      return this.#step(next, index, { kind: 'response', call, report, at: now }, action);
    };
    if (status === 'lost') return step({ kind: 'no-response', sent: true }, {}, 1);
    const window = windowAt(sentAt);
    const resetAt = (window + 1) * WINDOW_MS;
    const rateLimit = { limit: this.bound.limit, remaining: Math.max(0, left), resetAt };
    const headers = { rateLimit, untilResetMs: Math.max(0, resetAt - now) };
    if (status === 200)
      return step({ kind: 'response', ...headers }, { received: latest(received, { heldUntil: 0, window }) });
    const report = {
      kind: 'rate-limited',
      holdMs: HOLD_MS,
      retryAfterMs: RETRY_AFTER_MS,
      ...headers,
    } as const;
    return step(report, { received: latest(received, { heldUntil: now + RETRY_AFTER_MS, window }) });
  }

  /** Gives an input to a process. Sends the requests of its new permits. */
  async #step(before: World, index: number, input: GateInput, does: string): Promise<Step<World>> {
    const { state: from, requests } = before.processes[index]!;
    const state = await this.replays.step(from, input);
    const { sent, failure, operation } = this.replays.view(state);
    const added = sent.filter((call) => !requests.some((request) => request.call === call));
    const { now, used } = before;
    const leftBefore = this.bound.limit - used;
    const more = added.map((call, place) => ({ call, sentAt: now, left: leftBefore - place - 1 }));
    const world = change({ ...before, used: used + added.length }, index, {
      state,
      requests: [...requests, ...more],
    });
    const violation = failure ?? (added.length > 0 ? this.#rejectSend(world, index) : undefined);
    const action = `${nameOf(index)} ${does}${added.length === 0 ? '' : ` and sends ${added.length}`}`;
    const isReading = operation !== undefined && operation.text === undefined;
    if (violation !== undefined || !isReading || this.bound.hasReads)
      return { action, state: world, violation };
    return { ...(await this.#operate(world, index, undefined)), action };
  }

  #rejectSend({ now, used, stored, processes }: World, index: number): string | undefined {
    const { heldUntil } = latest(stored, processes[index]!.received);
    // A permit may be a probe that was granted before the window was known.
    const { window } = latest(stored, processes[index]!.storing);
    if (now < heldUntil) return `${nameOf(index)} sends ${heldUntil - now} ms before Retry-After has passed`;
    const isOver = window === windowAt(now) && used > this.bound.limit;
    return isOver ? `${nameOf(index)} sends request ${used} of ${this.bound.limit}` : undefined;
  }

  /** Checks a state that no step leaves. */
  #end(world: World): Step<World>[] {
    const { processes, now, used, text, lost } = world;
    const end = (violation: string): Step<World>[] => [
      { action: 'nothing is left to do', state: world, violation },
    ];
    for (const [index, { state, isDead }] of processes.entries()) {
      const { started, ended } = this.replays.view(state);
      if (!isDead && ended < started) return end(`${nameOf(index)} has a call that never ends`);
    }
    const { windows = [], leases = [] } = parseBudget(text ?? '') ?? {};
    const window = windows.find(({ rateLimit }) => rateLimit.resetAt === (windowAt(now) + 1) * WINDOW_MS);
    if (window === undefined) return [];
    const live = leases.filter(({ holder }) =>
      processes.some(({ isDead }, at) => !isDead && nameOf(at) === holder),
    );
    const overcount = this.bound.limit - used - (window.remaining - window.unconfirmed.length - live.length);
    return overcount > lost ? end(`the budget has lost ${overcount} requests, not ${lost}`) : [];
  }
}

const nameOf = (index: number): string => 'ABC'[index]!;
const windowAt = (time: number): number => Math.floor(time / WINDOW_MS);

function latest(one: News, other: News): News {
  return { heldUntil: Math.max(one.heldUntil, other.heldUntil), window: Math.max(one.window, other.window) };
}

function change(world: World, index: number, changes: Partial<Process>): World {
  return { ...world, processes: world.processes.with(index, { ...world.processes[index]!, ...changes }) };
}

function passTime(world: World, faults: number): Step<World> {
  const now = world.now + CLOCK_STEP_MS;
  const used = windowAt(now) === windowAt(world.now) ? world.used : 0;
  return {
    action: `${CLOCK_STEP_MS} ms pass`,
    state: { ...world, now, used, faults: world.faults - faults },
  };
}

function crash(world: World, index: number, does: string): Step<World> {
  const { leases = [] } = parseBudget(world.text ?? '') ?? {};
  const lost = world.lost + leases.filter(({ holder }) => holder === nameOf(index)).length;
  return {
    action: `${nameOf(index)} ${does}`,
    state: change({ ...world, lost }, index, { isDead: true, requests: [], state: 0 }),
  };
}
