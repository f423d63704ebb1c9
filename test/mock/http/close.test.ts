import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { createMock } from '../../../src/mock/index.js';
import { frozenClock } from '../send-request.js';
import { AUTHORIZATION, getText } from './serve-mock.js';

describe('close', () => {
  test('closes an idle keep-alive connection at once', async () => {
    const { port, close } = await createMock().listen();
    const socket = connect(port, '127.0.0.1');
    socket.write(getText('/v1/pets'));
    await once(socket, 'data');
    const ended = once(socket, 'close');
    socket.resume();
    // The deadline is longer than the time limit of a test.
    await close({ deadlineMs: 600_000 });
    await ended;
  });

  test('finishes a request in flight with Connection: close', async () => {
    const mock = createMock({ clock: frozenClock, latencyMs: 3_600_000 });
    const { baseUrl, close } = await mock.listen();
    const agent = new Agent({ keepAlive: true });
    const sent = request(`${baseUrl}/pets`, { agent, headers: { authorization: AUTHORIZATION } }).end();
    while (mock.journal.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const closed = close({ deadlineMs: 600_000 });
    mock.advance('1h');
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    expect([response.statusCode, response.headers.connection]).toEqual([200, 'close']);
    response.resume();
    await closed;
    agent.destroy();
  });

  test('closes after the deadline, and leaves no timer', async () => {
    const [set, cleared] = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'clearTimeout')];
    const mock = createMock({ clock: frozenClock, latencyMs: 3_600_000 });
    const { port, close } = await mock.listen();
    const socket = connect(port, '127.0.0.1');
    socket.write(getText('/v1/pets'));
    while (mock.journal.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const ended = once(socket.resume(), 'close');
    await close({ deadlineMs: 10 });
    await ended;
    const hourTimer = set.mock.calls.findIndex(([, delayMs]) => delayMs === 3_600_000);
    const timer: unknown = set.mock.results[hourTimer]?.value;
    expect(timer).toBeDefined();
    while (!cleared.mock.calls.some(([handle]) => handle === timer)) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    vi.restoreAllMocks();
    // The client of the delayed response has disconnected: no error may follow.
    mock.advance('1h');
  });

  test('rejects new connections, and can be called twice', async () => {
    const { baseUrl, close } = await createMock().listen();
    await Promise.all([close(), close()]);
    await expect(fetch(`${baseUrl}/pets`)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
  });
});
