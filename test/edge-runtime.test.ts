import { createContext, runInContext } from 'node:vm';
import { join } from 'node:path';
import { build } from 'esbuild';
import { beforeAll, expect, test } from 'vitest';
import { ROOT } from './support/source-tree.js';

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
      await createPetStore({ ...options, logger }).pets.list();
    }),
  };
}
`;

const WEB_GLOBALS = [
  ...[
    'AbortController',
    'AbortSignal',
    'DOMException',
    'Headers',
    'ReadableStream',
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
  const bundle = await build({
    stdin: { contents: PROGRAM, resolveDir: ROOT },
    bundle: true,
    platform: 'browser',
    format: 'iife',
    globalName: 'program',
    alias: { petstore: join(ROOT, 'dist/index.js') },
    write: false,
    logLevel: 'silent',
  });
  code = bundle.outputFiles[0]!.text;
  warnings = bundle.warnings.map(({ text }) => text);
}, 30_000);

test('the bundle for a browser needs no module of Node.js', () => {
  expect(warnings).toEqual([]);
  expect(code).not.toMatch(/(?:require|import)\(["'](?:node:|undici|@redis)|from ["']node:/);
});

test('the library runs with fetch and web globals only', async () => {
  const printed: string[] = [];
  const globals: Record<string, unknown> = { console: { warn: (text: string) => printed.push(text) } };
  for (const name of WEB_GLOBALS) globals[name] = globalThis[name];
  const context = createContext(globals);
  const result: unknown = await runInContext(`${code}; program.run()`, context);
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
    'PetStoreWarning: The option logger failed (logger is broken). Calls continue; its later errors are not reported.',
  ]);
});
