import type { Gate, GateReport, GateRequest, Permit } from './budget/gate.js';

/**
 * Puts a gate of the caller's own to use. Where it fails, the call goes by the gate in memory instead: a budget that
 * can't be kept must not make calls fail. It is tried again with every call, so that it comes back by itself.
 *
 * The gate in memory is told of everything too, and holds whoever it knows to be held: what one of them was told before
 * they changed places, the other keeps.
 *
 * @param onFailure told of every failure.
 */
export function degradingGate(own: Gate, inMemory: Gate, onFailure: (error: unknown) => void): Gate {
  return {
    get strikes() {
      return Math.max(own.strikes, inMemory.strikes);
    },
    get rateLimit() {
      return own.rateLimit ?? inMemory.rateLimit;
    },
    look: () => own.look?.() ?? inMemory.look?.() ?? { windows: [], heldForMs: 0 },
    flush: async () => {
      await own.flush?.();
    },
    enter(request) {
      const { guarded, isOfTheCall } = watchRefusal(request);
      const admitted = (permit: Permit): Permit | Promise<Permit> => {
        const shielded = shieldedPermit(permit, onFailure);
        const held = inMemory.enter({ ...guarded, pace: false });
        if (!(held instanceof Promise)) return joinedPermit(shielded, held);
        return held.then(
          (kept) => joinedPermit(shielded, kept),
          (error: unknown) => {
            shielded.leave({ kind: 'none', sent: false });
            throw error;
          },
        );
      };
      const instead = (error: unknown): Permit | Promise<Permit> => {
        if (isOfTheCall(error)) throw error;
        onFailure(error);
        return inMemory.enter(request);
      };
      let entered: Permit | Promise<Permit>;
      try {
        entered = own.enter(guarded);
      } catch (error) {
        return instead(error);
      }
      return entered instanceof Promise ? entered.then(admitted, instead) : admitted(entered);
    },
  };
}

/** Tells both gates. */
function joinedPermit(own: Permit, inMemory: Permit): Permit {
  return {
    leave(report) {
      const learned = inMemory.leave(report);
      return own.leave(report) ?? learned;
    },
  };
}

/** Tells an error that is the call's own, a wait it refused or an abort, from one of the gate. */
function watchRefusal(request: GateRequest): {
  guarded: GateRequest;
  isOfTheCall: (error: unknown) => boolean;
} {
  const refusals: unknown[] = [];
  return {
    // Plain data, whatever the request is made of: a gate of the caller's may copy it.
    guarded: {
      pace: request.pace,
      reservePercent: request.reservePercent,
      leaseMs: request.leaseMs,
      signal: request.signal,
      onWait(wait) {
        try {
          request.onWait(wait);
        } catch (refusal) {
          refusals.push(refusal);
          throw refusal;
        }
      },
    },
    isOfTheCall: (error) => refusals.includes(error) || request.signal?.aborted === true,
  };
}

function shieldedPermit(permit: Permit, onFailure: (error: unknown) => void): Permit {
  return {
    leave(report: GateReport) {
      try {
        return permit.leave(report);
      } catch (error) {
        onFailure(error);
        return undefined;
      }
    },
  };
}
