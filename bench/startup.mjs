// Measures whole processes, from spawn to exit.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AUTHORITY_FILE, cleanEnv, compare, processMs, ROOT, startServer } from './measure.mjs';

const COMMAND = 'bin/petstore.cjs';
/** Written by `npm run build:binary`. */
const BINARY = join(ROOT, 'dist-binary/petstore');
const NODE_MAJOR = Number(process.versions.node.split('.')[0]);
/** The shortest script that lists and prints pets with the built-in fetch. */
const FETCH_SCRIPT = `fetch(process.env.PETSTORE_BASE_URL + '/pets', { headers: { authorization: 'Bearer ' + process.env.PETSTORE_API_KEY } })
  .then((response) => response.json())
  .then((pets) => { for (const pet of pets) console.log([pet.id, pet.name, pet.categoryId, pet.status].join('\\t')); });`;

await compare(
  'start-up: ms, ratio to node -e 0',
  [
    { name: 'node -e 0', measure: () => processMs(['-e', '0']) },
    { name: 'petstore --version', measure: () => processMs([COMMAND, '--version']), bar: 1.15 },
    { name: 'petstore --help', measure: () => processMs([COMMAND, '--help']), bar: 1.3 },
    { name: 'petstore completion bash', measure: () => processMs([COMMAND, 'completion', 'bash']), bar: 1.3 },
    {
      name: 'petstore __complete (pets l<TAB>)',
      measure: () => processMs([COMMAND, '__complete', 'bash', '1', '--', 'pets', 'l']),
      bar: 1.3,
    },
  ],
  { rounds: 31, better: 'less' },
);

const server = await startServer('server.mjs', 'raw');
// The rate budget is in files, which is the default.
const folder = mkdtempSync(join(tmpdir(), 'petstore-bench-'));
const env = {
  PETSTORE_BASE_URL: server.baseUrl,
  PETSTORE_API_KEY: 'bench',
  PETSTORE_STATE_DIR: join(folder, 'state'),
  // The compile cache: `compare` runs each command once before it measures.
  XDG_CACHE_HOME: join(folder, 'cache'),
};
const list = () => processMs([COMMAND, 'pets', 'list'], env);

await compare(
  'petstore pets list over loopback: ms, ratio to node -e 0',
  [
    { name: 'node -e 0', measure: () => processMs(['-e', '0']) },
    { name: 'petstore pets list', measure: list, bar: 3.4 },
    {
      name: 'petstore pets list -o json',
      measure: () => processMs([COMMAND, 'pets', 'list', '-o', 'json'], env),
      bar: 3.4,
    },
    {
      name: 'petstore pets list, no compile cache',
      measure: () => processMs([COMMAND, 'pets', 'list'], { ...env, NODE_DISABLE_COMPILE_CACHE: '1' }),
    },
    {
      name: 'petstore pets list, budget in memory',
      measure: () => processMs([COMMAND, 'pets', 'list'], { ...env, PETSTORE_GATE: 'memory' }),
    },
  ],
  { rounds: 31, better: 'less' },
);
await compare(
  'petstore pets list over loopback: ms, ratio to the shortest fetch script',
  [
    { name: 'node -e "fetch(…)"', measure: () => processMs(['-e', FETCH_SCRIPT], env) },
    { name: 'petstore pets list', measure: list, bar: NODE_MAJOR < 22 ? 0.6 : 1 },
  ],
  { rounds: 31, better: 'less' },
);
await compareHttps();
const reason = whyNoBinary();
if (reason === undefined) {
  await compare(
    'single executable: ms, ratio to node -e 0',
    [
      { name: 'node -e 0', measure: () => processMs(['-e', '0']) },
      { name: 'petstore --version', measure: () => processMs(['--version'], {}, BINARY) },
      { name: 'petstore pets list', measure: () => processMs(['pets', 'list'], env, BINARY), bar: 2.2 },
    ],
    { rounds: 31, better: 'less' },
  );
} else console.log(`\nsingle executable: skipped (${reason})`);
server.stop();
rmSync(folder, { recursive: true });

/** The certificate of the service is of an own authority, or as if a built-in authority had signed it. */
async function compareHttps() {
  const service = await startServer('server.mjs', 'https');
  const proxy = await startServer('server.mjs', 'tunnel');
  const https = { ...env, PETSTORE_BASE_URL: service.baseUrl };
  const builtIn = { ...https, NODE_EXTRA_CA_CERTS: AUTHORITY_FILE };
  const throughProxy = { ...https, HTTPS_PROXY: new URL(proxy.baseUrl).origin };
  const withCa = [COMMAND, 'pets', 'list', '--ca', AUTHORITY_FILE];
  await compare(
    'petstore pets list over https: ms, ratio to the shortest fetch script with NODE_EXTRA_CA_CERTS',
    [
      { name: 'node -e "fetch(…)"', measure: () => processMs(['-e', FETCH_SCRIPT], builtIn) },
      {
        name: 'petstore pets list --ca FILE',
        measure: () => processMs(withCa, https),
        bar: NODE_MAJOR < 22 ? 0.85 : 1,
      },
      {
        name: 'petstore pets list, NODE_EXTRA_CA_CERTS',
        measure: () => processMs([COMMAND, 'pets', 'list'], builtIn),
      },
      { name: 'petstore pets list --ca FILE, proxy', measure: () => processMs(withCa, throughProxy) },
    ],
    { rounds: 31, better: 'less' },
  );
  service.stop();
  proxy.stop();
}

/** Why the single executable is not measured, or `undefined`. It is compared with the Node.js that it contains. */
function whyNoBinary() {
  if (!existsSync(BINARY)) return 'not built: npm run build:binary';
  const { stdout } = spawnSync(BINARY, ['version', '--json'], { env: cleanEnv(), encoding: 'utf8' });
  const { node } = JSON.parse(stdout);
  return node === process.version ? undefined : `it contains Node ${node}`;
}
