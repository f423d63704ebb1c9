import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { createMock } from '../../../src/mock/index.js';
import { frozenClock } from '../send-request.js';
import { AUTHORIZATION, getText, sendText, serveMock } from './serve-mock.js';

describe('faults', () => {
  test.each(['reset', 'lost-write'] as const)(
    '%s closes the connection without a response',
    async (action) => {
      const mock = createMock({ faults: [{ action }] });
      const { baseUrl } = await serveMock(mock);
      const sent = request(`${baseUrl}/pets`, {
        method: 'POST',
        headers: { authorization: AUTHORIZATION, 'content-type': 'application/json' },
      });
      sent.end('{"name":"Rex","categoryId":1}');
      const [error] = (await once(sent, 'error').catch((thrown: unknown) => [thrown])) as [unknown];
      expect(error).toMatchObject({ code: 'ECONNRESET' });
      expect(mock.state().tenants[0]?.pets).toBe(action === 'reset' ? 25 : 26);
    },
  );

  test('truncate closes it after half of the body', async () => {
    const { port } = await serveMock(createMock({ faults: ['truncate'] }));
    const [head = '', body = ''] = (await sendText(port, getText('/v1/pets'))).split('\r\n\r\n');
    const whole = Number(/^content-length: (\d+)/m.exec(head)?.[1]);
    expect(Buffer.byteLength(body)).toBe(Math.floor(whole / 2));
  });

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
    const last = fetch(`${baseUrl}/pets`, { headers: { authorization: AUTHORIZATION } });
    while (mock.journal.length < 3) await new Promise((resolve) => setImmediate(resolve));
    mock.advance('1h');
    expect((await last).status).toBe(200);
  });

  test('latency follows the virtual clock', async () => {
    const mock = createMock({ clock: frozenClock, latencyMs: 3_600_000 });
    const { baseUrl } = await serveMock(mock);
    const response = fetch(`${baseUrl}/pets`, { headers: { authorization: AUTHORIZATION } });
    while (mock.journal.length === 0) await new Promise((resolve) => setImmediate(resolve));
    mock.advance('1h');
    expect((await response).status).toBe(200);
  });
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
