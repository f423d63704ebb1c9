import { copyFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Daemon, Daemons } from './daemons.js';
import { freePort } from './endpoint.js';

/** A Redis server of Debian on loopback, without persistence. */
export interface RedisServer {
  readonly port: number;
  readonly url: string;
  /** Sends an inline command, such as `SCRIPT FLUSH`, and resolves with the first line of the reply. */
  command(line: string): Promise<string>;
  /** Shuts it down. All data is lost. */
  stop(): Promise<void>;
  /** Starts it again at the same port. */
  start(): Promise<void>;
  /** Suspends its process: it accepts connections and does not reply. */
  hang(): void;
  wake(): void;
}

/** A self-signed certificate for 127.0.0.1. */
export const CERTIFICATE = join(import.meta.dirname, 'loopback.pem');

const POLL_MS = 20;
const POLLS_MAX = 500;

/** Starts a server, and waits until it replies. */
export async function startRedis(daemons: Daemons, options: readonly string[] = []): Promise<RedisServer> {
  const port = await freePort(['127.0.0.1']);
  const folder = daemons.folder(`redis-${String(port)}`);
  const server = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--loglevel',
    'warning',
    ...options,
  ];
  let daemon: Daemon;
  const redis: RedisServer = {
    port,
    url: `redis://127.0.0.1:${String(port)}`,
    command: (line) => sendCommand(port, line),
    async stop() {
      const { ended } = daemon;
      // The server exits without a reply.
      await sendCommand(port, 'SHUTDOWN NOSAVE').catch(() => undefined);
      await ended.catch(() => undefined);
    },
    async start() {
      daemon = daemons.start('redis-server', folder, server);
      await Promise.race([untilReady(port), daemon.ended]);
    },
    hang: () => daemon.signal('SIGSTOP'),
    wake: () => daemon.signal('SIGCONT'),
  };
  await redis.start();
  return redis;
}

/** Starts a server with TLS. */
export async function startTlsRedis(daemons: Daemons): Promise<{ url: string }> {
  const port = await freePort(['127.0.0.1']);
  const certificate = join(daemons.folder(`redis-tls-${String(port)}`), 'certificate.pem');
  copyFileSync(CERTIFICATE, certificate);
  const files = ['--tls-cert-file', certificate, '--tls-key-file', certificate];
  await startRedis(daemons, ['--tls-port', String(port), ...files, '--tls-auth-clients', 'no']);
  return { url: `rediss://127.0.0.1:${String(port)}` };
}

async function untilReady(port: number): Promise<void> {
  for (let polls = 0; polls < POLLS_MAX; polls += 1) {
    // NOAUTH: the server requires a password, and is ready.
    const reply = await sendCommand(port, 'PING').catch(() => '');
    if (/^(\+PONG|-NOAUTH)/.test(reply)) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error('redis-server does not reply');
}

function sendCommand(port: number, line: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let reply = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(`${line}\r\n`));
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      reply += chunk;
      if (!reply.includes('\r\n')) return;
      socket.destroy();
      resolve(reply.slice(0, reply.indexOf('\r\n')));
    });
    socket.on('error', reject).on('close', () => reject(new Error('closed without a reply')));
  });
}
