// The mock service over HTTP, compared with a minimal service and with other mock servers. Measures lists of 20 pets, 32
// requests at a time, and the time from spawn to the first response.
import { spawn } from 'node:child_process';
import http from 'node:http';
import { Pool } from 'undici';
import { cleanEnv, compare, ROOT, startServer, throughput } from './measure.mjs';
import { mockServers } from './peers/mock-servers.mjs';

const WIDTH = 32;
const LOAD = { count: 5_000, width: WIDTH };
const ROUNDS = 9;
/** Some of the others respond to less than 1,000 requests a second. */
const PEER_LOAD = { count: 500, width: WIDTH };
const PEER_ROUNDS = 3;
const headers = { authorization: 'Bearer bench' };

const services = await Promise.all(['http', 'mock'].map((kind) => startServer('server.mjs', kind)));
const [raw, mock] = services.map((service) => {
  const { origin, pathname } = new URL(`${service.baseUrl}/pets`);
  return { service, ...clientOf(origin, `${pathname}?limit=20`) };
});

function clientOf(origin, path) {
  const pool = new Pool(origin, { connections: WIDTH });
  const request = async () => {
    const { statusCode, body } = await pool.request({ method: 'GET', path, headers });
    if (statusCode !== 200) throw new Error(`${origin} responded ${statusCode}`);
    await body.dump();
  };
  return { pool, request };
}

/** Requests per second of the server's CPU time, without the cost of the client. */
const cpuRate = async ({ service, request }) => {
  const before = await service.cpuMs();
  await throughput(request, LOAD);
  return (LOAD.count * 1000) / ((await service.cpuMs()) - before);
};

const compareRates = (unit, measure, bar) =>
  compare(
    `mock, ${WIDTH} at a time: ${unit}, ratio to raw node:http`,
    [
      { name: 'node:http + JSON.stringify', measure: () => measure(raw) },
      { name: 'petstore/mock', measure: () => measure(mock), bar },
    ],
    { rounds: ROUNDS, better: 'more' },
  );
await compareRates('requests/s', ({ request }) => throughput(request, LOAD), 0.8);
await compareRates('requests per CPU second', cpuRate);

const servers = await mockServers();
const running = [];
for (const { name, start } of servers) {
  const { origin, path, stop } = await start();
  running.push({ name, stop, ...clientOf(origin, path) });
}
await compare(
  `mock, ${WIDTH} at a time: requests/s, ratio to petstore/mock`,
  [{ name: 'petstore/mock', ...mock }, ...running].map(({ name, request }) => ({
    name,
    measure: () => throughput(request, PEER_LOAD),
  })),
  { rounds: PEER_ROUNDS, better: 'more' },
);

for (const { pool, stop } of running) {
  await pool.close();
  stop();
}
for (const { service, pool } of [raw, mock]) {
  await pool.close();
  service.stop();
}

/** A process that prints its URL when it listens, as `petstore mock` does. */
const BARE_SERVER = `const server = require('node:http').createServer((request, response) => response.end('[]'));
server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port + '/v1'));`;

/** Milliseconds from the start of a process to its first response. */
async function readyMs(args) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: cleanEnv(),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    const url = await new Promise((resolve, reject) => {
      let text = '';
      child.once('error', reject).once('exit', () => reject(new Error(`${args[0]} ended: ${text}`)));
      child.stdout.on('data', (chunk) => {
        text += chunk;
        const [found] = /http:\/\/[\d.:]+\/v1(?=\s)/.exec(text) ?? [];
        if (found !== undefined) resolve(found);
      });
    });
    await new Promise((resolve, reject) => {
      const options = { headers: { authorization: 'Bearer mock-key' }, agent: false };
      http
        .get(`${url}/pets`, options, (response) => {
          if (response.statusCode !== 200) reject(new Error(`${url} responded ${response.statusCode}`));
          response.resume().once('end', resolve);
        })
        .once('error', reject);
    });
    return performance.now() - startedAt;
  } finally {
    child.removeAllListeners('exit');
    // Not SIGKILL: the command stores its code when it ends.
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  }
}

const petstoreMock = {
  name: 'petstore mock',
  measure: () => readyMs(['bin/petstore.cjs', 'mock', '--port', '0']),
};
await compare(
  'mock: ms from spawn to the first response, ratio to a bare node:http server',
  [
    { name: 'node:http', measure: () => readyMs(['-e', BARE_SERVER]) },
    { ...petstoreMock, bar: 2 },
  ],
  { rounds: ROUNDS, better: 'less' },
);
const starts = servers.map(({ name, start }) => ({
  name,
  async measure() {
    const { readyMs, stop } = await start();
    stop();
    return readyMs;
  },
}));
await compare(
  'mock: ms from spawn to the first response, ratio to petstore mock',
  [petstoreMock, ...starts],
  { rounds: PEER_ROUNDS, better: 'less' },
);
