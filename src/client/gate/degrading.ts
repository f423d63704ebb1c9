import type { Gate, GateReport, GateRequest, Permit } from './gate.js';

/**
 * Puts a gate of the caller's own to use. Where it fails, the call goes by the gate in memory instead: a budget that
 * can't be kept must not make calls fail. It is tried again with every call, so that it comes back by itself.
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
    enter(request) {
      const { guarded, isOfTheCall } = watchRefusal(request);
      const instead = (error: unknown): Permit | Promise<Permit> => {
        if (isOfTheCall(error)) throw error;
        onFailure(error);
        return inMemory.enter(request);
      };
      try {
        const entered = own.enter(guarded);
        return entered instanceof Promise
          ? entered.then((permit) => shieldedPermit(permit, onFailure), instead)
          : shieldedPermit(entered, onFailure);
      } catch (error) {
        return instead(error);
      }
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
    guarded: {
      ...request,
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
