import { copyFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Daemon, Daemons } from './daemons.js';
import { freePort } from './endpoint.js';

/** A Redis of Debian on loopback, which keeps nothing on disk. */
export interface RedisServer {
  readonly port: number;
  readonly url: string;
  /** Sends an inline command, such as `SCRIPT FLUSH`, and resolves with the first line of the answer. */
  command(line: string): Promise<string>;
  /** Ends it as an operator does, all it held lost. */
  stop(): Promise<void>;
  /** Starts it again at the same port. */
  start(): Promise<void>;
  /** Stops its process without ending it: it takes connections and answers nothing. */
  hang(): void;
  wake(): void;
}

/** Serves 127.0.0.1 with a certificate that only whoever trusts the file knows: `certificate.pem` beside this file. */
export const CERTIFICATE = join(import.meta.dirname, 'loopback.pem');

const POLL_MS = 20;
const POLLS_MAX = 500;

/** Starts one, and waits until it answers. */
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
    command: (line) => ask(port, line),
    async stop() {
      const { ended } = daemon;
      // It ends without an answer.
      await ask(port, 'SHUTDOWN NOSAVE').catch(() => undefined);
      await ended.catch(() => undefined);
    },
    async start() {
      daemon = daemons.start('redis-server', folder, server);
      await Promise.race([untilAnswers(port), daemon.ended]);
    },
    hang: () => daemon.signal('SIGSTOP'),
    wake: () => daemon.signal('SIGCONT'),
  };
  await redis.start();
  return redis;
}

/** Starts one that speaks TLS at `port`; commands go to another port without. */
export async function startTlsRedis(daemons: Daemons): Promise<{ url: string }> {
  const port = await freePort(['127.0.0.1']);
  const certificate = join(daemons.folder(`redis-tls-${String(port)}`), 'certificate.pem');
  copyFileSync(CERTIFICATE, certificate);
  const files = ['--tls-cert-file', certificate, '--tls-key-file', certificate];
  await startRedis(daemons, ['--tls-port', String(port), ...files, '--tls-auth-clients', 'no']);
  return { url: `rediss://127.0.0.1:${String(port)}` };
}

async function untilAnswers(port: number): Promise<void> {
  for (let polls = 0; polls < POLLS_MAX; polls += 1) {
    // One that wants a password says so, and is up as well.
    const answer = await ask(port, 'PING').catch(() => '');
    if (/^(\+PONG|-NOAUTH)/.test(answer)) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error('redis-server does not answer');
}

function ask(port: number, line: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(`${line}\r\n`));
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      answer += chunk;
      if (!answer.includes('\r\n')) return;
      socket.destroy();
      resolve(answer.slice(0, answer.indexOf('\r\n')));
    });
    socket.on('error', reject).on('close', () => reject(new Error('closed without an answer')));
  });
}
