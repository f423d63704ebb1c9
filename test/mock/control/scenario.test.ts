import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMock, type MockServer } from '../../../src/mock/index.js';
import { frozenClock } from '../send-request.js';

/** One mock for all languages: each scenario has a key of its own. */
const mock = createMock({ clock: frozenClock, pets: 3 });
let server: MockServer;

beforeAll(async () => {
  server = await mock.listen();
});
afterAll(() => server.close());

const EXPECTED = [200, 429, 'block', 200, 2, 2, 77, 200, ['Otto', 'Kiwi'], 1, 200, 409, 200, 1, 2];

type Send = (
  method: string,
  path: string,
  body?: object,
  key?: string,
) => Promise<{ status: number; json: unknown }>;

/** The same steps as in scenario.py. */
async function runScenario(send: Send): Promise<unknown[]> {
  const created = await send('POST', '/__mock/tenants', { pets: [{ name: 'Rex', categoryId: 1 }] });
  const { key } = created.json as { key: string };
  const as = (method: string, path: string, body?: object) => send(method, path, body, key);
  const statusOf = async (method: string, path: string, body?: object) =>
    (await as(method, path, body)).status;
  const read = async (path: string, field: string): Promise<{ sequence: number; name: string }[]> =>
    ((await as('GET', path)).json as Record<string, []>)[field] ?? [];

  const results: unknown[] = [await statusOf('PUT', '/__mock/faults', { faults: ['rate-limit:seconds=30'] })];
  results.push(await statusOf('GET', '/v1/pets'));
  const [limited] = await read('/__mock/journal?status=429', 'entries');
  const explained = await send('GET', `/__mock/explain?entry=${String(limited?.sequence)}`);
  results.push((explained.json as { reason: string }).reason);
  results.push(await statusOf('POST', '/__mock/clock', { advance: '31s' }));
  results.push(((await as('POST', '/v1/pets', { name: 'Otto', categoryId: 2 })).json as { id: number }).id);
  results.push(((await as('GET', '/v1/pets')).json as []).length);
  const put = await as('PUT', '/__mock/pets/77', { name: 'Kiwi', categoryId: 3 });
  results.push((put.json as { id: number }).id);
  results.push(await statusOf('DELETE', '/__mock/pets/1'));
  results.push((await read('/__mock/pets', 'pets')).map(({ name }) => name));
  results.push((await read('/__mock/journal?method=POST&count=1&timeout=5s', 'entries')).length);
  const expectations = [{ method: 'POST', path: '/pets', count: 1 }, { respectedRetryAfter: true }];
  results.push(await statusOf('POST', '/__mock/expectations', { expectations }));
  const wrong = { expectations: [{ method: 'POST', path: '/pet', count: 1 }] };
  results.push(await statusOf('POST', '/__mock/expectations', wrong));
  const saved = (await as('GET', '/__mock/snapshot')).json as object;
  results.push(await statusOf('POST', '/__mock/reset'));
  results.push((await read('/__mock/pets', 'pets')).length);
  await as('PUT', '/__mock/snapshot', saved);
  results.push((await read('/__mock/pets', 'pets')).length);
  return results;
}

function headersFor(key: string | undefined): Record<string, string> {
  return {
    'content-type': 'application/json',
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
  };
}

const sendByFetch: Send = async (method, path, body, key) => {
  const response = await fetch(server.url + path, {
    method,
    headers: headersFor(key),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, json: await response.json() };
};

const run = promisify(execFile);

const sendByCurl: Send = async (method, path, body, key) => {
  const headers = Object.entries(headersFor(key)).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const data = body === undefined ? [] : ['-d', JSON.stringify(body)];
  const args = ['-qsS', '--noproxy', '*', '-X', method, ...headers, ...data, '-w', '\n%{http_code}'];
  const { stdout } = await run('curl', [...args, server.url + path]);
  const [text = '', status] = stdout.split(/\n(?=\d+$)/);
  return { status: Number(status), json: JSON.parse(text) as unknown };
};

const runPython = async (): Promise<unknown> => {
  const script = fileURLToPath(new URL('scenario.py', import.meta.url));
  const { stdout } = await run('python3', [script, server.url], { env: { ...process.env, no_proxy: '*' } });
  return JSON.parse(stdout) as unknown;
};

async function isInstalled(program: string): Promise<boolean> {
  return run(program, ['--version']).then(
    () => true,
    () => false,
  );
}

test('curl, Python and TypeScript run the same scenario on one server in parallel', async () => {
  const runs = [runScenario(sendByFetch), runScenario(sendByFetch)];
  if (await isInstalled('curl')) runs.push(runScenario(sendByCurl));
  if (await isInstalled('python3')) runs.push(runPython() as Promise<unknown[]>);
  for (const result of await Promise.all(runs)) expect(result).toEqual(EXPECTED);
  expect(mock.forKey().state()).toMatchObject({ pets: 3, rateLimit: { remaining: 60 } });
});

test('removing a tenant ends its key', async () => {
  const { json } = await sendByFetch('POST', '/__mock/tenants', { plan: 'pro' });
  const { key, tenant } = json as { key: string; tenant: number };
  expect((await sendByFetch('GET', '/v1/pets', undefined, key)).status).toBe(200);
  expect((await sendByFetch('DELETE', `/__mock/tenants/${String(tenant)}`)).status).toBe(200);
  expect((await sendByFetch('GET', '/v1/pets', undefined, key)).status).toBe(401);
  expect((await sendByFetch('GET', '/__mock/pets', undefined, key)).status).toBe(401);
  expect((await sendByFetch('DELETE', '/__mock/tenants/999')).status).toBe(404);
  expect((await sendByFetch('DELETE', '/__mock/tenants/1')).status).toBe(400);
});
