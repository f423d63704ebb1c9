import { DEFAULT_RETRY_POLICY, waitAfter429Ms } from '../../src/client/call/backoff.js';
import { findObstacle } from '../../src/client/gate/budget/obstacle.js';
import type { GateReport } from '../../src/client/gate/budget/budget-counting.js';
import { type Budget, createBudget } from '../../src/client/gate/budget/budget.js';
import { formatBudget, parseBudget } from '../../src/client/gate/budget/budget-text.js';
import * as leases from '../../src/client/gate/budget/leases.js';
import { type Exploration, explore, type Step } from './explore.js';
import { createGateKeys } from './gate-key.js';

export interface GateBound {
  processes: number;
  /** Calls of each process. */
  calls: number;
  /** How many of them are in progress at a time. */
  open: number;
  /** Crashes, lost responses, 429 responses, and clock steps while something else can happen. */
  faults: number;
  /** Requests that the service allows in a window. */
  limit: number;
  /** The same in a longer window, which the responses show as well. */
  longLimit?: number;
  /** Whether no response shows a window: a 429 names its end. */
  isHidden?: boolean;
  /** Whether the store knows which processes have crashed, as files do and Redis does not. */
  knowsDead: boolean;
}

/** Errors in the rules and the store, to see that the checker finds them. */
export interface GateErrors {
  /** Changes the budget that an update reads. */
  damage?: (state: Budget, holder: string) => void;
  /** A swap is stored after another process has stored a text. */
  storesStale?: boolean;
  /** An update grants its permits although a 429 response has arrived meanwhile. */
  grantsHeld?: boolean;
  /** A waiting process does not look again. */
  neverPolls?: boolean;
  /** A process reads only one window of each response. */
  readsOne?: boolean;
}

/** A window of 15 s: a hidden one is learned as a round length. */
const CLOCK_STEP_MS = 7_500;
const WINDOW_MS = 2 * CLOCK_STEP_MS;
const LONG_WINDOW_MS = 2 * WINDOW_MS;
/** Ends between two clock steps. */
const RETRY_AFTER_MS = 9_000;
/** Longer than the time limit of a request. */
const LEASE_MS = 13_000;
/** All waits have ended long before. */
const END_MS = 8 * WINDOW_MS;
const NAMES = 'ABC';
/** After so many responses, the number of simultaneous requests is not limited. */
const MANY_PASSED = 1_000_000;

/** What responses have shown: the end of a Retry-After, and the last window. */
export interface News {
  heldUntil: number;
  window: number;
}

interface Request {
  lease: number;
  sentAt: number;
  /** Requests left in the window, and in the longer one. Below zero, the service rejects this one. */
  left: number;
  leftLong: number;
}

export type Process = ReturnType<typeof createProcess>;

/** An update of the budget between its read and its swap. */
interface Update {
  at: number;
  text: string;
  /** Whether another process has stored a text since the read. */
  isStale: boolean;
  /** The leases that it adds, and how many ended requests it reports. */
  admitted: readonly number[];
  reported: number;
  pollsAt: number;
  news: News;
  /** Whether a hidden limit is known. */
  hasLearned: boolean;
}

/** The state of all processes, the store and the service. */
export interface World {
  now: number;
  text: string;
  processes: readonly Process[];
  /** Requests in the current window, and in the longer one. */
  used: number;
  usedLong: number;
  /** What each process must obey. */
  stored: News;
  /** How many requests the budget may overcount: one for each lost response, and for each lease of a crashed process. */
  lost: number;
  faults: number;
}

const createProcess = (calls: number) => ({
  isDead: false,
  /** Calls to start, and calls without a permit. */
  calls,
  waiting: 0,
  requests: [] as readonly Request[],
  /** Ended requests that no stored update reports. */
  ended: [] as readonly { lease: number; report: GateReport }[],
  lastLease: 0,
  update: undefined as Update | undefined,
  pollsAt: 0,
  /** Whether nothing was stored since its last update. */
  isFresh: true,
  received: { heldUntil: 0, window: -1 } as News,
});

