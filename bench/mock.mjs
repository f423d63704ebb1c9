// The mock service over HTTP, compared with a minimal service: lists of 20 pets, 32 requests at a time, and the time from
// spawn to the first response. `node bench/mock.mjs --peers` adds other mock servers, which npm installs in a temporary
// folder; `--peers FOLDER` uses those that are installed there.
import { spawn } from 'node:child_process';
import http from 'node:http';
import { Pool } from 'undici';
import { cleanEnv, compare, ROOT, startServer, throughput } from './measure.mjs';
import { installPeers } from './mock-peers.mjs';

const WIDTH = 32;
const [, peersFlag, peersFolder] = /^(--peers)(?:,(.*))?$/.exec(process.argv.slice(2).join()) ?? [];
const { peers, remove } = peersFlag === undefined ? { peers: [] } : installPeers(peersFolder);
// Some of the others respond to less than 1,000 requests a second.
const LOAD = { count: peers.length > 0 ? 1_000 : 5_000, width: WIDTH };
const ROUNDS = peers.length > 0 ? 5 : 15;
const headers = { authorization: 'Bearer bench' };

const services = await Promise.all(['http', 'mock'].map((kind) => startServer('server.mjs', kind)));
const [raw, mock] = services.map((service) => {
  const { origin, pathname } = new URL(`${service.baseUrl}/pets`);
  return { service, ...clientOf(origin, `${pathname}?limit=20`) };
});

const running = [];
for (const { name, start } of peers) {
  const { origin, path, stop } = await start();
  running.push({ name, stop, ...clientOf(origin, path) });
}

function clientOf(origin, path) {
  const pool = new Pool(origin, { connections: WIDTH });
  const request = async () => {
    const { statusCode, body } = await pool.request({ method: 'GET', path, headers });
    if (statusCode !== 200) throw new Error(`${origin} responded ${statusCode}`);
    await body.dump();
  };
  return { pool, request };
}

const rate = ({ request }) => throughput(request, LOAD);
/** Requests per second of the server's CPU time, without the cost of the client. */
const cpuRate = async ({ service, request }) => {
  const before = await service.cpuMs();
  await throughput(request, LOAD);
  return (LOAD.count * 1000) / ((await service.cpuMs()) - before);
};

const report = (unit, measure, bar, others = []) =>
  compare(
    `mock, ${WIDTH} at a time: ${unit}, ratio to raw node:http`,
    [
      { name: 'node:http + JSON.stringify', measure: () => measure(raw) },
      { name: 'petstore/mock', measure: () => measure(mock), bar },
      ...others.map((other) => ({ name: other.name, measure: () => measure(other) })),
    ],
    { rounds: ROUNDS, better: 'more' },
  );
await report('requests/s', rate, 0.8, running);
await report('requests per CPU second', cpuRate);

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
    child.kill('SIGKILL');
  }
}

await compare(
  'mock: ms from spawn to the first response, ratio to a bare node:http server',
  [
    { name: 'node:http', measure: () => readyMs(['-e', BARE_SERVER]) },
    {
      name: 'petstore mock',
      measure: () => readyMs(['bin/petstore.cjs', 'mock', '--port', '0']),
      bar: 2,
    },
    ...peers.map(({ name, start }) => ({
      name,
      async measure() {
        const { readyMs, stop } = await start();
        stop();
        return readyMs;
      },
    })),
  ],
  { rounds: ROUNDS, better: 'less' },
);
remove?.();
