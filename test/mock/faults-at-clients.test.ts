import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPetStore, memoryGate, type PetStore } from '../../src/client/internal.js';
import { createMock, FAULT_NAMES, type Fault, type MockServer } from '../../src/mock/index.js';
import { findProgram } from '../integration/programs.js';

/** What one fault does to a client that sends one request. */
interface Row {
  fault: string | Fault;
  /** @default 'list' */
  call?: 'list' | 'create';
  /** Error type of our client and its status, or `ok`. */
  client: string | readonly [type: string, status: number];
  /** Exit code of curl, and the status that it saw; 0 without a response. */
  curl: readonly [exitCode: number, status: number];
  /** A part of the body that curl received. */
  body?: string;
  /** Pets at the end, of 3 before. */
  pets?: number;
}

/** Exit codes of curl. */
const CONNECTION_RESET = 56;
const PARTIAL_BODY = 18;

const ROWS: readonly Row[] = [
  { fault: 'rate-limit:seconds=5', client: ['rate-limit', 429], curl: [0, 429], body: 'rate_limited' },
  { fault: 'flaky:probability=1,status=500', client: ['server', 500], curl: [0, 500] },
  { fault: 'slow:ms=20', client: 'ok', curl: [0, 200] },
  { fault: 'lost-write', call: 'create', client: 'unknown-outcome', curl: [CONNECTION_RESET, 0], pets: 4 },
  { fault: 'outage', client: ['server', 503], curl: [0, 503], body: '"status":503' },
  { fault: 'status:status=404', client: ['not-found', 404], curl: [0, 404] },
  { fault: 'status:status=401', client: ['authentication', 401], curl: [0, 401] },
  { fault: 'status:status=429', client: ['rate-limit', 429], curl: [0, 429] },
  { fault: 'reset', client: 'connection', curl: [CONNECTION_RESET, 0] },
  { fault: 'reset', call: 'create', client: 'unknown-outcome', curl: [CONNECTION_RESET, 0], pets: 3 },
  { fault: 'html-502', client: ['server', 502], curl: [0, 502], body: '<html>' },
  { fault: 'html-502', call: 'create', client: ['unknown-outcome', 502], curl: [0, 502], pets: 3 },
  { fault: 'bad-json', client: ['invalid-response', 200], curl: [0, 200] },
  { fault: 'bad-json', call: 'create', client: ['unknown-outcome', 201], curl: [0, 201], pets: 4 },
  { fault: 'truncate', client: ['invalid-response', 200], curl: [PARTIAL_BODY, 200] },
  { fault: 'truncate', call: 'create', client: ['unknown-outcome', 201], curl: [PARTIAL_BODY, 201], pets: 4 },
  { fault: { action: { status: 429, retryAfter: 7 } }, client: ['rate-limit', 429], curl: [0, 429] },
  { fault: { action: { status: 503, retryAfter: 7 } }, client: ['server', 503], curl: [0, 503] },
  { fault: { action: { latencyMs: 20 } }, client: 'ok', curl: [0, 200] },
  { fault: 'throttle:bytesPerSecond=2000', client: 'ok', curl: [0, 200] },
  { fault: 'cut:bytes=10', client: ['invalid-response', 200], curl: [PARTIAL_BODY, 200], body: '[{"id":' },
  {
    fault: 'cut:bytes=0',
    call: 'create',
    client: ['unknown-outcome', 201],
    curl: [PARTIAL_BODY, 201],
    pets: 4,
  },
  { fault: 'status:status=429,retryAfter=5;10', client: ['rate-limit', 429], curl: [0, 429] },
];

const mock = createMock({ pets: 3, plan: 'unlimited' });
let server: MockServer;

beforeAll(async () => {
  server = await mock.listen();
});
afterAll(() => server.close());

/** A key of its own, with the faults. */
function tenantWith(fault: string | Fault) {
  const tenant = mock.forKey(mock.tenant());
  tenant.setFaults([fault]);
  return tenant;
}

const PET = { name: 'Rex', categoryId: 1n };

function callOf(store: PetStore, call: Row['call']): Promise<unknown> {
  return call === 'create' ? store.pets.create(PET) : store.pets.list();
}

async function clientOutcome(key: string, call: Row['call']): Promise<string | readonly [string, number]> {
  const retry = { attemptsMax: 1, waitMaxMs: 0 };
  const store = createPetStore({ baseUrl: server.baseUrl, apiKey: key, gate: memoryGate(), retry });
  try {
    await callOf(store, call);
    return 'ok';
  } catch (error) {
    const { type, response } = error as { type: string; response?: { status: number } };
    return response === undefined ? type : [type, response.status];
  } finally {
    await store.close();
  }
}

const CURL = findProgram('curl');

async function curlOutcome(
  key: string,
  call: Row['call'],
): Promise<{ result: [number, number]; body: string }> {
  const body = call === 'create' ? ['--json', '{"name":"Rex","categoryId":1}'] : [];
  const args = ['-sS', '-m', '20', '-w', '\n%{http_code}', '-H', `Authorization: Bearer ${key}`, ...body];
  const env = { LD_LIBRARY_PATH: CURL?.libraryFolders.join(':') ?? '', HOME: '/nonexistent' };
  const run = promisify(execFile)(CURL?.path ?? '', [...args, `${server.baseUrl}/pets`], { env });
  const { code, stdout } = await run.then(
    ({ stdout }) => ({ code: 0, stdout }),
    (error: unknown) => error as { code: number; stdout: string },
  );
  const end = stdout.lastIndexOf('\n');
  return { result: [code, Number(stdout.slice(end))], body: stdout.slice(0, end) };
}

describe.each(ROWS)('$fault, $call', ({ fault, call, client, curl, body, pets = 3 }) => {
  test('with our client', async () => {
    const tenant = tenantWith(fault);
    expect(await clientOutcome(tenant.key, call)).toEqual(client);
    expect(tenant.journal[0]?.fault).toBeDefined();
    expect(tenant.state().pets).toBe(pets);
  });

  test.skipIf(CURL === undefined)('with curl', async () => {
    const tenant = tenantWith(fault);
    const outcome = await curlOutcome(tenant.key, call);
    expect(outcome.result).toEqual(curl);
    expect(outcome.body).toContain(body ?? '');
    expect(tenant.state().pets).toBe(pets);
  });
});

test('every named fault is in the table', () => {
  const tested = ROWS.map(({ fault }) => (typeof fault === 'string' ? fault.replace(/:.*/, '') : ''));
  expect(FAULT_NAMES.filter((name) => name !== 'garbage' && !tested.includes(name))).toEqual([]);
});
