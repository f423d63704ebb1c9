import { FAULT_PROFILES } from '../service/fault-profiles.js';
import type { Fault } from '../service/fault.js';
import type { MockTenant } from '../tenant.js';
import { objectOf, type ControlCall, type Operation } from './operation.js';

export const FAULT_OPERATIONS: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
  '/faults': {
    GET: {
      id: 'listFaults',
      summary: 'List the faults with their counts: of one key with Authorization, for every key without',
      run: (call) => faultsOf(call),
    },
    PUT: faultsOperation('setFaults'),
    // POST does the same as PUT, for scripts of earlier versions.
    POST: faultsOperation('postFaults'),
    DELETE: {
      id: 'deleteFaults',
      summary: 'Remove all faults: of one key with Authorization, for every key without',
      run: (call) => setFaults(call, []),
    },
    PATCH: {
      id: 'updateFaults',
      summary: 'Remove faults by id and add faults; the others keep their counts',
      body: { add: ['slow:ms=250'], remove: [3] },
      run: updateFaults,
    },
  },
  '/fault-profiles': {
    GET: {
      id: 'listFaultProfiles',
      summary: 'List the named faults with their parameters and an example each',
      run: () => ({ profiles: FAULT_PROFILES }),
    },
  },
};

function updateFaults(call: ControlCall): { faults: MockTenant['faults'] } {
  const { mock, key, body } = call;
  const { add = [], remove = [] } = objectOf(body);
  if (!Array.isArray(add) || !Array.isArray(remove))
    throw new TypeError('The body needs a list "add" or "remove", such as {"add":["flaky"],"remove":[3]}');
  // updateFaults() validates both.
  (key === undefined ? mock : mock.forKey(key)).updateFaults({ add, remove });
  return faultsOf(call);
}

function faultsOf({ mock, key }: ControlCall): { faults: MockTenant['faults'] } {
  return { faults: key === undefined ? mock.state().faults : mock.forKey(key).faults };
}

function setFaults(call: ControlCall, faults: readonly (Fault | string)[]): { faults: MockTenant['faults'] } {
  const { mock, key } = call;
  (key === undefined ? mock : mock.forKey(key)).setFaults(faults);
  return faultsOf(call);
}

function faultsOperation(id: string): Operation {
  return {
    id,
    summary: 'Replace all faults: of one key with Authorization, for every key without',
    body: { faults: ['rate-limit:seconds=5', { route: 'POST /pets', times: 1, action: 'reset' }] },
    run(call) {
      const { faults } = objectOf(call.body);
      if (!Array.isArray(faults))
        throw new TypeError('The body needs a list "faults", such as {"faults":["flaky"]}');
      // setFaults() validates them.
      return setFaults(call, faults as (Fault | string)[]);
    },
  };
}
