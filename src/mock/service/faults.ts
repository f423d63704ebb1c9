import { parseFault } from './fault-profiles.js';
import { checkFault, routeMatcher, type Fault, type FaultAction, type RouteMatcher } from './fault.js';
import { createRandom } from './random.js';

/** What strikes one request. */
export interface AppliedFaults {
  /** Milliseconds to add. */
  delayMs: number;
  /** Everything but the latency; at most one strikes a request, the first that matches. */
  action?: Exclude<FaultAction, { latencyMs: number }>;
}

/** The faults of a mock, and how often each has struck. */
export interface Faults {
  /** Replaces them all, and begins to count anew. Nothing is changed where it throws. */
  set(faults: readonly (Fault | string)[]): void;
  /** Each fault, with how many matching requests it has seen and struck. */
  list(): readonly (Fault & { seen: number; struck: number })[];
  /** @param paths the path below `/v1` as sent, and its route where there is one. */
  apply(method: string, paths: readonly string[]): AppliedFaults;
}

/** @param seed of the draws that `probability` takes. */
export function createFaults(initial: readonly (Fault | string)[], seed: number): Faults {
  let active: ActiveFault[] = initial.flatMap(activate);
  let random = createRandom(seed);

  return {
    set(faults) {
      active = faults.flatMap(activate);
      random = createRandom(seed);
    },
    list: () => active.map(({ fault, seen, struck }) => ({ ...fault, seen, struck })),
    apply(method, paths) {
      const strike: AppliedFaults = { delayMs: 0 };
      for (const each of active) {
        const { action } = each.fault;
        const isLatency = typeof action === 'object' && 'latencyMs' in action;
        if (!isLatency && strike.action !== undefined) continue;
        if (!each.matches(method, paths) || !takesEffect(each, random)) continue;
        if (isLatency) strike.delayMs += action.latencyMs;
        else strike.action = action;
      }
      return strike;
    },
  };
}

interface ActiveFault {
  fault: Fault;
  matches: RouteMatcher;
  seen: number;
  struck: number;
}

function activate(given: Fault | string): ActiveFault[] {
  const faults = typeof given === 'string' ? parseFault(given) : [given];
  return faults.map((fault) => {
    checkFault(fault);
    return { fault, matches: routeMatcher(fault.route), seen: 0, struck: 0 };
  });
}

function takesEffect(each: ActiveFault, random: () => number): boolean {
  const { skip = 0, times = Infinity, probability = 1 } = each.fault;
  if (each.struck >= times) return false;
  each.seen += 1;
  if (each.seen <= skip) return false;
  if (probability < 1 && random() >= probability) return false;
  each.struck += 1;
  return true;
}
