import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { createMock } from '../../../src/mock/index.js';
import { frozenClock } from '../send-request.js';
import { AUTHORIZATION, getText, sendText, serveMock } from './serve-mock.js';

describe('faults', () => {
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
