// Other mock servers. They are no dependencies: npm installs them in a cache folder.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cleanEnv, PETS } from '../measure.mjs';
import { installPeers } from './install.mjs';

/** Each returns a list of the same 20 pets. Logs to the terminal are off, as in a test. */
const PEERS = [
  {
    name: 'json-server',
    package: 'json-server',
    path: '/pets?_limit=20',
    args: (port) => ['node_modules/json-server/lib/cli/bin.js', 'db.json', '--quiet', '--port', port],
  },
  {
    name: 'Prism, -v error',
    package: '@stoplight/prism-cli',
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
    name: 'Mockoon, -X',
    package: '@mockoon/cli',
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

/** Installs the servers. Each `start` starts one and waits for its first response. */
export async function mockServers() {
  const { folder, versions } = await installPeers('mock');
  writeFileSync(join(folder, 'db.json'), JSON.stringify({ pets: PETS }));
  writeFileSync(join(folder, 'api.json'), JSON.stringify(apiOf(PETS)));
  return PEERS.map(({ name, package: id, path, args }) => ({
    name: `${name} ${versions[id]}`,
    start: () => start(folder, path, args),
  }));
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
