import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createMock } from '../../../src/mock/index.js';
import { frozenClock } from '../send-request.js';
import { AUTHORIZATION, serveMock } from './serve-mock.js';

test('returns its URLs and port', async () => {
  const mock = createMock();
  const server = await serveMock(mock);
  expect(server.port).toBeGreaterThan(0);
  expect(server.url).toBe(`http://127.0.0.1:${String(server.port)}`);
  expect(server.baseUrl).toBe(`${server.url}/v1`);
  const response = await fetch(`${server.baseUrl}/pets`, { headers: { authorization: AUTHORIZATION } });
  expect([response.status, response.headers.get('x-mock-instance')]).toEqual([200, mock.instance]);
});

test('keeps idle connections longer than clients do', async () => {
  const { port } = await serveMock(createMock());
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const [response] = (await once(request({ port, agent, path: '/v1/pets' }).end(), 'response')) as [
    IncomingMessage,
  ];
  response.resume();
  expect(response.headers['keep-alive']).toBe('timeout=60');
});

test('onResponse reports each request with its duration by the clock of the mock', async () => {
  const mock = createMock({
    clock: frozenClock,
    latencyMs: 60_000,
    faults: [{ action: 'reset', route: 'POST /pets' }],
  });
  const seen: unknown[] = [];
  const { baseUrl } = await serveMock(mock, {
    onResponse: ({ method, status }, durationMs) => seen.push([method, status, durationMs]),
  });
  const response = fetch(`${baseUrl}/pets`, { headers: { authorization: AUTHORIZATION } });
  await vi.waitFor(() => {
    expect(mock.journal).toHaveLength(1);
  });
  mock.advance('60s');
  await (await response).text();
  const lost = fetch(`${baseUrl}/pets`, { method: 'POST' }).catch(() => undefined);
  await vi.waitFor(() => {
    expect(mock.journal).toHaveLength(2);
  });
  mock.advance('61s');
  await lost;
  await vi.waitFor(() => {
    expect(seen).toEqual([
      ['GET', 200, 60_000],
      ['POST', undefined, 61_000],
    ]);
  });
});

test('returns a URL that clients can connect to', async () => {
  expect((await serveMock(createMock(), { host: '0.0.0.0' })).url).toMatch(/^http:\/\/127\.0\.0\.1:/);
  expect((await serveMock(createMock(), { host: 'localhost' })).url).toMatch(/^http:\/\/localhost:/);
});

test('rejects with EADDRINUSE if the port is in use', async () => {
  const { port } = await serveMock(createMock());
  await expect(createMock().listen({ port })).rejects.toMatchObject({ code: 'EADDRINUSE', port });
});

test('leaves nothing open if the port is in use', async () => {
  const { port } = await serveMock(createMock());
  const listening = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length;
  const before = listening();
  await expect(createMock().listen({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  while (listening() > before) await new Promise((resolve) => setImmediate(resolve));
});
