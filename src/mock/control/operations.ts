import { stringifyJson } from '../../schema/json.js';
import { BUILT_IN_NAMES } from '../dns/built-in-names.js';
import type { MockPetSeed } from '../pets/store.js';
import { FAULT_PROFILES } from '../service/fault-profiles.js';
import type { Fault } from '../service/fault.js';
import type { MockPlan } from '../service/limits.js';
import { CONTROL_PATH } from '../service/message.js';
import { EXPECTATION_OPERATIONS, JOURNAL_OPERATIONS } from './journal-operations.js';
import { controlOpenApi } from './control-openapi.js';
import {
  ControlError,
  keyByNumber,
  objectOf,
  TextResponse,
  type ControlCall,
  type EventStream,
  type Operations,
} from './operation.js';
import {
  WHOLE_NUMBER,
  DNS,
  FAULTS,
  FAULT_INPUTS,
  PET_INPUT,
  PLAN,
  SNAPSHOT,
  TENANTS,
  TEXT,
  WAIT,
  input,
  listOf,
  object,
  ref,
} from './schemas.js';
import { PET_OPERATIONS } from './pets.js';

/** The operations of the control API. */
export const OPERATIONS: Operations = {
  'GET /health': {
    id: 'getHealth',
    summary: 'Check that the mock responds, and which one it is',
    response: object({ status: { const: 'ok' }, instance: TEXT }),
    run: ({ mock: { instance } }) => ({ status: 'ok', instance }),
  },
  'GET /state': {
    id: 'getState',
    summary: 'Read clock, keys, faults and counts',
    response: ref('State'),
    run: ({ mock }) => mock.state(),
  },
  'POST /reset': {
    id: 'reset',
    summary:
      'Restore the initial state: of one key with Authorization, of the whole mock without; all keys stay valid',
    response: ref('State'),
    run({ mock, world }) {
      world.reset();
      return mock.state();
    },
  },
  'GET /tenants': {
    id: 'listTenants',
    summary: 'List the keys by number',
    response: TENANTS,
    run: ({ mock }) => ({ tenants: mock.state().tenants }),
  },
  'POST /tenants': {
    id: 'createTenant',
    summary: 'Add a key with its own pets, windows, faults, clock and ids',
    status: 201,
    request: {
      schema: input({}, { plan: PLAN, pets: { anyOf: [WHOLE_NUMBER, listOf(PET_INPUT)] } }),
      example: { plan: 'pro', pets: [{ name: 'Rex', categoryId: 1 }] },
    },
    response: ref('Tenant'),
    run({ mock, body }) {
      const options = objectOf(body) as { plan?: MockPlan; pets?: number | readonly MockPetSeed[] };
      const tenant = mock.forKey(mock.tenant(options));
      return { key: tenant.key, ...tenant.state() };
    },
  },
  'DELETE /tenants/{id}': {
    id: 'deleteTenant',
    summary: 'Remove a key by its number',
    response: TENANTS,
    run({ mock, parameter }) {
      mock.removeTenant(keyByNumber(mock, parameter));
      return { tenants: mock.state().tenants };
    },
  },
  ...PET_OPERATIONS,
  'GET /faults': {
    id: 'listFaults',
    summary: 'List the faults with their counts: of one key with Authorization, for every key without',
    response: FAULTS,
    run: faultsOf,
  },
  'PUT /faults': {
    id: 'setFaults',
    summary: 'Replace all faults: of one key with Authorization, for every key without',
    request: {
      schema: input({ faults: FAULT_INPUTS }),
      example: { faults: ['rate-limit:seconds=5', { route: 'POST /pets', times: 1, action: 'reset' }] },
    },
    response: FAULTS,
    run(call) {
      const { faults } = objectOf(call.body);
      if (!Array.isArray(faults))
        throw new TypeError('The body needs a list "faults", such as {"faults":["flaky"]}');
      // setFaults() validates them.
      return setFaults(call, faults as (Fault | string)[]);
    },
  },
  'DELETE /faults': {
    id: 'deleteFaults',
    summary: 'Remove all faults: of one key with Authorization, for every key without',
    response: FAULTS,
    run: (call) => setFaults(call, []),
  },
  'PATCH /faults': {
    id: 'updateFaults',
    summary: 'Remove faults by id and add faults; the others keep their counts',
    request: {
      schema: input({}, { add: FAULT_INPUTS, remove: listOf({ type: 'integer' }) }),
      example: { add: ['slow:ms=250'], remove: [3] },
    },
    response: FAULTS,
    run: updateFaults,
  },
  'GET /fault-profiles': {
    id: 'listFaultProfiles',
    summary: 'List the named faults with their parameters and an example each',
    response: object({
      profiles: listOf(
        object({
          name: TEXT,
          summary: TEXT,
          example: TEXT,
          parameters: listOf(object({ name: TEXT, summary: TEXT }, { default: WAIT })),
        }),
      ),
    }),
    run: () => ({ profiles: FAULT_PROFILES }),
  },
  'GET /clock': {
    id: 'getClock',
    summary: 'Read the time of the mock, or of a key',
    response: ref('Clock'),
    run: clockState,
  },
  'POST /clock': {
    id: 'moveClock',
    summary: 'Move, freeze or run the clock: of one key with Authorization, of all keys without',
    request: {
      schema: input({}, { advance: WAIT, freeze: { const: true }, run: { const: true } }),
      example: { advance: 'until-reset' },
    },
    response: ref('Clock'),
    run: moveClock,
  },
  'GET /dns': {
    id: 'getDns',
    summary:
      'List the built-in DNS names with what is wrong with each, and the state of the DNS if it is served',
    response: object({ names: listOf(object({ name: TEXT, shows: TEXT, because: TEXT })) }, DNS),
    run: ({ mock }) => ({ names: BUILT_IN_NAMES, ...mock.state().dns }),
  },
  ...JOURNAL_OPERATIONS,
  ...EXPECTATION_OPERATIONS,
  'GET /snapshot': {
    id: 'getSnapshot',
    summary: 'Read all pets: of one key with Authorization, of all keys without',
    response: ref('Snapshot'),
    run: ({ world }) => world.snapshot(),
  },
  'PUT /snapshot': {
    id: 'restoreSnapshot',
    summary: 'Replace the pets with those of a snapshot',
    request: {
      schema: input(SNAPSHOT.properties, SNAPSHOT.optional),
      example: {
        format: 'petstore-mock/1',
        worlds: [{ pets: [{ id: 7, name: 'Rex', categoryId: 1 }] }],
        tenants: [{ number: 2, plan: 'pro', pets: [] }],
      },
    },
    response: TENANTS,
    run({ mock, world, body }) {
      world.restore(body);
      return { tenants: mock.state().tenants };
    },
  },
  'GET /events': {
    id: 'streamEvents',
    summary: 'Stream requests and changes as server-sent events',
    mediaType: 'text/event-stream',
    run: streamEvents,
  },
  'GET /ca.pem': {
    id: 'getAuthority',
    summary: 'Return the certificate of the authority of the web servers',
    mediaType: 'application/x-pem-file',
    run({ host }) {
      const authority = host.authority();
      if (authority !== undefined)
        return new TextResponse(authority, { 'content-type': 'application/x-pem-file' });
      const message = 'The mock has no web servers; start it with --dns-port';
      throw new ControlError(404, 'no_web_servers', message);
    },
  },
  'GET /': {
    id: 'getPage',
    summary: 'Open the page that shows and controls the mock',
    mediaType: 'text/html',
    run: page,
  },
  'GET /openapi.json': {
    id: 'getControlApi',
    summary: 'Read this description',
    response: { type: 'object' },
    run: () => controlOpenApi(OPERATIONS),
  },
};

