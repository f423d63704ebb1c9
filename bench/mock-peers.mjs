// Other mock servers, for `node bench/mock.mjs --peers`. They are no dependencies: npm installs them in a temporary folder.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cleanEnv, PETS } from './measure.mjs';

const PACKAGES = ['@stoplight/prism-cli@5.14.2', 'json-server@0.17.4', '@mockoon/cli@9.9.0'];

/** Each returns a list of the same 20 pets. Logs to the terminal are off, as in a test. */
const PEERS = [
  {
    name: 'json-server 0.17.4',
    path: '/pets?_limit=20',
    args: (port) => ['node_modules/json-server/lib/cli/bin.js', 'db.json', '--quiet', '--port', port],
  },
  {
    name: 'Prism 5.14.2, -v error',
    path: '/pets?limit=20',
    args: (port) => [
      'node_modules/@stoplight/prism-cli/dist/index.js',
      'mock',
      'api.json',
      '-v',
      'error',
      '-p',
      port,
    ],
  },
  {
    name: 'Mockoon 9.9.0, -X',
    path: '/pets?limit=20',
    args: (port) => [
      'node_modules/@mockoon/cli/bin/run.js',
      'start',
      '-X',
      '--data',
      'api.json',
      '--port',
      port,
    ],
  },
];

/**
 * Installs the servers.
 *
 * @param {string} [installed] a folder with the packages, to install nothing.
 * @returns the servers, and a function that removes the folder.
 */
export function installPeers(installed) {
  const folder = installed ?? mkdtempSync(join(tmpdir(), 'petstore-peers-'));
  const options = ['--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
  if (installed === undefined) {
    const { status } = spawnSync('npm', ['install', '--prefix', folder, ...options, ...PACKAGES], {
      stdio: 'inherit',
    });
    if (status !== 0) throw new Error('npm could not install the other mock servers');
  }
  writeFileSync(join(folder, 'db.json'), JSON.stringify({ pets: PETS }));
  writeFileSync(join(folder, 'api.json'), JSON.stringify(apiOf(PETS)));
  return {
    peers: PEERS.map(({ name, path, args }) => ({ name, start: () => start(folder, path, args) })),
    remove() {
      if (installed === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts a server and waits for its first response. */
async function start(folder, path, args) {
  const port = await freePort();
  const startedAt = performance.now();
  const child = spawn(process.execPath, args(String(port)), {
    cwd: folder,
    env: cleanEnv(),
    stdio: 'ignore',
  });
  const origin = `http://127.0.0.1:${port}`;
  while (!(await responds(`${origin}${path}`))) {
    if (child.exitCode !== null) throw new Error(`${args('0')[0]} ended with ${child.exitCode}`);
    await sleep(2);
  }
  return { origin, path, readyMs: performance.now() - startedAt, stop: () => child.kill('SIGKILL') };
}

function responds(url) {
  return new Promise((resolve, reject) => {
    const request = http.get(
      url,
      { agent: false, headers: { authorization: 'Bearer bench' } },
      (response) => {
        if (response.statusCode !== 200) reject(new Error(`${url} responded ${response.statusCode}`));
        response.resume().once('end', () => resolve(true));
      },
    );
    request.once('error', () => resolve(false));
  });
}

function freePort() {
  return new Promise((resolve) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** An OpenAPI document whose example is the list of pets. */
function apiOf(pets) {
  const content = {
    'application/json': { schema: { type: 'array', items: { type: 'object' } }, example: pets },
  };
  return {
    openapi: '3.0.3',
    info: { title: 'Pets', version: '1.0.0' },
    paths: { '/pets': { get: { responses: { 200: { description: 'The pets.', content } } } } },
  };
}
