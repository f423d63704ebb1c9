import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect, createServer as createTcpServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { systemClock } from '../../src/time/clock.js';
import type { ProbeOptions } from '../../src/domain/request/options.js';
import type { ProbeRequest, Site } from '../../src/domain/probe/probe-request.js';
import type { ProbeLimits } from '../../src/domain/probe/probe-failure.js';
import { nodeTls } from '../../src/domain/probe/probe-tls.js';
import { stopSignalOf } from '../../src/domain/dns/concurrency/stop-signal.js';
import { listening } from '../support/loopback-port.js';

export const SHOP = 'shop.example.test';
export const TARGET = 'cname.platform.test';
/** A time at which all certificates are valid, except for those with other names. */
export const NOW = Date.UTC(2026, 10, 21, 12);
export const MINUTE_MS = 60_000;

/** A certificate with its key, as `test/domain/certificates/make.sh` makes it. */
export function pemOf(name: string): string {
  return readFileSync(new URL(`certificates/${name}.pem`, import.meta.url), 'utf8');
}

/** The CA that signed them. */
export const AUTHORITY = pemOf('root');

/** Starts a TLS server that is closed after the test. Returns its port. */
export async function serveTls(name: string, onData: () => void = () => undefined): Promise<number> {
  const pem = pemOf(name);
  const server = createTlsServer({ key: pem, cert: pem }, (socket) => socket.on('data', onData));
  return listening(server);
}

/** Starts a TCP server. */
export async function serveTcp(onConnection: (socket: Socket) => void): Promise<number> {
  return listening(createTcpServer(onConnection));
}

/** Starts a server that closes its first connection, and passes the others on to a port. */
export async function serveAfterReset(port: number): Promise<number> {
  let count = 0;
  return serveTcp((socket) => {
    count += 1;
    if (count === 1) {
      socket.resetAndDestroy();
      return;
    }
    const upstream = connect({ host: '127.0.0.1', port });
    for (const one of [socket, upstream]) one.on('error', () => undefined);
    socket.pipe(upstream).pipe(socket);
  });
}

export async function serveHttp(listener: RequestListener): Promise<number> {
  return listening(createHttpServer(listener));
}

/** Starts an HTTPS server with a certificate for each SNI name. */
export async function serveHttps(
  listener: RequestListener,
  names: Readonly<Record<string, string>> = {},
): Promise<number> {
  const pem = pemOf('shop');
  const server = createHttpsServer(
    {
      key: pem,
      cert: pem,
      SNICallback(host, done) {
        const own = pemOf(names[host] ?? 'shop');
        done(null, nodeTls().createSecureContext({ key: own, cert: own }));
      },
    },
    listener,
  );
  return listening(server);
}

/** A request for the probes. Connects to this machine, and trusts the tests' CA. */
export function probeRequest(probe: ProbeOptions, parts: Partial<ProbeRequest> = {}): ProbeRequest {
  return {
    target: TARGET,
    addressesOf: () => Promise.resolve({ outcome: 'unknown', addresses: [] }),
    probe: { connect: '127.0.0.1', ca: AUTHORITY, ...probe },
    now: new Date(NOW),
    signal: undefined,
    ...parts,
  };
}

/** The shop, with addresses that count only without `connect`. */
export function shopAt(...addresses: readonly string[]): Site {
  return { domain: SHOP, addresses };
}

export function probeLimits(parts: Partial<ProbeLimits> = {}, signal?: AbortSignal): ProbeLimits {
  return {
    timeoutMs: 15_000,
    clock: systemClock,
    route: () => undefined,
    stop: stopSignalOf(signal),
    ...parts,
  };
}