/** Explores processes that share the budget of a key through a store in memory, by the rules of `gate/budget`. */
export function exploreGate(bound: GateBound, errors: GateErrors = {}): Promise<Exploration> {
  const { faults, limit, longLimit = Number.MAX_SAFE_INTEGER, isHidden = false } = bound;
  const processes = Array.from({ length: bound.processes }, () => createProcess(bound.calls));
  const { received: stored } = processes[0]!;
  const start: World = { now: 0, text: '', processes, used: 0, usedLong: 0, stored, lost: 0, faults };
  const { keyOf, updateKey } = createGateKeys(bound, NAMES);
  const updates = new Map<string, Update>();
  return explore(start, nextSteps, keyOf);

  function nextSteps(world: World): Step<World>[] {
    const { now, processes } = world;
    const steps = processes.flatMap(({ isDead }, index) => (isDead ? [] : usualSteps(world, index)));
    const isIdle = steps.length === 0;
    if (isIdle && processes.every(({ waiting }) => waiting === 0)) return checkEnd(world, limit);
    if (now > END_MS) return [{ action: 'time passes', state: world, violation: 'a call never ends' }];
    // Requests and updates have time limits: they take at most one clock step.
    const canWait = processes.every(
      ({ update, requests }) =>
        update?.at !== now - CLOCK_STEP_MS && requests.every(({ sentAt }) => sentAt === now),
    );
    if (isIdle || (canWait && world.faults > 0)) steps.push(passTime(world, isIdle ? 0 : 1));
    return world.faults === 0 ? steps : [...steps, ...faultySteps({ ...world, faults: world.faults - 1 })];
  }

  function usualSteps(world: World, index: number): Step<World>[] {
    const { calls, waiting, requests, ended, update, pollsAt, isFresh } = world.processes[index]!;
    const steps = requests.map((request) =>
      respond(world, index, request, Math.min(request.left, request.leftLong) < 0 ? 429 : 200),
    );
    if (calls > 0 && waiting + requests.length + ended.length < bound.open)
      steps.push(
        work(change(world, index, { calls: calls - 1, waiting: waiting + 1 }), index, 'starts a call'),
      );
    if (update !== undefined) steps.push(swap(world, index, update));
    else if (waiting > 0 && errors.neverPolls !== true && (pollsAt <= world.now || !isFresh))
      steps.push(work(world, index, 'polls'));
    return steps;
  }

  function faultySteps(world: World): Step<World>[] {
    return world.processes.flatMap(({ isDead, requests, update }, index) => {
      if (isDead) return [];
      const steps = [crash(world, index, 'crashes')];
      if (update !== undefined && !update.isStale)
        steps.push(crash(store(world, index, update), index, 'crashes when its swap is stored'));
      for (const request of requests)
        for (const status of ['lost', 429] as const) steps.push(respond(world, index, request, status));
      return steps;
    });
  }

  function respond(world: World, index: number, request: Request, status: 200 | 429 | 'lost'): Step<World> {
    const { requests, ended, waiting, received } = world.processes[index]!;
    const { lease, sentAt } = request;
    const window = windowAt(sentAt);
    const untilEndMs = (windowAt(world.now) + 1) * WINDOW_MS - world.now;
    const retryAfterMs = isHidden ? untilEndMs : RETRY_AFTER_MS;
    const holdMs = waitAfter429Ms(DEFAULT_RETRY_POLICY, retryAfterMs, 0, () => 0);
    const headers = isHidden ? {} : shownWindows(world, request);
    const reports: Record<string, GateReport> = {
      200: { kind: 'response', ...headers },
      429: { kind: 'rate-limited', holdMs, retryAfterMs, ...headers },
      lost: { kind: 'no-response', sent: true },
    };
    const isLost = status === 'lost';
    const news = { heldUntil: status === 429 ? world.now + retryAfterMs : 0, window };
    const next = change({ ...world, lost: world.lost + Number(isLost) }, index, {
      requests: requests.filter((other) => other !== request),
      ended: [...ended, { lease, report: reports[status]! }],
      // As calls do after a 429 response.
      waiting: waiting + Number(status === 429),
      received: isLost ? received : latest(received, news),
    });
    return work(next, index, isLost ? 'loses the response' : `receives ${status}`);
  }

  function shownWindows({ now }: World, { left, leftLong, sentAt }: Request): object {
    const show = (limit: number, remaining: number, lengthMs: number) => {
      const resetAt = (Math.floor(sentAt / lengthMs) + 1) * lengthMs;
      const rateLimit = { limit, remaining: Math.max(0, remaining), resetAt };
      return { rateLimit, untilResetMs: Math.max(0, resetAt - now) };
    };
    const short = show(limit, left, WINDOW_MS);
    if (bound.longLimit === undefined || errors.readsOne === true) return short;
    return { ...short, others: [show(longLimit, leftLong, LONG_WINDOW_MS)] };
  }

  /** Starts an update, unless one is in progress. An update without a change ends at once. */
  function work(world: World, index: number, does: string): Step<World> {
    const action = `${NAMES[index]} ${does}`;
    if (world.processes[index]!.update !== undefined) return { action, state: world };
    const key = updateKey(world, index);
    const update = updates.get(key) ?? planUpdate(world, index, bound, errors);
    updates.set(key, update);
    const next = change(world, index, { update, isFresh: true });
    return update.text === world.text ? commit(next, index, update, action) : { action, state: next };
  }

  function swap(world: World, index: number, update: Update): Step<World> {
    if (update.isStale && errors.storesStale !== true)
      return work(change(world, index, { update: undefined }), index, 'swaps too late, and reads');
    return commit(store(world, index, update, errors.storesStale), index, update, `${NAMES[index]} swaps`);
  }

  /** Ends an update. Sends the requests of its permits, unless a 429 response has arrived meanwhile. */
  function commit(world: World, index: number, update: Update, does: string): Step<World> {
    const { now, used, usedLong } = world;
    const { requests, waiting, lastLease, ...process } = world.processes[index]!;
    const ended = process.ended.slice(update.reported);
    const isHeld =
      errors.grantsHeld !== true && ended.some(({ report: { kind } }) => kind === 'rate-limited');
    const permits = isHeld ? [] : update.admitted;
    const sent = permits.map((lease, place) => ({
      lease,
      sentAt: now,
      left: limit - used - 1 - place,
      leftLong: longLimit - usedLong - 1 - place,
    }));
    const counted = { used: used + permits.length, usedLong: usedLong + permits.length };
    const state = change({ ...world, ...counted }, index, {
      requests: [...requests, ...sent],
      waiting: waiting - permits.length,
      ended,
      update: undefined,
      lastLease: lastLease + update.admitted.length,
      pollsAt: update.pollsAt,
    });
    const action = sent.length === 0 ? does : `${does}, and sends ${sent.length}`;
    const violation = sent.length === 0 ? undefined : rejectSend(state, index, update, bound);
    const isWorkLeft = violation === undefined && (ended.length > 0 || isHeld);
    return isWorkLeft ? { ...work(state, index, ''), action } : { action, state, violation };
  }
}

