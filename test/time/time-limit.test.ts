import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createPetStore, redisGate } from '../../src/client/internal.js';
import { systemClock } from '../../src/time/clock.js';
import { stopSignalOf } from '../../src/domain/dns/concurrency/stop-signal.js';
import { createDnsClient } from '../../src/domain/dns/dns-client.js';
import { exchangeOverTcp } from '../../src/domain/dns/tcp.js';
import { createMock } from '../../src/mock/index.js';
import { startTimeLimit } from '../../src/time/time-limit.js';
import { keepBusy, startOutside } from '../support/outside-server.js';
import { IS_FULL } from '../support/random-runs.js';
import { needsRedisPackage } from '../support/redis-package.js';
import { openStore, TRANSPORTS } from '../support/stores.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { createVirtualClock, settle } from '../support/virtual-clock.js';

describe('a program that was busy for longer than a time limit gets the response', () => {
  test.each(TRANSPORTS)('over %s', async (_name, open) => {
    const { port } = await startOutside('http');
    const { store } = openStore(`http://127.0.0.1:${String(port)}/v1`, {
      transport: open(),
      clock: { ...createVirtualClock(), ...systemClock },
      timeoutMs: 150,
      retry: { attemptsMax: 1 },
    });
    const listed = store.pets.list();
    keepBusy(400);
    expect(await listed).toEqual([]);
  });

  test('at deadlineMs, if it has arrived', async () => {
    const { port } = await startOutside('http');
    const store = createPetStore({ apiKey: 'k', baseUrl: `http://127.0.0.1:${String(port)}/v1` });
    // Opens the connection.
    await store.pets.list();
    const listed = store.pets.list({}, { deadlineMs: 150 });
    for (let turns = 0; turns < 10; turns += 1) await settle();
    keepBusy(400);
    expect(await listed).toEqual([]);
    await store.close();
  });

  // Busy for twice three seconds.
  test.runIf(IS_FULL)(
    'from Redis (PETSTORE_TEST_FULL=1)',
    async () => {
      needsRedisPackage();
      const { port } = await startOutside('redis');
      const service = await startOutside('http');
      const warnings: string[] = [];
      vi.stubEnv('PETSTORE_STATE_DIR', temporaryFolder());
      onTestFinished(() => void vi.unstubAllEnvs());
      const store = createPetStore({
        apiKey: 'k',
        baseUrl: `http://127.0.0.1:${String(service.port)}/v1`,
        timeoutMs: 30_000,
        gate: redisGate({ url: `redis://127.0.0.1:${String(port)}` }),
        onWarning: ({ message }) => warnings.push(message),
      });
      const listed = store.pets.list();
      keepBusy(3_200);
      expect(await listed).toEqual([]);
      const again = store.pets.list();
      keepBusy(3_200);
      expect(await again).toEqual([]);
      await store.close();
      expect(warnings).toEqual([]);
    },
    60_000,
  );

  test('from a name server over UDP', async () => {
    const { port } = await startOutside('udp');
    const dns = createDnsClient({ timeoutMs: 150, triesMax: 1 });
    onTestFinished(() => dns.close());
    const server = { address: '127.0.0.1', port, transport: 'dns' } as const;
    const query = dns.query(server, { name: 'a.example', type: 'A' }, { recursive: false });
    // The query is sent in a microtask.
    for (let turns = 0; turns < 10; turns += 1) await Promise.resolve();
    keepBusy(400);
    expect(await query).toMatchObject({ kind: 'response' });
  });

  test('from a name server over TCP', async () => {
    const { port } = await startOutside('tcp');
    const limits = { timeoutMs: 150, clock: systemClock, stop: stopSignalOf() };
    const server = { address: '127.0.0.1', port, transport: 'dns' } as const;
    const exchange = exchangeOverTcp(server, Buffer.alloc(12), limits);
    keepBusy(400);
    expect(await exchange).toMatchObject({ kind: 'message' });
  });

  test('and waitForRequests of a mock sees a request that has arrived', async () => {
    const { worker } = await startOutside('sender');
    const mock = createMock();
    const { url, close } = await mock.listen({ port: 0 });
    onTestFinished(() => close());
    const waited = mock.waitForRequests({}, { count: 1, timeoutMs: 150 });
    worker.postMessage(`${url}/v1/pets`);
    keepBusy(400);
    expect(await waited).toHaveLength(1);
  });
});

describe('a time limit', () => {
  test('is exact if the process is not busy, and can be canceled', async () => {
    const clock = createVirtualClock();
    const reached: string[] = [];
    startTimeLimit(clock, 1_000, () => reached.push('first'));
    const cancel = startTimeLimit(clock, 1_000, () => reached.push('second'));
    await clock.advance(999);
    expect(reached).toEqual([]);
    cancel();
    await clock.advance(1);
    expect(reached).toEqual(['first']);
    expect(clock.pending).toBe(0);
  });

  test('is extended once if the timer is late, at most to twice its length', async () => {
    const clock = createVirtualClock();
    const late = { ...clock, monotonic: () => clock.monotonic() + busyMs };
    let busyMs = 0;
    let isReached = false;
    startTimeLimit(late, 1_000, () => (isReached = true));
    busyMs = 5_000;
    await clock.advance(1_999);
    expect(isReached).toBe(false);
    await clock.advance(1);
    expect(isReached).toBe(true);
  });
});
