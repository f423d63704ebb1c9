import { once } from 'node:events';
import { connect } from 'node:net';
import { setupServer } from 'msw/node';
import { expect, onTestFinished, test } from 'vitest';
import { createMock } from '../../../src/mock/index.js';
import { handlers } from '../../../src/mock/msw.js';
import { frozenClock } from '../send-request.js';
import { AUTHORIZATION, getText, listPets, sendText, serveMock } from './serve-mock.js';

test('a client may disconnect before its fault', async () => {
  const faults = (['reset', 'truncate'] as const).map((action) => ({ times: 1, action }));
  const mock = createMock({ clock: frozenClock, latencyMs: 3_600_000, faults });
  const { port, baseUrl } = await serveMock(mock);
  for (const seen of [1, 2]) {
    const socket = connect(port, '127.0.0.1');
    socket.write(getText('/v1/pets'));
    while (mock.journal.length < seen) await new Promise((resolve) => setImmediate(resolve));
    socket.destroy();
    await once(socket, 'close');
  }
  const last = listPets(baseUrl);
  while (mock.journal.length < 3) await new Promise((resolve) => setImmediate(resolve));
  mock.advance('1h');
  expect((await last).status).toBe(200);
});

test('sends a repeated header as several lines', async () => {
  const action = { status: 429, retryAfter: [5, 'soon'], headers: { 'X-Name': ['a', 'b'] } };
  const { port } = await serveMock(createMock({ faults: [{ action }] }));
  const received = await sendText(port, getText('/v1/pets', 'Connection: close\r\n'));
  expect(received).toMatch(/^retry-after: 5\r\nretry-after: soon\r$[^]*^x-name: a\r\nx-name: b\r$/m);
});

test.each(['a port', 'fetch', 'msw'])(
  'a slow body over %s takes its time by the clock of the mock',
  async (transport) => {
    const mock = createMock({ clock: frozenClock, faults: ['throttle:bytesPerSecond=10'] });
    mock.clock.freeze();
    const { baseUrl } = transport === 'a port' ? await serveMock(mock) : { baseUrl: 'https://mock.test/v1' };
    if (transport === 'msw') {
      const server = setupServer(...handlers(mock, { baseUrl }));
      server.listen();
      onTestFinished(() => server.close());
    }
    const sender = transport === 'fetch' ? mock.fetch : fetch;
    const response = await sender(`${baseUrl}/pets/1`, { headers: { authorization: AUTHORIZATION } });
    let text: string | undefined;
    void response.text().then((body) => (text = body));
    let passedMs = 0;
    for (; text === undefined; passedMs += 100) {
      await new Promise((resolve) => setImmediate(resolve));
      mock.advance(100);
    }
    expect(JSON.parse(text)).toMatchObject({ id: 1 });
    expect(passedMs).toBeGreaterThanOrEqual(text.length * 100);
    expect(mock.journal[0]?.fault).toBe('10 bytes per second');
  },
);

test('an aborted slow body rejects', async () => {
  const mock = createMock({ clock: frozenClock, faults: ['throttle:bytesPerSecond=10'] });
  mock.clock.freeze();
  const controller = new AbortController();
  const { signal } = controller;
  const response = await mock.fetch('https://mock.test/v1/pets', {
    headers: { authorization: AUTHORIZATION },
    signal,
  });
  const text = response.text();
  controller.abort();
  await expect(text).rejects.toThrow('aborted');
});

test.each([204, 205, 304])('the response %i has no body and no Content-Type', async (status) => {
  const { port } = await serveMock(createMock({ faults: [{ times: 1, action: { status } }] }));
  const received = await sendText(port, getText('/v1/pets') + getText('/v1/pets/1', 'Connection: close\r\n'));
  const [, first = '', second = ''] = received.split('HTTP/1.1 ');
  expect(first).toMatch(new RegExp(`^${String(status)} [^]*\r\n\r\n$`));
  expect(/^content-length: (.*)\r$/m.exec(first)?.[1]).toBe(status === 205 ? '0' : undefined);
  expect(first).not.toMatch(/^(?:content-type|transfer-encoding):/im);
  expect(second).toMatch(/^200 /);
});