/** Applies the rules as `SharedGate` does. */
function planUpdate(world: World, index: number, bound: GateBound, { damage }: GateErrors): Update {
  const { now, processes } = world;
  const { requests, ended, waiting, lastLease, received: news } = processes[index]!;
  const holder = NAMES[index]!;
  const state = parseBudget(world.text) ?? { ...createBudget(), passedCount: MANY_PASSED };
  damage?.(state, holder);
  leases.dropExpired(state, now, (other) => bound.knowsDead && processes[NAMES.indexOf(other)]!.isDead);
  const isOwn = (number: number): boolean => [...requests, ...ended].some(({ lease }) => lease === number);
  leases.dropUnknownLeases(state, now, holder, isOwn);
  for (const { lease, report } of ended) leases.releaseLease(state, now, { holder, number: lease, report });
  const share = Math.min(waiting, leases.shareFor(state, now, holder, 0));
  const admitted: number[] = [];
  while (admitted.length < share && findObstacle(state, now, 0) === undefined) {
    admitted.push(lastLease + admitted.length + 1);
    leases.addLease(state, now, { holder, number: admitted.at(-1)!, leaseMs: LEASE_MS });
  }
  const pollsAt = leases.nextPollAt(state, now, [0], { pollMs: 120, random: () => 0.5 });
  const demand = { level: 0, waitingCount: waiting - admitted.length, wasServed: admitted.length > 0 };
  leases.updateTickets(state, holder, demand.waitingCount > 0 ? [demand] : [], pollsAt);
  const text = formatBudget(state);
  const hasLearned = state.limits.some(({ isHidden }) => isHidden);
  return { at: now, text, isStale: false, admitted, reported: ended.length, pollsAt, news, hasLearned };
}

