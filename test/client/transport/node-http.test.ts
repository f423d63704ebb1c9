import { readFileSync } from 'node:fs';
import type { Agent } from 'node:http';
import { createServer } from 'node:https';
import { describe, expect, onTestFinished, test } from 'vitest';
import { nodeHttpTransport } from '../../../src/client/transport/node-http.js';
import { TransportFailure, WithdrawnRequest } from '../../../src/client/transport/transport.js';
import { rejection } from '../../support/stores.js';
import { until } from '../../support/virtual-clock.js';
import { listening } from '../../support/loopback-port.js';
import { json, startScriptedServer } from '../../support/scripted-server.js';
import { describeTransport } from '../../support/transport-contract.js';

describe('nodeHttpTransport', () => {
  describeTransport(() => nodeHttpTransport());
});

const pem = (name: string): string =>
  readFileSync(new URL(`../../domain/certificates/${name}.pem`, import.meta.url), 'utf8');

test.each([
  ['unknown authority by default', undefined, 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
  ['known authority, wrong host name', [pem('root')], 'ERR_TLS_CERT_ALTNAME_INVALID'],
])('does not trust a server: %s', async (_, caCertificates, code) => {
  const port = await listening(createServer({ key: pem('shop'), cert: pem('shop') }));
  const transport = nodeHttpTransport(caCertificates);
  onTestFinished(() => transport.close());
  const origin = `https://127.0.0.1:${String(port)}`;
  const { response } = transport.send({
    method: 'GET',
    origin,
    path: '/',
    headers: {},
    bodyMaxBytes: 1,
  });
  await expect(response).rejects.toMatchObject({ code });
});

test('closes a connection that is idle for 4 s, but not one that waits for its response', async () => {
  let respond: (() => void) | undefined;
  const server = await startScriptedServer((socket, request) => {
    respond = () => void json({})(socket, request);
  });
  let agent: Agent | undefined;
  const transport = nodeHttpTransport(undefined, (module, options) => (agent = new module.Agent(options)));
  onTestFinished(() => transport.close());
  const { origin } = server;
  const { response } = transport.send({ method: 'GET', origin, path: '/', headers: {}, bodyMaxBytes: 9 });
  await until(() => respond !== undefined);
  const [socket] = Object.values(agent?.sockets ?? {}).flat();
  socket?.emit('timeout');
  respond?.();
  expect((await response).status).toBe(200);
  await until(() => Object.values(agent?.freeSockets ?? {}).flat().length === 1);
  expect(socket?.timeout).toBe(4_000);
  expect(server.closed).toBe(0);
  socket?.emit('timeout');
  await until(() => server.closed === 1);
});

test('sends a request on a new connection if the process was suspended while the others were idle', async () => {
  const server = await startScriptedServer(json({}));
  let now = 0;
  const transport = nodeHttpTransport(undefined, undefined, () => now);
  onTestFinished(() => transport.close());
  const { origin } = server;
  const send = async (count: number): Promise<void> => {
    const request = { method: 'GET', origin, path: '/', headers: {}, bodyMaxBytes: 9 };
    await Promise.all(Array.from({ length: count }, () => transport.send(request).response));
    // The agent frees a connection after the end of its response.
    await new Promise(setImmediate);
  };
  await send(3);
  now = 3_999;
  await send(1);
  expect(server.connections).toBe(3);
  now = 7_998;
  await send(1);
  expect(server.connections).toBe(3);
  now = 11_998;
  await send(1);
  expect(server.connections).toBe(4);
});

describe('confirm', () => {
  const request = { method: 'POST', path: '/', headers: {}, body: '{}', bodyMaxBytes: 9 };

  test.each([
    [true, 1],
    [false, 0],
  ])('decides on an open connection whether the request is sent: %s', async (isConfirmed, sentCount) => {
    const server = await startScriptedServer(json({}));
    const transport = nodeHttpTransport();
    onTestFinished(() => transport.close());
    let decide: ((isConfirmed: boolean) => void) | undefined;
    const confirm = (): Promise<boolean> => new Promise((resolve) => (decide = resolve));
    const exchange = transport.send({ ...request, origin: server.origin, confirm });
    await until(() => decide !== undefined && server.connections === 1);
    expect(exchange.sent).toBe(false);
    decide?.(isConfirmed);
    if (isConfirmed) expect((await exchange.response).status).toBe(200);
    else expect(await rejection(exchange.response)).toBeInstanceOf(WithdrawnRequest);
    expect(exchange.sent).toBe(isConfirmed);
    if (!isConfirmed) await until(() => server.closed === 1);
    expect(server.requests.map(({ body }) => body)).toEqual(Array(sentCount).fill('{}'));
  });

  test('sends nothing after the request was cancelled', async () => {
    const server = await startScriptedServer(json({}));
    const transport = nodeHttpTransport();
    onTestFinished(() => transport.close());
    const confirm = (): Promise<boolean> => {
      exchange.abort();
      return Promise.resolve(true);
    };
    const exchange = transport.send({ ...request, origin: server.origin, confirm });
    expect(await rejection(exchange.response)).toBeInstanceOf(TransportFailure);
    await until(() => server.closed === 1);
    expect(exchange.sent).toBe(false);
    expect(server.requests).toEqual([]);
  });
});
