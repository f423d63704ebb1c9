import { expect, test } from 'vitest';
import { requestHttp } from '../../../src/domain/probe/request-http.js';
import { secureContextFor } from '../../../src/domain/probe/probe-tls.js';
import { createVirtualClock, until } from '../../support/virtual-clock.js';
import {
  AUTHORITY,
  probeLimits,
  serveHttp,
  serveHttps,
  serveTcp,
  serveTls,
  SHOP,
  TARGET,
} from '../loopback-servers.js';

const trust = secureContextFor(AUTHORITY);

function ask(url: string, port: number) {
  return requestHttp({ url: new URL(url), address: '127.0.0.1', port, target: TARGET, trust }, probeLimits());
}

test('sends the name in Host, and follows no redirects', async () => {
  const asked: string[] = [];
  const port = await serveHttp((request, response) => {
    asked.push(`${request.method ?? ''} ${request.headers.host ?? ''}${request.url ?? ''}`);
    response.writeHead(307, { location: '/x' }).end();
  });
  expect(await ask(`http://${SHOP}/a?b=1#c`, port)).toEqual({
    response: { kind: 'response', status: 307, location: '/x' },
    headers: expect.objectContaining({ location: '/x' }) as object,
  });
  expect(asked).toEqual([`GET ${SHOP}/a?b=1`]);
});

test('returns the certificate with the response', async () => {
  const port = await serveHttps((_request, response) => response.writeHead(200).end());
  expect(await ask(`https://${SHOP}/`, port)).toMatchObject({
    response: { kind: 'response', status: 200 },
    certificate: { names: [SHOP, '*.example.test'], isForHost: true, distrust: undefined },
  });
});

test('returns the certificate without a response', async () => {
  const clock = createVirtualClock();
  let requests = 0;
  const port = await serveTls('platform', () => (requests += 1));
  const question = { url: new URL(`https://${SHOP}/`), address: '127.0.0.1', port, target: TARGET, trust };
  const asking = requestHttp(question, probeLimits({ clock }));
  await until(() => requests === 1);
  await clock.next();
  expect(await asking).toMatchObject({
    response: { kind: 'unreachable' },
    certificate: { isForHost: false, isForTarget: true },
  });
});

test('skips interim responses', async () => {
  const port = await serveTcp((socket) => {
    socket.once('data', () => {
      socket.write(
        'HTTP/1.1 103 Early Hints\r\nlocation: /no\r\n\r\nHTTP/1.1 301 Moved\r\nlocation: /yes\r\n\r\n',
      );
    });
  });
  expect((await ask(`http://${SHOP}/`, port)).response).toEqual({
    kind: 'response',
    status: 301,
    location: '/yes',
  });
});
