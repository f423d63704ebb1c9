import { createContext, runInContext } from 'node:vm';
import { join } from 'node:path';
import { build } from 'esbuild';
import { beforeAll, expect, test } from 'vitest';
import { requireBuild } from './support/built.js';
import { ROOT } from './support/source-tree.js';

requireBuild();

/** A program of an importer, for a runtime that has web globals only. */
const PROGRAM = `
import { createPetStore, fileGate, memoryGate, redisGate } from 'petstore';
const body = '[{"id":9007199254740993,"name":"Ида","categoryId":7}]';
const options = {
  apiKey: 'test-key-of-the-edge',
  baseUrl: 'https://api.example.com/v1',
  fetch: async (url) => (requests.push(url), new Response(status === 200 ? body : '{"message":"no"}', { status })),
  onWarning: (warning) => warnings.push(warning.message),
};
const requests = [];
const warnings = [];
let status = 200;
const reject = async (run) => {
  try { await run(); return 'no error'; } catch (error) { const { name, message } = error; return name + ': ' + message + (String(error.cause?.stack).includes('test-key') ? ' with the key' : ''); }
};
const broken = async () => { throw Object.assign(new Error('lost with test-key-of-the-edge'), { code: 'ECONNRESET' }); };
export async function run() {
  const store = createPetStore(options);
  const pets = await store.pets.list({ limit: 2 });
  const own = createPetStore({ ...options, gate: memoryGate() });
  const created = await own.pets.list();
  status = 404;
  const missing = await reject(() => own.pets.get(3n));
  const lost = await reject(() => createPetStore({ ...options, fetch: broken, retry: { attemptsMax: 1 }, gate: memoryGate() }).pets.list());
  await store.close();
  await own.close();
  return {
    pets: pets.map(({ id, name }) => id + ' ' + name).join(),
    created: created.length,
    requests: requests.length,
    warnings: warnings.length,
    missing,
    lost,
    withoutFetch: await reject(() => createPetStore({ ...options, fetch: undefined, retry: { attemptsMax: 1 } }).pets.list()),
    fileGate: await reject(() => fileGate({ directory: '/gate' })),
    redisGate: await reject(() => redisGate({ url: 'redis://localhost' })),
    ownGate: await reject(() => createPetStore({ ...options, gate: { id: 'a', open() {}, close() {} } })),
    throwingLogger: await reject(async () => {
      const logger = { debug() { throw new Error('logger is broken'); }, warn() {} };
      status = 200;
      await createPetStore({ ...options, logger, onWarning: undefined }).pets.list();
    }),
  };
}
`;

/** The mock as the client's `fetch`. */
const MOCK_PROGRAM = `
import { createPetStore, memoryGate } from 'petstore';
import { createMock } from 'petstore/mock';
export async function run() {
  const mock = createMock({ pets: [] });
  const options = { apiKey: mock.keys[0], baseUrl: 'https://mock.test/v1', fetch: mock.fetch, gate: memoryGate() };
  const store = createPetStore(options);
  await store.pets.create({ name: 'Ида', categoryId: 7 });
  const [pet] = await store.pets.list();
  return pet.name + ' ' + mock.journal.length;
}
`;

const WEB_GLOBALS = [
  ...[
    'AbortController',
    'AbortSignal',
    'DOMException',
    'Headers',
    'ReadableStream',
    'Request',
    'Response',
    'TextDecoder',
  ],
  ...[
    'TextEncoder',
    'URL',
    'URLSearchParams',
    'atob',
    'btoa',
    'clearTimeout',
    'crypto',
    'performance',
    'queueMicrotask',
    'setTimeout',
  ],
] as const;

let code = '';
let warnings: string[] = [];
beforeAll(async () => {
  ({ code, warnings } = await bundleForBrowser(PROGRAM));
}, 30_000);

async function bundleForBrowser(contents: string): Promise<{ code: string; warnings: string[] }> {
  const bundle = await build({
    stdin: { contents, resolveDir: ROOT },
    bundle: true,
    platform: 'browser',
    format: 'iife',
    globalName: 'program',
    alias: { 'petstore/mock': join(ROOT, 'dist/mock/index.js'), petstore: join(ROOT, 'dist/index.js') },
    write: false,
    logLevel: 'silent',
  });
  return { code: bundle.outputFiles[0]!.text, warnings: bundle.warnings.map(({ text }) => text) };
}

/** Runs a bundle in a realm that has the web globals and these. */
function runIn(bundle: string, more: object): Promise<unknown> {
  const globals: Record<string, unknown> = { ...more };
  for (const name of WEB_GLOBALS) globals[name] = globalThis[name];
  return runInContext(`${bundle}; program.run()`, createContext(globals)) as Promise<unknown>;
}

test('the bundle for a browser needs no module of Node.js', () => {
  expect(warnings).toEqual([]);
  expect(code).not.toMatch(/(?:require|import)\(["'](?:node:|undici|@redis)|from ["']node:/);
});

/** As in the edge runtime of Next. */
const throwing = (): never => {
  throw new Error('A Node.js API is used which is not supported in the Edge Runtime.');
};
const NEXT_PROCESS = { env: {}, getBuiltinModule: throwing, emitWarning: throwing, hrtime: throwing };

test.each([
  ['web globals only', {}],
  ['a process without functions', { process: { env: {} } }],
  ['a process whose functions throw', { process: NEXT_PROCESS }],
])('the library runs with fetch and %s', async (_, more) => {
  const printed: string[] = [];
  const result = await runIn(code, { console: { warn: (text: string) => printed.push(text) }, ...more });
  expect({ ...(result as object) }).toEqual({
    pets: '9007199254740993 Ида',
    created: 1,
    requests: 4,
    // The announced removal of the operation.
    warnings: 1,
    missing: 'NotFoundError: no',
    lost: 'ConnectionError: No response from https://api.example.com (ECONNRESET)',
    withoutFetch: 'ConfigurationError: No HTTP client available: could not load undici (it has no Pool)',
    fileGate: 'ConfigurationError: fileGate needs Node.js, and this runtime has no modules of Node.js',
    redisGate: 'ConfigurationError: redisGate needs Node.js, and this runtime has no modules of Node.js',
    ownGate: 'ConfigurationError: A stored budget needs Node.js, and this runtime has no modules of Node.js',
    throwingLogger: 'no error',
  });
  expect(printed).toEqual([
    'PetStoreWarning: The option logger failed (logger is broken). Calls continue. Its later errors are not reported.',
  ]);
});

test('the mock serves a client with web globals only', async () => {
  const { code: bundle } = await bundleForBrowser(MOCK_PROGRAM);
  expect(await runIn(bundle, { console })).toBe('Ида 2');
});
