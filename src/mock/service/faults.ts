import { parseFault } from './fault-profiles.js';
import { checkFault, takesEffect, type CountedFault, type Fault, type FaultAction } from './fault.js';
import { requestMatcher, type MatchedRequest, type RequestMatcher } from './fault-match.js';
import { createRandom } from './random.js';

/** The effect of all faults on one request. */
export interface AppliedFaults {
  /** Sum of all latencies, in milliseconds. */
  delayMs: number;
  /** The lowest speed of the body. */
  bytesPerSecond?: number;
  /** The shortest length of the body. */
  cutAfterBytes?: number;
  /** The action of the first matching fault that has another one. */
  action?: Exclude<
    FaultAction,
    { latencyMs: number } | { bytesPerSecond: number } | { cutAfterBytes: number }
  >;
}

/** A fault with its counts. */
export type ActiveFaultState = Fault & {
  /** For `updateFaults`. */
  id: number;
  /** The text that was parsed. Absent for a fault that was passed as an object. */
  spec?: string;
  /** Requests that matched it. */
  seen: number;
  /** Requests that it was applied to. */
  applied: number;
};

/** A change of some faults. The others keep their counts. */
export interface FaultChange {
  /** Faults to add after the others: objects, or texts for `parseFault`. */
  add?: readonly (Fault | string)[] | undefined;
  /** Ids of faults to remove. */
  remove?: readonly number[] | undefined;
}

/** The faults of a mock, with their counts. */
export interface Faults {
  /**
   * Replaces all faults and restarts the counts.
   *
   * @throws TypeError if a fault is invalid. The faults are then unchanged.
   */
  set(faults: readonly (Fault | string)[]): void;
  /**
   * Removes and adds faults.
   *
   * @throws TypeError if a fault is invalid or an id is unknown. The faults are then unchanged.
   */
  update(change: FaultChange): void;
  list(): readonly ActiveFaultState[];
  /**
   * Counts a request, and selects the faults that apply to it.
   *
   * @param applied the effect of other faults, which come first.
   */
  apply(request: MatchedRequest, applied?: AppliedFaults): AppliedFaults;
}

/** What the option `faults` must be. */
export const FAULT_LIST = 'a list of faults: objects, or texts for parseFault';

/** Checks the type of the option `faults`. The faults themselves are checked later. */
export function isFaultList(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every((fault) => typeof fault === 'string' || (typeof fault === 'object' && fault !== null))
  );
}

/** @param seed of the random numbers for `probability`. */
export function createFaults(initial: readonly (Fault | string)[], seed: number): Faults {
  let active = activateAll(initial);
  let lastId = active.length;
  let random = createRandom(seed);

  return {
    set(faults) {
      active = activateAll(faults);
      lastId = active.length;
      random = createRandom(seed);
    },
    update({ add = [], remove = [] }) {
      const unknown = remove.find((id) => !active.some((fault) => fault.id === id));
      if (unknown !== undefined) throw new TypeError(`No fault has the id ${String(unknown)}`);
      const added = activateAll(add, lastId);
      active = [...active.filter(({ id }) => !remove.includes(id)), ...added];
      lastId += added.length;
    },
    list: () =>
      active.map(({ fault, id, spec, seen, applied }) => ({
        ...fault,
        id,
        ...(spec === undefined ? {} : { spec }),
        seen,
        applied,
      })),
    apply(request, applied = { delayMs: 0 }) {
      for (const entry of active) {
        const { action } = entry.fault;
        if (!isModifier(action) && applied.action !== undefined) continue;
        // A fault that has been applied often enough counts no more requests.
        if (entry.applied >= (entry.fault.times ?? Infinity)) continue;
        if (!entry.matches(request) || !takesEffect(entry, random)) continue;
        if (!isModifier(action)) applied.action = action;
        else if ('latencyMs' in action) applied.delayMs += action.latencyMs;
        else if ('bytesPerSecond' in action)
          applied.bytesPerSecond = Math.min(applied.bytesPerSecond ?? Infinity, action.bytesPerSecond);
        else applied.cutAfterBytes = Math.min(applied.cutAfterBytes ?? Infinity, action.cutAfterBytes);
      }
      return applied;
    },
  };
}

/** An action that changes how a response is sent, whatever it is. */
function isModifier(
  action: FaultAction,
): action is Exclude<FaultAction, NonNullable<AppliedFaults['action']>> {
  return (
    typeof action === 'object' &&
    ('latencyMs' in action || 'bytesPerSecond' in action || 'cutAfterBytes' in action)
  );
}

interface ActiveFault extends CountedFault {
  id: number;
  spec: string | undefined;
  matches: RequestMatcher;
}

/** @param lastId of the faults before. */
function activateAll(faults: readonly (Fault | string)[], lastId = 0): ActiveFault[] {
  if (!isFaultList(faults)) throw new TypeError(`faults must be ${FAULT_LIST}`);
  return faults.flatMap(activate).map((fault, index) => ({ ...fault, id: lastId + index + 1 }));
}

function activate(source: Fault | string): Omit<ActiveFault, 'id'>[] {
  const spec = typeof source === 'string' ? source : undefined;
  const faults = typeof source === 'string' ? parseFault(source) : [source];
  return faults.map((fault) => {
    checkFault(fault);
    return { fault, spec, matches: requestMatcher(fault), seen: 0, applied: 0 };
  });
}
