import { expect, test } from '@jest/globals';
import { createPetStore } from 'petstore';
import { createMock } from 'petstore/mock';
import { countSoldPets } from '../sold-pets.mjs';

test('waits for the rate limit in virtual time', async () => {
  const mock = createMock({ plan: 'free', faults: ['rate-limit:seconds=60,times=1'] });
  const store = createPetStore({
    apiKey: mock.keys[0],
    baseUrl: 'https://mock.test/v1',
    fetch: mock.fetch,
    clock: mock.clock,
    // Waits end when the clock of the mock is advanced.
    onEvent({ type }) {
      if (type === 'wait') setImmediate(() => mock.advance('until-reset'));
    },
  });
  const startedAt = mock.clock.now();
  await countSoldPets(store);
  expect(mock.clock.now() - startedAt).toBeGreaterThanOrEqual(60_000);
  mock.verify.respectedRetryAfter();
});
