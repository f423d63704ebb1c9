import { EXPECTATION_OPERATIONS } from './expectations.js';
import { JOURNAL_OPERATIONS } from './journal.js';
import { controlOpenApi } from './openapi.js';
import { ControlError, objectOf, type ControlCall, type Operation } from './operation.js';
import type { Fault } from '../service/fault.js';
import type { MockPlan } from '../service/limits.js';
import type { MockPetSeed } from '../pets/store.js';
import type { MockTenant } from '../tenant.js';

/** The operations of the control API, by path below `/__mock` and method. */
export const OPERATIONS: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
  '/health': {
    GET: {
      id: 'getHealth',
      summary: 'Check that the mock responds, and which one it is',
      run: ({ mock: { instance } }) => ({ status: 'ok', instance }),
    },
  },
  '/state': {
    GET: { id: 'getState', summary: 'Read clock, keys, faults and counts', run: ({ mock }) => mock.state() },
  },
  '/reset': {
    POST: {
      id: 'reset',
      summary: 'Restore the initial state: of one key with Authorization, of the whole mock without',
      run({ mock, key }) {
        if (key === undefined) mock.reset();
        else mock.forKey(key).reset();
        return mock.state();
      },
    },
  },
  '/tenants': {
    GET: {
      id: 'listTenants',
      summary: 'List the keys by number',
      run: ({ mock }) => ({ tenants: mock.state().tenants }),
    },
    POST: {
      id: 'createTenant',
      summary: 'Add a key with its own pets, windows, faults, clock and ids',
      status: 201,
      body: { plan: 'pro', pets: [{ name: 'Rex', categoryId: 1 }] },
      run({ mock, body }) {
        const options = objectOf(body) as { plan?: MockPlan; pets?: number | readonly MockPetSeed[] };
        const tenant = mock.forKey(mock.tenant(options));
        return { key: tenant.key, ...tenant.state() };
      },
    },
  },
  '/tenants/{id}': {
    DELETE: {
      id: 'deleteTenant',
      summary: 'Remove a key by its number or by itself',
      run({ mock, parameter }) {
        const key = mock.keys.find(
          (each) => each === parameter || String(mock.forKey(each).number) === parameter,
        );
        if (key === undefined) throw new ControlError(404, 'not_found', `No key has the number ${parameter}`);
        mock.removeTenant(key);
        return { tenants: mock.state().tenants };
      },
    },
  },
  '/pets': {
    GET: {
      id: 'listPets',
      summary: 'List all pets of the key',
      query: { status: 'Only pets with this status' },
      run: (call) => ({ pets: tenantOf(call).pets.list(call.query.get('status') ?? undefined) }),
    },
    PUT: {
      id: 'loadPets',
      summary: 'Replace all pets of the key',
      body: { pets: [{ id: 7, name: 'Rex', categoryId: 1, status: 'sold' }] },
      run(call) {
        const pets = Array.isArray(call.body) ? (call.body as unknown) : objectOf(call.body).pets;
        if (!Array.isArray(pets)) throw new TypeError('The body needs a list "pets"');
        const tenant = tenantOf(call);
        tenant.pets.load(pets as MockPetSeed[]);
        return { pets: tenant.pets.list() };
      },
    },
  },
  '/pets/{id}': {
    PUT: {
      id: 'putPet',
      summary: 'Add a pet, or replace the one with this id',
      body: { name: 'Rex', categoryId: 1, status: 'available' },
      run: (call) =>
        tenantOf(call).pets.put({ ...objectOf(call.body), id: call.parameter } as unknown as MockPetSeed),
    },
    DELETE: {
      id: 'deletePet',
      summary: 'Remove a pet',
      run(call) {
        if (!tenantOf(call).pets.delete(call.parameter))
          throw new ControlError(404, 'not_found', `No pet has the id ${call.parameter}`);
        return { deleted: true };
      },
    },
  },
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
  },
  '/clock': {
    GET: {
      id: 'getClock',
      summary: 'Read the time of the mock, or of a key',
      run: (call) => clockState(call),
    },
    POST: {
      id: 'moveClock',
      summary: 'Move, freeze or run the clock: of one key with Authorization, of all keys without',
      body: { advance: 'until-reset' },
      run: (call) => moveClock(call),
    },
  },
  ...JOURNAL_OPERATIONS,
  ...EXPECTATION_OPERATIONS,
  '/snapshot': {
    GET: {
      id: 'getSnapshot',
      summary: 'Read all pets: of one key with Authorization, of the initial keys without',
      run: ({ mock, key }) => (key === undefined ? mock : mock.forKey(key)).snapshot(),
    },
    PUT: {
      id: 'restoreSnapshot',
      summary: 'Replace the pets with those of a snapshot',
      body: { format: 'petstore-mock/1', worlds: [{ pets: [{ id: 7, name: 'Rex', categoryId: 1 }] }] },
      run({ mock, key, body }) {
        (key === undefined ? mock : mock.forKey(key)).restore(body);
        return { tenants: mock.state().tenants };
      },
    },
  },
  '/openapi.json': {
    GET: { id: 'getControlApi', summary: 'Read this description', run: () => controlOpenApi(OPERATIONS) },
  },
};

function tenantOf({ mock, key }: ControlCall): MockTenant {
  return mock.forKey(key);
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

function clockState({ mock, key }: ControlCall): object {
  const { clock } = key === undefined ? mock : mock.forKey(key);
  return { now: new Date(clock.now()), offsetMs: clock.offsetMs, frozen: clock.isFrozen };
}

function moveClock(call: ControlCall): object {
  const { mock, key } = call;
  const { advance, freeze, run } = objectOf(call.body);
  const owner = key === undefined ? mock : mock.forKey(key);
  if (freeze === true) owner.clock.freeze();
  else if (run === true) owner.clock.run();
  else if (typeof advance === 'string' || typeof advance === 'number') owner.advance(advance);
  else {
    throw new TypeError(
      'The body needs "advance", "freeze" or "run", such as {"advance":"60s"}, {"advance":"until-reset"} or {"freeze":true}',
    );
  }
  return clockState(call);
}
