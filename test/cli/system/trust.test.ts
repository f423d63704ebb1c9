import { createServer } from 'node:https';
import { createServer as createTcpServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createTunnelAgent } from '../../../src/cli/system/tunnel-agent.js';
import { createTrustingAgent, trustFirst } from '../../../src/cli/system/trust.js';
import { nodeHttpTransport, type Transport } from '../../../src/client/internal.js';
import { AUTHORITY, pemOf } from '../../domain/loopback-servers.js';
import { listening } from '../../support/loopback-port.js';
import { startProxy } from '../../support/scripted-server.js';
import { until } from '../../support/virtual-clock.js';

/** The self-signed certificate of a service at 127.0.0.1 is its own authority. */
const OWN = pemOf('loopback');
/** An authority of no service here. */
const OTHER = pemOf('stranger');

interface Service {
  origin: string;
  port: number;
  /** How many connections were opened, and how many requests arrived. */
  connections: number;
  requests: number;
}

async function startService(certificate = 'loopback'): Promise<Service> {
  const pem = pemOf(certificate);
  const server = createServer({ key: pem, cert: pem }, (_request, response) => {
    service.requests += 1;
    response.end('[]');
  });
  const service: Service = { origin: '', port: 0, connections: 0, requests: 0 };
  server.on('connection', () => (service.connections += 1));
  service.port = await listening(server);
  service.origin = `https://127.0.0.1:${String(service.port)}`;
  return service;
}

/** A transport that trusts one authority, and Node's own ones, for which a test can pass others. */
function trusting(authorities: string, builtIn: (own: string) => string[] = (own) => [own]): Transport {
  const trust = trustFirst(authorities, builtIn);
  const transport = nodeHttpTransport(undefined, (module, options) =>
    createTrustingAgent(module, trust, options),
  );
  onTestFinished(() => transport.close());
  return transport;
}

function get(transport: Transport, origin: string) {
  return transport.send({ method: 'GET', origin, path: '/', headers: {}, bodyMaxBytes: 10 });
}

test('a given authority needs one connection, and none of the built-in authorities', async () => {
  const service = await startService();
  const transport = trusting(OWN, () => {
    throw new Error('parsed');
  });
  for (let count = 0; count < 3; count += 1)
    expect(await get(transport, service.origin).response).toMatchObject({ status: 200 });
  expect(service).toMatchObject({ connections: 1, requests: 3 });
});

test('a service of a built-in authority gets a second connection, and the next service only one', async () => {
  const [first, second] = [await startService(), await startService()];
  const transport = trusting(OTHER, (own) => [OWN, own]);
  expect(await get(transport, first.origin).response).toMatchObject({ status: 200 });
  expect(first).toMatchObject({ connections: 2, requests: 1 });
  expect(await get(transport, second.origin).response).toMatchObject({ status: 200 });
  expect(second).toMatchObject({ connections: 1, requests: 1 });
});

test('requests at the same time all get a second connection', async () => {
  const service = await startService();
  const transport = trusting(OTHER, (own) => [OWN, own]);
  const sent = Array.from({ length: 5 }, () => get(transport, service.origin).response);
  for (const { status } of await Promise.all(sent)) expect(status).toBe(200);
  expect(service.requests).toBe(5);
});

test.each([
  ['an unknown authority', OTHER, 'shop', /^UNABLE_TO|SELF_SIGNED/],
  ['another host name', AUTHORITY, 'shop', /^ERR_TLS_CERT_ALTNAME_INVALID$/],
  ['an expired certificate', AUTHORITY, 'expired-2021', /^CERT_HAS_EXPIRED$/],
])('nothing is sent to a service with %s', async (_, authorities, certificate, code) => {
  const service = await startService(certificate);
  const { response } = get(trusting(authorities), service.origin);
  await expect(response).rejects.toMatchObject({ code: expect.stringMatching(code) as string });
  expect(service.requests).toBe(0);
});

test('a tunnel to a service of a built-in authority is opened again', async () => {
  const service = await startService();
  const proxy = await startProxy(service.port);
  const trust = trustFirst(OTHER, (own) => [OWN, own]);
  const transport = nodeHttpTransport(undefined, (module, options) =>
    createTunnelAgent(module, new URL(proxy.origin), trust, options),
  );
  onTestFinished(() => transport.close());
  expect(await get(transport, service.origin).response).toMatchObject({ status: 200 });
  expect([proxy.requests.length, service.requests]).toEqual([2, 1]);
});

test('a cancelled request closes a connection whose handshake never ends', async () => {
  let [opened, closed] = [0, 0];
  const port = await listening(
    createTcpServer((socket) => {
      opened += 1;
      socket.on('error', () => undefined).on('close', () => (closed += 1));
      socket.resume();
    }),
  );
  const exchange = get(trusting(OWN), `https://127.0.0.1:${String(port)}`);
  await until(() => opened === 1);
  exchange.abort();
  await expect(exchange.response).rejects.toThrow();
  await until(() => closed === 1);
  expect(exchange.sent).toBe(false);
});
