import { spawn } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compileClient, type CompiledClient } from '../support/compiled-client.js';
import { closedPort } from '../support/loopback-port.js';
import { type Responder, hangUp, json, silence, startScriptedServer } from '../support/scripted-server.js';
import { KEY } from '../support/stores.js';
import { unansweredPort } from '../support/unanswered-port.js';

let compiled: CompiledClient;
beforeAll(async () => {
  compiled = await compileClient();
});
afterAll(() => compiled.remove());

/** Runs a module in a new process and returns its exit code and output. */
function run(source: string): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
      env: { PATH: process.env.PATH },
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({ code, stdout, stderr });
    });
  });
}

/** Does each work with a client of its own. Prints its result, and what is left that would keep the process alive. */
const program = (transport: string, cases: readonly { baseUrl: string; work: string }[]): string => `
  const { createPetStore } = await import(${JSON.stringify(compiled.url)});
  const { createPetStoreOver, nodeHttpTransport } = await import(${JSON.stringify(compiled.url.replace('index.js', 'client/internal.js'))});
  const works = [${cases.map(({ work }) => `async (store) => ${work}`).join()}];
  for (const [index, baseUrl] of ${JSON.stringify(cases.map(({ baseUrl }) => baseUrl))}.entries()) {
    const options = { apiKey: ${JSON.stringify(KEY)}, baseUrl, retry: { attemptsMax: 1 } };
    const store = ${transport};
    try { console.log(await works[index](store)); } catch (error) { console.log(error.type); }
    // Some turns for sockets to be closed.
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    const left = process.getActiveResourcesInfo().filter((name) => /TCP|TLS|Timeout|GetAddrInfo/.test(name));
    console.log(JSON.stringify(left));
  }
`;

/** Each ends with nothing left; the process then exits by itself. */
const CASES: readonly (readonly [name: string, respond: Responder, work: string, printed: string])[] = [
  ['a response', json([]), '(await store.pets.list()).length', '0'],
  ['an error status', json({}, 401), 'await store.pets.list()', 'authentication'],
  ['a broken connection', hangUp, 'await store.pets.list()', 'connection'],
  ['a time-out', silence, 'await store.pets.list({}, { timeoutMs: 30 })', 'timeout'],
  ['an abort', silence, 'await store.pets.list({}, { signal: AbortSignal.timeout(30) })', 'aborted'],
];

test.each([
  ['undici', 'createPetStore(options)'],
  ['node:http', 'createPetStoreOver(nodeHttpTransport(), options)'],
  ['fetch', 'createPetStore({ ...options, fetch })'],
])('a process exits by itself after each end of a call with %s', async (name, transport) => {
  const cases = await Promise.all(
    CASES.map(async ([end, respond, work, printed]) => {
      const { baseUrl } = await startScriptedServer(respond);
      return { end, baseUrl, work, printed };
    }),
  );
  const add = (end: string, port: number, work: string, printed: string): void => {
    cases.push({ end, baseUrl: `http://127.0.0.1:${String(port)}/v1`, work, printed });
  };
  add('nothing listens', await closedPort(), 'await store.pets.list()', 'connection');
  if (process.platform === 'linux' && name !== 'fetch') {
    const work = 'await store.pets.create({ name: "Rex", categoryId: 1 }, { timeoutMs: 100 })';
    add('a time-out while connecting', await unansweredPort(), work, 'timeout');
  }
  const { code, stdout, stderr } = await run(program(transport, cases));
  expect([code, stderr]).toEqual([0, '']);
  const lines = stdout.split('\n');
  const found = cases.map(({ end }, index) => [end, ...lines.slice(2 * index, 2 * index + 2)]);
  expect(found).toEqual(cases.map(({ end, printed }) => [end, printed, '[]']));
});

test('importing the library and creating a client does no I/O and prints nothing', async () => {
  const { code, stdout, stderr } = await run(`
    const { createPetStore } = await import(${JSON.stringify(compiled.url)});
    createPetStore({ apiKey: 'k', baseUrl: 'http://127.0.0.1:1/v1' });
    console.log(JSON.stringify(process.getActiveResourcesInfo().filter((name) => /TCP|Timeout|DNS|UDP/i.test(name))));
  `);
  expect([code, stdout, stderr]).toEqual([0, '[]\n', '']);
});
