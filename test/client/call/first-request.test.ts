import type { Agent, AgentOptions } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { fileGate } from '../../../src/client/gate/file/file-gate.js';
import { type Http, nodeHttpTransport } from '../../../src/client/transport/node-http.js';
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

/** Starts the clients. The first one knows the window. */
async function startClients(...responders: Parameters<typeof startScriptedServer>): Promise<TwoClients> {
  const server = await startScriptedServer(json([], 200, OK), ...responders);
  const directory = temporaryFolder();
  const first = openStore(server.baseUrl, { gate: fileGate({ directory }) });
  await first.store.pets.list();
  const opened: (() => void)[] = [];
  const createAgent = (module: Http, options: AgentOptions): Agent => {
    const agent = new module.Agent(options);
    const createConnection = (_: unknown, done: (error: Error | null, socket: Socket) => void): void => {
      opened.push(() => {
        const socket = connect(server.port, '127.0.0.1', () => done(null, socket));
      });
    };
    return Object.assign(agent, { createConnection });
  };
  const late = openStore(server.baseUrl, {
    gate: fileGate({ directory }),
    transport: nodeHttpTransport(undefined, createAgent),
  });
  return {
    server,
    first,
    late,
    connecting: () => until(() => opened.length > 0),
    connectLate: () => opened.shift()?.(),
  };
}

test.each([
  ['list', ({ store }: StoreUnderTest) => store.pets.list(undefined, SHORT_WAIT)],
  ['create', ({ store }: StoreUnderTest) => store.pets.create(NEW_PET, SHORT_WAIT)],
])(
  'the first %s waits if another process received a 429 response before its connection',
  async (_, start) => {
    const { server, first, late, connecting, connectLate } = await startClients(
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

test('the first request is sent if no process received a 429 response', async () => {
  const { server, first, late, connecting, connectLate } = await startClients(json([], 200, OK));
  const listing = late.store.pets.list();
  await connecting();
  await first.store.pets.list();
  connectLate();
  expect(await listing).toEqual([]);
  expect(late.events.filter(({ type }) => type === 'request')).toHaveLength(1);
  expect(server.requests.map(({ connection }) => connection)).toEqual([1, 1, 2]);
});