function clockState({ world: { clock } }: ControlCall): object {
  return { now: new Date(clock.now()), offsetMs: clock.offsetMs, frozen: clock.isFrozen };
}

function moveClock(call: ControlCall): object {
  const { world } = call;
  const body = objectOf(call.body);
  const { advance, freeze, run } = body;
  if (Object.keys(body).length > 1)
    throw new TypeError('The body can have only one of "advance", "freeze" and "run"');
  if (freeze === true) world.clock.freeze();
  else if (run === true) world.clock.run();
  else if (typeof advance === 'string' || typeof advance === 'number') world.advance(advance);
  else {
    throw new TypeError(
      'The body needs "advance", "freeze" or "run", such as {"advance":"60s"}, {"advance":"until-reset"} or {"freeze":true}',
    );
  }
  return clockState(call);
}

function updateFaults(call: ControlCall): object {
  const { add = [], remove = [] } = objectOf(call.body);
  if (!Array.isArray(add) || !Array.isArray(remove))
    throw new TypeError('The body needs a list "add" or "remove", such as {"add":["flaky"],"remove":[3]}');
  // updateFaults() validates both.
  call.world.updateFaults({ add, remove });
  return faultsOf(call);
}

function faultsOf({ mock, key }: ControlCall): object {
  return { faults: key === undefined ? mock.state().faults : mock.forKey(key).faults };
}

function setFaults(call: ControlCall, faults: readonly (Fault | string)[]): object {
  call.world.setFaults(faults);
  return faultsOf(call);
}

/** The page: one file, which may connect to its own origin only. */
async function page({ host }: ControlCall): Promise<TextResponse> {
  if (!host.ui)
    throw new ControlError(404, 'no_page', `The page is turned off; see ${CONTROL_PATH}/openapi.json`);
  // Loaded on demand: most mocks are never opened in a browser.
  const { html, contentSecurityPolicy } = await import('../ui/page.html');
  return new TextResponse(html, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': contentSecurityPolicy,
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  });
}

function streamEvents({ mock, key }: ControlCall): EventStream {
  const tenant = key === undefined ? undefined : mock.forKey(key).number;
  return (response) => {
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-mock-instance': mock.instance,
    });
    const send = (type: string, data: unknown, id?: number): void => {
      const idLine = id === undefined ? '' : `id: ${String(id)}\n`;
      response.write(`${idLine}event: ${type}\ndata: ${stringifyJson(data)}\n\n`);
    };
    send('state', { changed: 'connected', state: mock.state() });
    const unsubscribe = mock.subscribe((event) => {
      // A client that does not read must not fill the memory: it misses events, and sees a gap in the ids.
      if (response.writableLength > BUFFER_BYTES_MAX) return;
      if (event.type === 'request') {
        const { type, ...data } = event;
        if (tenant === undefined || event.entry.tenant === tenant) send(type, data, event.entry.sequence);
      } else if (tenant === undefined || event.tenant === undefined || event.tenant === tenant) {
        send('state', { changed: event.changed, tenant: event.tenant, state: mock.state() });
      }
    });
    response.once('close', unsubscribe);
  };
}

const BUFFER_BYTES_MAX = 4_194_304;
