import { createServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer as createTcpServer } from 'node:net';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { nodeHttpTransport, type Transport } from '../../../src/client/index.js';
import { createTunnelAgent } from '../../../src/cli/system/tunnel-agent.js';
import { type Connection, observeConnections } from '../../../src/cli/system/connection.js';
import { AUTHORITY, pemOf } from '../../domain/loopback-servers.js';
import { startProxy } from '../../support/scripted-server.js';
import { listening } from '../../support/loopback-port.js';

const seen: Connection[] = [];
const onConnect = (connection: Connection): void => void seen.push(connection);
beforeEach(() => {
  seen.length = 0;
});

async function serveTls(name: string, requests: string[] = []): Promise<number> {
  const server = createHttpsServer({ key: pemOf(name), cert: pemOf(name) }, (request, response) => {
    requests.push(String(request.url));
    response.end('[]');
  });
  return listening(server);
}

function send(transport: Transport, origin: string): Promise<unknown> {
  onTestFinished(() => transport.close());
  return transport.send({ method: 'GET', origin, path: '/', headers: {}, bodyMaxBytes: 100 }).response;
}

observeConnections(onConnect);

describe('node:http', () => {
  test('reports the address of a plain connection', async () => {
    const port = await listening(createServer((_, response) => response.end('[]')));
    await send(nodeHttpTransport(), `http://127.0.0.1:${String(port)}`);
    expect(seen).toEqual([{ address: '127.0.0.1' }]);
  });

  test('reports the certificate of a TLS connection', async () => {
    const port = await serveTls('shop');
    const transport = nodeHttpTransport([AUTHORITY]);
    // The certificate is for another name.
    await expect(send(transport, `https://127.0.0.1:${String(port)}`)).rejects.toMatchObject({
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    });
    expect(seen).toMatchObject([
      { address: '127.0.0.1', tls: { protocol: 'TLSv1.3', issuer: 'Petstore test intermediate' } },
    ]);
  });

  test('reports a certificate that is not trusted, and the request is not sent', async () => {
    const requests: string[] = [];
    const port = await serveTls('self-signed', requests);
    await expect(send(nodeHttpTransport(), `https://127.0.0.1:${String(port)}`)).rejects.toMatchObject({
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    });
    expect(seen).toMatchObject([{ tls: { issuer: 'shop.example.test', validTo: Date.UTC(2126, 0, 1) } }]);
    expect(requests).toEqual([]);
  });
});

describe('behind a proxy', () => {
  const through = (proxy: string, ca: string[]): Transport =>
    nodeHttpTransport(ca, (module, options) => createTunnelAgent(module, new URL(proxy), options));

  test('reports the certificate of the service, and not the connection to the proxy', async () => {
    const proxy = await startProxy(await serveTls('shop'));
    await send(through(proxy.origin, [AUTHORITY]), 'https://shop.example.test');
    expect(seen).toMatchObject([{ tls: { protocol: 'TLSv1.3', issuer: 'Petstore test intermediate' } }]);
  });

  test('reports a certificate that is not trusted', async () => {
    const proxy = await startProxy(await serveTls('self-signed'));
    await expect(send(through(proxy.origin, [AUTHORITY]), 'https://shop.example.test')).rejects.toMatchObject(
      {
        code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
      },
    );
    expect(seen).toMatchObject([{ tls: { issuer: 'shop.example.test' } }]);
  });

  test('reports nothing without a tunnel', async () => {
    const refusing = createTcpServer((client) => client.end('HTTP/1.1 403 No\r\n\r\n'));
    const proxy = `http://127.0.0.1:${String(await listening(refusing))}`;
    await expect(send(through(proxy, []), 'https://shop.example.test')).rejects.toThrow('(403)');
    expect(seen).toEqual([]);
  });
});
