import { spawn } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as client from '../../src/client/index.js';
import { compileClient, type CompiledClient } from '../support/compiled-client.js';
import { closedPort } from '../support/loopback-port.js';
import { type Responder, hangUp, json, silence, startScriptedServer } from '../support/scripted-server.js';
import { KEY } from '../support/stores.js';
import { unansweredPort } from '../support/unanswered-port.js';

test('the entry point exports the client, its transports, its gates and its header rules', () => {
  expect(Object.keys(client).sort()).toEqual([
    'BUDGET_FOLDER_PATTERN',
    'CONNECT_SIGNAL',
    'HEADER_NAME',
    'HEADER_VALUE',
    'RESERVED_HEADERS',
    'TransportFailure',
    'createPetStore',
    'createPetStoreOver',
    'describeBatch',
    'estimateBatch',
    'fileGate',
    'headerLines',
    'isLoopback',
    'memoryGate',
    'nodeHttpTransport',
    'redisGate',
    'resetBudget',
    'undiciTransport',
  ]);
});

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

const program = (baseUrl: string, work: string, transport: string): string => `
  const { createPetStore } = await import(${JSON.stringify(compiled.url)});
  const { createPetStoreOver, nodeHttpTransport } = await import(${JSON.stringify(compiled.url.replace('index.js', 'client/index.js'))});
  const options = { apiKey: ${JSON.stringify(KEY)}, baseUrl: ${JSON.stringify(baseUrl)}, retry: { attemptsMax: 1 } };
  const store = ${transport};
  try { console.log(${work}); } catch (error) { console.log(error.type); }
  // Some turns for sockets to be closed, then nothing may be left that keeps the process alive.
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  const left = process.getActiveResourcesInfo().filter((name) => /TCP|TLS|Timeout|GetAddrInfo/.test(name));
  console.log(JSON.stringify(left));
`;

describe.each([
  ['undici', 'createPetStore(options)'],
  ['node:http', 'createPetStoreOver(nodeHttpTransport(), options)'],
  ['fetch', 'createPetStore({ ...options, fetch })'],
])('a process that used the client with %s', (_, transport) => {
  test.each<[string, Responder, string, string]>([
    ['a response', json([]), '(await store.pets.list()).length', '0'],
    ['an error status', json({}, 401), 'await store.pets.list()', 'authentication'],
    ['a broken connection', hangUp, 'await store.pets.list()', 'connection'],
    ['a time-out', silence, 'await store.pets.list({}, { timeoutMs: 30 })', 'timeout'],
    ['an abort', silence, 'await store.pets.list({}, { signal: AbortSignal.timeout(30) })', 'aborted'],
  ])('exits by itself after %s', async (__, respond, work, printed) => {
    const server = await startScriptedServer(respond);
    const { code, stdout, stderr } = await run(program(server.baseUrl, work, transport));
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe(`${printed}\n[]\n`);
  });

  test('exits by itself if nothing listens', async () => {
    const baseUrl = `http://127.0.0.1:${String(await closedPort())}/v1`;
    const { code, stdout } = await run(program(baseUrl, 'await store.pets.list()', transport));
    expect([code, stdout]).toEqual([0, 'connection\n[]\n']);
  });
});

describe.each([
  ['undici', 'createPetStore(options)'],
  ['node:http', 'createPetStoreOver(nodeHttpTransport(), options)'],
])('a process whose connection timed out with %s', (_, transport) => {
  test.runIf(process.platform === 'linux')('stops connecting', async () => {
    const baseUrl = `http://127.0.0.1:${String(await unansweredPort())}/v1`;
    const work = 'await store.pets.create({ name: "Rex", categoryId: 1 }, { timeoutMs: 100 })';
    const { code, stdout } = await run(program(baseUrl, work, transport));
    expect([code, stdout]).toEqual([0, 'timeout\n[]\n']);
  });
});

test('importing the library and creating a client does no I/O and prints nothing', async () => {
  const { code, stdout, stderr } = await run(`
    const { createPetStore } = await import(${JSON.stringify(compiled.url)});
    createPetStore({ apiKey: 'k', baseUrl: 'http://127.0.0.1:1/v1' });
    console.log(JSON.stringify(process.getActiveResourcesInfo().filter((name) => /TCP|Timeout|DNS|UDP/i.test(name))));
  `);
  expect([code, stdout, stderr]).toEqual([0, '[]\n', '']);
});
