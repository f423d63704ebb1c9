import { writeFileSync } from 'node:fs';
import { createServer, request, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDaemons, type Daemons } from '../integration/daemons.js';
import { freePort } from '../integration/endpoint.js';
import { findProgram } from '../integration/programs.js';
import { createLimiter, type LimiterKind } from '../support/limiters/limiter.js';
import { ZOO } from '../support/limiters/zoo.js';
import { listening } from '../support/loopback-port.js';
import { seededRandom } from '../support/random-runs.js';

const QUOTA = { limit: 5, windowMs: 2_000 };
const SECONDS = String(QUOTA.windowMs / 1_000);
/** How late a request may arrive. After a later one, all bursts are sent again with another key. */
const LATE_MAX_MS = 150;
const RUNS_MAX = 5;

interface Ports {
  port: number;
  /** Of the service behind the limiter. */
  service: number;
}

/** A server of Debian with a limit for each value of the header `x-key`. */
interface Server {
  program: string;
  file: string;
  config: (ports: Ports) => string;
  args: (file: string, port: number) => string[];
  /** Whether it delays the requests of a burst. Default: no. */
  hasQueue?: boolean;
}

const nginx = (zone: string, location = ''): Server => ({
  program: 'nginx',
  file: 'nginx.conf',
  config: ({ port, service }) => `
    daemon off; worker_processes 1; pid nginx.pid; error_log stderr crit;
    events { worker_connections 64; }
    http {
      access_log off; client_body_temp_path body; proxy_temp_path proxy;
      fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi; scgi_temp_path scgi;
      limit_req_zone $http_x_key zone=keys:1m rate=${String((QUOTA.limit * 60_000) / QUOTA.windowMs)}r/m;
      server {
        listen 127.0.0.1:${String(port)};
        location / {
          limit_req zone=keys burst=${String(QUOTA.limit - 1)}${zone}; limit_req_status 429;
          proxy_pass http://127.0.0.1:${String(service)};
        }
        ${location}
      }
    }`,
  args: (file) => ['-p', '.', '-e', 'stderr', '-c', file],
});

const haproxy = (rule: string): Server => ({
  program: 'haproxy',
  file: 'haproxy.cfg',
  config: ({ port, service }) => `
defaults
  mode http
  timeout client 5s
  timeout server 5s
  timeout connect 5s
frontend limited
  bind 127.0.0.1:${String(port)}
  stick-table type string len 32 size 1k expire 1m store http_req_rate(${SECONDS}s)
  http-request track-sc0 req.hdr(x-key)
  http-request ${rule} if { sc_http_req_rate(0) gt ${String(QUOTA.limit)} }
  default_backend service
backend service
  server one 127.0.0.1:${String(service)}
`,
  args: (file) => ['-db', '-q', '-f', file],
});

const varnish: Server = {
  program: 'varnishd',
  file: 'limited.vcl',
  config: ({ service }) => `vcl 4.1;
import vsthrottle;
backend service { .host = "127.0.0.1"; .port = "${String(service)}"; }
sub vcl_recv {
  if (vsthrottle.is_denied(req.http.x-key, ${String(QUOTA.limit)}, ${SECONDS}s)) { return (synth(429)); }
  return (pass);
}`,
  args: (file, port) => [
    ...['-F', '-j', 'none', '-n', join(file, '..', 'work'), '-f', file, '-a', `127.0.0.1:${String(port)}`],
    ...['-p', `vmod_path=${join(findProgram('varnishd')?.libraryFolders[0] ?? '/usr/lib', 'varnish/vmods')}`],
  ],
};

const SERVERS: Readonly<Record<string, Server>> = {
  'nginx limit_req': nginx(' nodelay'),
  'nginx limit_req, Retry-After': nginx(
    ' nodelay; error_page 429 @limited',
    `location @limited { add_header Retry-After ${SECONDS} always; return 429; }`,
  ),
  'nginx limit_req, queue': { ...nginx(''), hasQueue: true },
  'HAProxy deny': haproxy('deny deny_status 429'),
  'HAProxy return': haproxy(
    `return status 429 content-type text/html string "no" hdr Retry-After ${SECONDS}`,
  ),
  'Varnish vsthrottle': varnish,
};

/** Requests that are sent at once. */
interface Burst {
  atMs: number;
  count: number;
}

/** What a client sees of a response. */
interface Seen {
  status: number;
  headers: Record<string, string | undefined>;
}

/** Chooses bursts whose responses do not depend on how late the requests arrive. */
function createBursts(kind: LimiterKind): readonly Burst[] {
  const random = seededRandom(11);
  let bursts: Burst[] = [{ atMs: 0, count: 7 }];
  for (let tries = 0; tries < 200 && bursts.length < 6; tries += 1) {
    const atMs = (bursts.at(-1)?.atMs ?? 0) + 300 + Math.round(1_500 * random());
    const longer = [...bursts, { atMs, count: 1 + Math.floor(7 * random()) }];
    const expected = JSON.stringify(simulate(kind, longer, () => 0));
    const extremes = longer.flatMap((_, late) =>
      [true, false].map((isLate) =>
        simulate(kind, longer, (burst) => ((burst === late) === isLate ? LATE_MAX_MS : 0)),
      ),
    );
    const mixed = Array.from({ length: 60 }, () => {
      // The requests of a burst are late together, such as the first ones of a server.
      const lateMs = longer.map(() => LATE_MAX_MS * random());
      const spreads = longer.map(() => random());
      return simulate(kind, longer, (burst) => lateMs[burst]! * (1 - spreads[burst]! * random()));
    });
    const runs = [...extremes, ...mixed];
    if (runs.every((run) => JSON.stringify(run) === expected)) bursts = longer;
  }
  return bursts;
}

