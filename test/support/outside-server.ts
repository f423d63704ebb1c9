import { Worker } from 'node:worker_threads';
import { onTestFinished } from 'vitest';

/** Servers on loopback that respond while this thread is busy. Each posts its port. */
const SERVERS = {
  http: `
    const server = require('node:http').createServer((request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('[]');
    });
    server.listen(0, '127.0.0.1', () => post(server.address().port));`,
  // Responds to each query with the query itself, marked as a response.
  udp: `
    const socket = require('node:dgram').createSocket('udp4');
    socket.on('message', (query, { port, address }) => {
      query[2] |= 0x80;
      socket.send(query, port, address);
    });
    socket.bind(0, '127.0.0.1', () => post(socket.address().port));`,
  tcp: `
    const server = require('node:net').createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (data) => {
        data[4] |= 0x80;
        socket.write(data);
      });
    });
    server.listen(0, '127.0.0.1', () => post(server.address().port));`,
  // Keeps one text, as the script of the gate does.
  redis: `
    let version = '';
    let text = '';
    const strings = (...values) => '*5\\r\\n' + values.map((value) => '$' + value.length + '\\r\\n' + value + '\\r\\n').join('');
    const server = require('node:net').createServer((socket) => {
      socket.on('error', () => undefined);
      socket.setEncoding('latin1').on('data', (data) => {
        const [name, , , , expected, next, value] = data.split('\\r\\n').filter((_, index) => index > 0 && index % 2 === 0);
        if (!name.startsWith('EVAL')) return socket.write('+OK\\r\\n');
        const swapped = expected === version && next !== undefined;
        if (swapped) [version, text] = [next, value];
        const now = process.hrtime.bigint() / 1000n;
        socket.write(strings(swapped ? '1' : '0', String(now / 1000000n), String(now % 1000000n), version, text));
      });
    });
    server.listen(0, '127.0.0.1', () => post(server.address().port));`,
  // Sends one request to the address that it receives.
  sender: `
    require('node:worker_threads').parentPort.once('message', (url) => require('node:http').get(url));
    post(0);`,
};

/** Starts a server in a thread of its own. Returns its port and the thread. */
export async function startOutside(name: keyof typeof SERVERS): Promise<{ port: number; worker: Worker }> {
  const post = "const post = (port) => require('node:worker_threads').parentPort.postMessage(port);";
  const worker = new Worker(post + SERVERS[name], { eval: true });
  onTestFinished(async () => void (await worker.terminate()));
  const port = await new Promise<number>((resolve, reject) => {
    worker.once('message', resolve).once('error', reject);
  });
  return { port, worker };
}

/** Blocks the event loop of this thread. */
export function keepBusy(forMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, forMs);
}
