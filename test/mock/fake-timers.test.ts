import { mock as nodeTest } from 'node:test';
import { withGlobal } from '@sinonjs/fake-timers';
import { afterEach, expect, test, vi } from 'vitest';
import { createPetStore, type PetStore } from '../../src/client/internal.js';
import { createMock, type Mock } from '../../src/mock/index.js';

/** The recipes of docs/mock.md: the clock of the mock follows faked timers, and clients follow the clock. */
afterEach(() => {
  vi.useRealTimers();
  nodeTest.timers.reset();
});

function clientOf(mock: Mock): PetStore {
  const { fetch, clock } = mock;
  return createPetStore({ baseUrl: 'https://mock.test/v1', apiKey: 'mock-key', fetch, clock });
}

/** Lists pets while the service asks for a wait of 30 s, and moves the time: 29 s, then 3 s. */
async function expectWait(move: (byMs: number) => Promise<unknown>): Promise<void> {
  const mock = createMock({ faults: ['rate-limit:seconds=30'] });
  const pets = clientOf(mock).pets.list();
  await move(29_000);
  expect(mock.journal).toHaveLength(1);
  await move(3_000);
  expect(await pets).toHaveLength(20);
  mock.verify.respectedRetryAfter();
}

test('vitest: faked timers end the wait after a 429', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  await expectWait((byMs) => vi.advanceTimersByTimeAsync(byMs));
});

test('node:test: faked timers end the wait after a 429', async () => {
  nodeTest.timers.enable({ apis: ['setTimeout', 'Date'], now: Date.UTC(2026, 10, 21) });
  await expectWait(async (byMs) => {
    await settled();
    nodeTest.timers.tick(byMs);
  });
});

test('jest: faked timers end the wait after a 429', async () => {
  // jest 30 uses these fake timers; jest itself would be 231 packages. It also fakes nextTick and queueMicrotask of its
  // sandbox, which vitest needs here.
  const jest = withGlobal(globalThis).install({
    now: Date.now(),
    toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
  });
  try {
    await expectWait((byMs) => jest.tickAsync(byMs));
  } finally {
    jest.uninstall();
  }
});

test('without faked timers: the clock of the mock is enough', async () => {
  const mock = createMock({ faults: ['rate-limit:seconds=30'] });
  mock.clock.freeze();
  const pets = clientOf(mock).pets.list();
  await settled();
  mock.advance('until-reset');
  expect(await pets).toHaveLength(20);
});

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
