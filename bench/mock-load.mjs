// Load and hostile clients of `petstore mock`: the table in docs/mock.md. Linux only: memory is read from /proc.
// `node bench/mock-load.mjs`; 10,000 connections need `ulimit -n 20000`.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import http from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanEnv, median, ROOT } from './measure.mjs';

const CONNECTIONS = 10_000;
/** Connections that are opened at once: more than the backlog of the server would be rejected. */
const BATCH = 250;
const BODY_BYTES = 2 ** 30;
const PETS = 1_000_000;
const MB = 2 ** 20;

if (process.platform === 'linux') await measure();
else console.log('\nload of the mock (skipped: memory is read from /proc)');

async function measure() {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-bench-'));
  console.log('\nload of petstore mock; memory is the resident set');
  try {
    await withMock([], idleConnections);
    await withMock([], largeBody);
    await withMock(['--pets', String(PETS)], manyPets);
    const file = join(folder, 'pets.json');
    await withMock(['--pets', String(PETS), '--data', file], () => undefined);
    await withMock(['--data', file], ({ readyMs, memoryMb }) => {
      const size = (statSync(file).size / MB).toFixed(0);
      row(`--data FILE with ${PETS} pets, ${size} MB`, `ready in ${readyMs} ms, ${memoryMb('VmHWM')} MB`);
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function idleConnections(mock) {
  const before = mock.memoryMb('VmRSS');
  const sockets = [];
  while (sockets.length < CONNECTIONS) {
    sockets.push(...(await Promise.all(Array.from({ length: BATCH }, () => openSocket(mock.url)))));
  }
  const latencies = [];
  for (let count = 0; count < 100; count += 1) latencies.push(await listMs(mock));
  row(
    `${CONNECTIONS} idle connections`,
    `${before} MB before, ${mock.memoryMb('VmRSS')} MB with them; another client: ${range(latencies)}`,
  );
  for (const socket of sockets) socket.destroy();
}

/** Opens a connection on which nothing is sent. */
function openSocket(url) {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) }, () => resolve(socket));
    socket.once('error', reject);
  });
}

async function largeBody(mock) {
  const startedAt = performance.now();
  const chunk = Buffer.alloc(MB, 'x');
  const headers = { ...mock.headers, 'content-type': 'application/json', 'content-length': BODY_BYTES };
  const status = await new Promise((resolve, reject) => {
    const request = http.request(`${mock.url}/v1/pets`, { method: 'POST', headers, agent: false });
    request.once('error', reject).once('response', (response) => {
      response.resume().once('end', () => resolve(response.statusCode));
    });
    let left = BODY_BYTES;
    const write = () => {
      while (left > 0) {
        left -= chunk.length;
        if (!request.write(chunk)) break;
      }
      if (left > 0) request.once('drain', write);
      else request.end();
    };
    write();
  });
  const elapsedMs = Math.round(performance.now() - startedAt);
  row('a body of 1 GiB', `${status} after ${elapsedMs} ms, at most ${mock.memoryMb('VmHWM')} MB`);
}

async function manyPets(mock) {
  row(`--pets ${PETS}`, `ready in ${mock.readyMs} ms, ${mock.memoryMb('VmRSS')} MB`);
  const lists = [];
  for (let count = 0; count < 50; count += 1) lists.push(await listMs(mock));
  const first = await listMs(mock, '?status=sold');
  const filtered = [];
  for (let count = 0; count < 50; count += 1) filtered.push(await listMs(mock, '?status=sold'));
  const [list, filter] = [lists, filtered].map((latencies) => median(latencies).toFixed(1));
  row(`a list of 20 of ${PETS} pets`, `${list} ms with the connection; with a status filter ${filter} ms`);
  row(`the first filter of ${PETS} pets`, `${first.toFixed(0)} ms, once`);
}

/** Milliseconds of a list on a new connection. */
function listMs({ url, headers }, query = '') {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    http
      .get(`${url}/v1/pets${query}`, { headers, agent: false }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`The mock responded ${response.statusCode}`));
        response.resume().once('end', () => resolve(performance.now() - startedAt));
      })
      .once('error', reject);
  });
}

/** Starts a mock, waits for its address, and stops it after `use`. */
async function withMock(args, use) {
  const startedAt = performance.now();
  const child = spawn(
    process.execPath,
    ['bin/petstore.cjs', 'mock', '-q', '--port', '0', '--plan', 'unlimited', ...args],
    { cwd: ROOT, env: cleanEnv(), stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const exited = new Promise((resolve) => child.once('exit', resolve));
  try {
    const url = await new Promise((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`petstore mock ended with ${code}`)));
      let text = '';
      child.stdout.on('data', (data) => {
        text += data;
        const [, found] = /(http:\/\/[\d.:]+)\/v1\s/.exec(text) ?? [];
        if (found !== undefined) resolve(found);
      });
    });
    const memoryMb = (field) => {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      return Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1_024);
    };
    const readyMs = Math.round(performance.now() - startedAt);
    await use({ url, headers: { authorization: 'Bearer mock-key' }, readyMs, memoryMb });
  } finally {
    child.kill('SIGTERM');
    await exited;
  }
}

function range(numbers) {
  return `${Math.min(...numbers).toFixed(0)} to ${Math.max(...numbers).toFixed(0)} ms`;
}

function row(name, result) {
  console.log(`  ${name.padEnd(44)} ${result}`);
}
