import { connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { onTestFinished } from 'vitest';

/** Listens with a backlog of 1 and then blocks, so that the backlog is never emptied. */
const LISTENER = `
  const { parentPort } = require('node:worker_threads');
  const server = require('node:net').createServer();
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
  });
`;

/** Returns a port where connecting neither succeeds nor fails, as on a host that drops packets: its backlog is full. */
export async function unansweredPort(): Promise<number> {
  const worker = new Worker(LISTENER, { eval: true });
  const port = await new Promise<number>((resolve) => worker.once('message', resolve));
  const sockets: Socket[] = [];
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await worker.terminate();
  });
  // The backlog accepts a few connections. The first one that waits shows that it is full.
  for (let full = false; !full;) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    sockets.push(socket);
    full = await Promise.race([
      new Promise<boolean>((resolve) => socket.once('connect', () => resolve(false))),
      new Promise<boolean>((resolve) => setTimeout(() => resolve(true), 300)),
    ]);
  }
  return port;
}
