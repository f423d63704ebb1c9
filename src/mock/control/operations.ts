import { BUILT_IN_NAMES } from '../dns/built-in-names.js';
import type { MockPlan } from '../service/limits.js';
import type { MockPetSeed } from '../pets/store.js';
import { EXPECTATION_OPERATIONS } from './expectations.js';
import { FAULT_OPERATIONS } from './faults.js';
import { JOURNAL_OPERATIONS } from './journal.js';
import { controlOpenApi } from './openapi.js';
import { ControlError, keyByNumber, objectOf, type ControlCall, type Operation } from './operation.js';
import { PET_OPERATIONS } from './pets.js';

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
      summary:
        'Restore the initial state: of one key with Authorization, of the whole mock without; all keys stay valid',
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
        const key = mock.keys.includes(parameter) ? parameter : keyByNumber(mock, parameter);
        if (key === undefined) throw new ControlError(404, 'not_found', `No key has the number ${parameter}`);
        mock.removeTenant(key);
        return { tenants: mock.state().tenants };
      },
    },
  },
  ...PET_OPERATIONS,
  ...FAULT_OPERATIONS,
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
      properties: ['advance', 'freeze', 'run'],
      run: (call) => moveClock(call),
    },
  },
  '/dns': {
    GET: {
      id: 'getDns',
      summary:
        'List the built-in DNS names with what is wrong with each, and the state of the DNS if it is served',
      run: ({ mock }) => ({ names: BUILT_IN_NAMES, ...mock.state().dns }),
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

function clockState({ mock, key }: ControlCall): object {
  const { clock } = key === undefined ? mock : mock.forKey(key);
  return { now: new Date(clock.now()), offsetMs: clock.offsetMs, frozen: clock.isFrozen };
}

function moveClock(call: ControlCall): object {
  const { mock, key } = call;
  const body = objectOf(call.body);
  const { advance, freeze, run } = body;
  const owner = key === undefined ? mock : mock.forKey(key);
  if (Object.keys(body).length > 1)
    throw new TypeError('The body can have only one of "advance", "freeze" and "run"');
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
