// The servers of the benchmarks, each in its own process: `node bench/server.mjs raw|http|https|tunnel|mock`.
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { AUTHORITY_FILE, PETS } from './measure.mjs';

const KINDS = { raw: serveRaw, http: serveHttp, https: serveHttps, tunnel: serveTunnel, mock: serveMock };

process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send({ cpuMs: (user + system) / 1000 });
});
// The benchmark that started this server has ended.
process.on('disconnect', () => process.exit());
process.send({ port: await KINDS[process.argv[2]]() });

/** Sends constant bytes over a bare socket, so that the client dominates the measurement. */
function serveRaw() {
  const body = JSON.stringify(PETS);
  const answer = Buffer.from(
    ['HTTP/1.1 200 OK', ...rateHeaders().map((pair) => pair.join(': ')), 'content-type: application/json']
      .concat(`content-length: ${Buffer.byteLength(body)}`, '', body)
      .join('\r\n'),
  );
  const server = net.createServer((socket) => {
    let open = '';
    socket.setNoDelay(true);
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      open += chunk.toString('latin1');
      const requests = open.split('\r\n\r\n');
      open = requests.pop();
      for (let sent = 0; sent < requests.length; sent += 1) socket.write(answer);
    });
  });
  return listening(server);
}

/** The shortest service: node:http with JSON.stringify for every request. */
function serveHttp() {
  return listening(http.createServer(listener()));
}

/** The same over TLS, with a certificate that is its own authority. */
function serveHttps() {
  const pem = readFileSync(AUTHORITY_FILE);
  return listening(https.createServer({ key: pem, cert: pem }, listener()));
}

/** An HTTP proxy that opens tunnels (CONNECT). */
function serveTunnel() {
  const proxy = http.createServer();
  proxy.on('connect', ({ url }, client) => {
    const { hostname, port } = new URL(`http://${url}`);
    const service = net.connect(Number(port), hostname, () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      client.pipe(service).pipe(client);
    });
    service.on('error', () => client.destroy());
    client.on('error', () => service.destroy());
  });
  return listening(proxy);
}

function listener() {
  const headers = Object.fromEntries(rateHeaders());
  return (request, response) => {
    const body = JSON.stringify(PETS);
    response.writeHead(200, {
      ...headers,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    });
    response.end(body);
  };
}

async function serveMock() {
  const { createMock } = await import('petstore/mock');
  const mock = createMock({ pets: PETS, keys: ['bench'], plan: 'unlimited' });
  const { baseUrl } = await mock.listen({ port: 0 });
  return Number(new URL(baseUrl).port);
}

function rateHeaders() {
  const resetAt = Math.floor(Date.now() / 1000) + 86_400;
  return [
    ['X-RateLimit-Limit', '1000000000'],
    ['X-RateLimit-Remaining', '999999999'],
    ['X-RateLimit-Reset', String(resetAt)],
  ];
}

function listening(server) {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(server.address().port));
  });
}