function rejectSend(
  { now, used, usedLong, stored, processes }: World,
  index: number,
  { news, hasLearned }: Update,
  { limit, longLimit = Number.MAX_SAFE_INTEGER, isHidden = false }: GateBound,
) {
  const { heldUntil } = latest(stored, processes[index]!.received);
  if (now < heldUntil) return `${NAMES[index]} sends ${heldUntil - now} ms before Retry-After has passed`;
  // A permit may be a probe that was granted before the window was known.
  const { window } = latest(stored, news);
  const isKnown = isHidden ? hasLearned : window === windowAt(now);
  if (isKnown && used > limit) return `${NAMES[index]} sends request ${used} of ${limit}`;
  const isLongKnown = window >= 0 && longWindowAt(window * WINDOW_MS) === longWindowAt(now);
  return isLongKnown && usedLong > longLimit
    ? `${NAMES[index]} sends request ${usedLong} of ${longLimit} in the longer window`
    : undefined;
}

/** Checks a state that no step leaves: nothing blocks for ever, and no more requests count than were sent or lost. */
function checkEnd(state: World, limit: number): Step<World>[] {
  const budget = parseBudget(state.text) ?? createBudget();
  const muchLater = state.now + END_MS;
  leases.dropExpired(budget, muchLater, () => true);
  const blocked = findObstacle(budget, muchLater + END_MS, 0);
  if (blocked !== undefined)
    return [{ action: 'time passes', state, violation: `a request is ${blocked.reason} for ever` }];
  const { limits = [], leases: all = [] } = parseBudget(state.text) ?? {};
  const resetAt = (windowAt(state.now) + 1) * WINDOW_MS;
  const window = limits.find((each) => each.limit === limit)?.open;
  if (window?.rateLimit.resetAt !== resetAt) return [];
  const live = all.filter(({ holder }) => !state.processes[NAMES.indexOf(holder)]!.isDead);
  const extra = limit - state.used - (window.remaining - window.unconfirmed.length - live.length);
  const violation = `the budget has lost ${extra} requests, not ${state.lost}`;
  return extra <= state.lost ? [] : [{ action: 'nothing is left to do', state, violation }];
}

const windowAt = (time: number): number => Math.floor(time / WINDOW_MS);
const longWindowAt = (time: number): number => Math.floor(time / LONG_WINDOW_MS);

function latest(one: News, other: News): News {
  return { heldUntil: Math.max(one.heldUntil, other.heldUntil), window: Math.max(one.window, other.window) };
}

function change(world: World, index: number, changes: Partial<Process>): World {
  return { ...world, processes: world.processes.with(index, { ...world.processes[index]!, ...changes }) };
}

/** An update that came too late: only that its process reads again. */
const LATE: Omit<Update, 'at'> = {
  text: '',
  isStale: true,
  admitted: [],
  reported: 0,
  pollsAt: 0,
  news: { heldUntil: 0, window: -1 },
  hasLearned: false,
};

/** Stores the text of an update. Updates of other processes are then too late, and their texts do not matter. */
function store(world: World, index: number, { text, news }: Update, keepsTexts = false): World {
  const stale = keepsTexts ? { isStale: true } : LATE;
  const processes = world.processes.map((process, other) => {
    if (other === index) return process;
    return { ...process, update: process.update && { ...process.update, ...stale }, isFresh: false };
  });
  return { ...world, text, processes, stored: latest(world.stored, news) };
}

function passTime(world: World, faults: number): Step<World> {
  const now = world.now + CLOCK_STEP_MS;
  const used = windowAt(now) === windowAt(world.now) ? world.used : 0;
  const usedLong = longWindowAt(now) === longWindowAt(world.now) ? world.usedLong : 0;
  return {
    action: `${CLOCK_STEP_MS} ms pass`,
    state: { ...world, now, used, usedLong, faults: world.faults - faults },
  };
}

function crash(world: World, index: number, does: string): Step<World> {
  const own = parseBudget(world.text)?.leases.filter(({ holder }) => holder === NAMES[index]) ?? [];
  const state = change({ ...world, lost: world.lost + own.length }, index, {
    ...createProcess(0),
    isDead: true,
  });
  return { action: `${NAMES[index]} ${does}`, state };
}
