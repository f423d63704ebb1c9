import net, { Socket } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { fileGate } from '../../../src/client/gate/file/file-gate.js';
import { nodeHttpTransport } from '../../../src/client/transport/node-http.js';
import type { Transport } from '../../../src/client/transport/transport.js';
import { undiciTransport } from '../../../src/client/transport/undici.js';
import { rateLimitHeaders } from '../../support/rate-limit-headers.js';
import { NEW_PET } from '../../support/rex.js';
import { json, limited, type ScriptedServer, startScriptedServer } from '../../support/scripted-server.js';
import { openStore, rejection, type StoreUnderTest } from '../../support/stores.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { until } from '../../support/virtual-clock.js';

const OK = rateLimitHeaders({ remaining: 50, resetInSeconds: 60 });
const SHORT_WAIT = { retry: { waitMaxMs: 1_000 } };

/** Two clients on one file gate, each with a gate of its own, as two processes have. */
interface TwoClients {
  server: ScriptedServer;
  first: StoreUnderTest;
  /** A client whose first connection is opened by `connectLate`. */
  late: StoreUnderTest;
  /** Resolves when the late client has its permit and opens a connection. */
  connecting: () => Promise<void>;
  connectLate: () => void;
}

/** Creates a transport that has its sockets opened by the test. */
type CreateTransport = (server: ScriptedServer, opened: (() => void)[]) => Transport;

const TRANSPORTS: [name: string, CreateTransport][] = [
  [
    'node:http',
    (server, opened) =>
      nodeHttpTransport(undefined, (module, options) => {
        const createConnection = (_: unknown, done: (error: Error | null, socket: Socket) => void): void => {
          opened.push(() => {
            const socket = net.connect(server.port, '127.0.0.1', () => done(null, socket));
          });
        };
        return Object.assign(new module.Agent(options), { createConnection });
      }),
  ],
  [
    'undici',
    (server, opened) => {
      const connect = (): Socket => {
        const socket = new Socket();
        opened.push(() => socket.connect(server.port, '127.0.0.1'));
        return socket;
      };
      // node:http does not call it.
      const replaced = vi.spyOn(net, 'connect').mockImplementation(connect);
      onTestFinished(() => void replaced.mockRestore());
      return undiciTransport();
    },
  ],
];

/** Starts the clients. The first one knows the window. */
async function startClients(
  createTransport: CreateTransport,
  ...responders: Parameters<typeof startScriptedServer>
): Promise<TwoClients> {
  const server = await startScriptedServer(json([], 200, OK), ...responders);
  const directory = temporaryFolder();
  const first = openStore(server.baseUrl, { gate: fileGate({ directory }) });
  await first.store.pets.list();
  const opened: (() => void)[] = [];
  const transport = createTransport(server, opened);
  return {
    server,
    first,
    late: openStore(server.baseUrl, { gate: fileGate({ directory }), transport }),
    connecting: () => until(() => opened.length > 0),
    connectLate: () => opened.shift()?.(),
  };
}

describe.each(TRANSPORTS)('%s', (_, createTransport) => {
  test.each([
    ['list', ({ store }: StoreUnderTest) => store.pets.list(undefined, SHORT_WAIT)],
    ['create', ({ store }: StoreUnderTest) => store.pets.create(NEW_PET, SHORT_WAIT)],
  ])(
    'the first %s waits if another process received a 429 response before its connection',
    async (__, start) => {
      const { server, first, late, connecting, connectLate } = await startClients(
        createTransport,
        limited({ 'retry-after': '30' }),
      );
      const calling = start(late);
      await connecting();
      const limit = { type: 'rate-limit', limit: 60 };
      expect(await rejection(first.store.pets.list(undefined, SHORT_WAIT))).toMatchObject(limit);
      connectLate();
      // The wait is longer than allowed, so the call ends.
      expect(await rejection(calling)).toMatchObject({ ...limit, outcome: 'not-sent', attempts: [] });
      expect(server.requests.map(({ connection }) => connection)).toEqual([1, 1]);
    },
  );

  test('the first request is sent once if no process received a 429 response', async () => {
    const { server, first, late, connecting, connectLate } = await startClients(
      createTransport,
      json([], 200, OK),
    );
    const listing = late.store.pets.list();
    await connecting();
    await first.store.pets.list();
    connectLate();
    expect(await listing).toEqual([]);
    expect(late.events.filter(({ type }) => type === 'request')).toHaveLength(1);
    expect(server.requests.map(({ connection }) => connection)).toEqual([1, 1, 2]);
    expect(server.connections).toBe(2);
  });

  test('a request that is cancelled during the check is not sent', async () => {
    const server = await startScriptedServer(json([]));
    const opened: (() => void)[] = [];
    const transport = createTransport(server, opened);
    onTestFinished(() => transport.close());
    let confirm: ((isConfirmed: boolean) => void) | undefined;
    const isConfirmed = new Promise<boolean>((resolve) => (confirm = resolve));
    const check = vi.fn(() => isConfirmed);
    const request = { method: 'POST', origin: server.origin, path: '/', headers: {}, bodyMaxBytes: 9 };
    const exchange = transport.send({ ...request, body: '{}', confirm: check });
    exchange.response.catch(() => undefined);
    await until(() => opened.length > 0);
    opened.shift()?.();
    await until(() => check.mock.calls.length > 0);
    exchange.abort();
    confirm?.(true);
    await transport.close();
    expect(exchange.sent).toBe(false);
    expect(server.requests).toHaveLength(0);
  });
});