/** @param lateMs how late a request of a burst is, by the index of the burst. */
function simulate(kind: LimiterKind, bursts: readonly Burst[], lateMs: (burst: number) => number): Seen[][] {
  const limiter = createLimiter(kind, QUOTA);
  const startAt = 1_795_883_879_634;
  return bursts.map(({ atMs, count }, burst) => {
    const times = Array.from({ length: count }, () => Math.round(startAt + atMs + lateMs(burst)));
    return inOrder(times.sort((one, other) => one - other).map((at) => shown(limiter.handle(at))));
  });
}

/** The status, and the headers of a rejection. Those of a served request come from the service. */
function shown({ status, headers }: { status: number; headers: IncomingHttpHeaders }): Seen {
  if (status === 200) return { status, headers: {} };
  const { 'retry-after': retryAfter, 'cache-control': cacheControl, 'content-type': type, date } = headers;
  const isDated = String(date !== undefined);
  return { status, headers: { retryAfter, cacheControl, type: type?.toLowerCase(), isDated } };
}

function inOrder(seen: Seen[]): Seen[] {
  return seen.sort((one, other) => one.status - other.status);
}

/** Sends the bursts. Resolves with `undefined` if this machine was too busy for their times. */
async function send(
  port: number,
  key: string,
  bursts: readonly Burst[],
  { hasQueue = false }: Server,
): Promise<Seen[][] | undefined> {
  const startAt = performance.now();
  let isLate = false;
  const sendOne = (atMs: number): Promise<Seen> =>
    new Promise((resolve, reject) => {
      const outgoing = request({ port, host: '127.0.0.1', agent: false, headers: { 'x-key': key } });
      outgoing.once('response', (response) => {
        // A queue delays the response, and the request arrived long before.
        const isDelayed = hasQueue && response.statusCode === 200;
        isLate ||= !isDelayed && performance.now() - startAt - atMs > LATE_MAX_MS;
        response.resume().once('end', () => {
          resolve(shown({ status: response.statusCode ?? 0, headers: response.headers }));
        });
      });
      outgoing.once('error', reject).end(() => {
        isLate ||= performance.now() - startAt - atMs > LATE_MAX_MS;
      });
    });
  const results = bursts.map(async ({ atMs, count }) => {
    await new Promise((resolve) => setTimeout(resolve, atMs));
    return inOrder(await Promise.all(Array.from({ length: count }, () => sendOne(atMs))));
  });
  const seen = await Promise.all(results);
  return isLate ? undefined : seen;
}

async function untilOpen(port: number): Promise<void> {
  for (let polls = 0; polls < 400; polls += 1) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (isOpen) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('The server does not listen');
}

function whyNot({ program }: Server): string {
  // Varnish compiles its configuration with the gcc of the machine.
  const missing = (program === 'varnishd' ? [program, 'gcc'] : [program]).filter((each) => {
    const found = findProgram(each);
    return found === undefined || (each === 'gcc' && found.libraryFolders.length > 0);
  });
  return missing.length === 0 ? '' : `(not installed: ${missing.join(', ')})`;
}

describe.concurrent(
  'the stand-in sends what the server sends (not installed: skipped; .ci/run fetches them)',
  () => {
    let daemons: Daemons;
    beforeAll(() => {
      daemons = createDaemons();
    });
    afterAll(() => daemons.close());

    for (const [name, server] of Object.entries(SERVERS)) {
      const kind = ZOO.find((each) => each.name === name)!;
      // Not within the test: it would make the requests of the others late.
      const bursts = whyNot(server) === '' ? createBursts(kind) : [];
      test.skipIf(whyNot(server) !== '')(
        `${name} ${whyNot(server)}`,
        { timeout: 120_000 },
        async ({ onTestFinished, skip }) => {
          const service = await listening(
            createServer((_, response) => response.end('[]')),
            onTestFinished,
          );
          const port = await freePort(['127.0.0.1']);
          const folder = daemons.folder(`${name.replace(/\W/g, '-')}-${String(port)}`);
          const file = join(folder, server.file);
          writeFileSync(file, server.config({ port, service }));
          const daemon = daemons.start(server.program, folder, server.args(file, port));
          await Promise.race([untilOpen(port), daemon.ended]);
          // The first request of a server is slow.
          await Promise.race([send(port, 'first', [{ atMs: 0, count: 1 }], server), daemon.ended]);
          expect(bursts.length).toBeGreaterThan(3);
          let seen: Seen[][] | undefined;
          for (let runs = 0; seen === undefined && runs < RUNS_MAX; runs += 1)
            seen = await Promise.race([send(port, `key-${String(runs)}`, bursts, server), daemon.ended]);
          skip(seen === undefined, 'this machine is too busy');
          expect(seen).toEqual(simulate(kind, bursts, () => 0));
        },
      );
    }
  },
);
