import { createMock as createUncheckedMock, type Mock, type MockOptions } from '../../../src/mock/index.js';
import { OPEN_API } from '../../../src/mock/service/openapi.js';
import { createExchangeCheck, type OpenApi } from './check-exchange.js';
import { deviations } from './deviations.js';

export * from '../../../src/mock/index.js';

const OPEN_API_JSON = JSON.parse(JSON.stringify(OPEN_API)) as OpenApi;
let check: ReturnType<typeof createExchangeCheck> | undefined;

/**
 * Creates a mock whose exchanges are compared with its OpenAPI document. `vitest.config.ts` puts this in place of
 * `createMock` in all tests. Simulated faults and recordings are left out, because they may deviate.
 */
export function createMock(options: MockOptions = {}): Mock {
  const mock = createUncheckedMock(options);
  if (options.replay !== undefined) return mock;
  mock.subscribe((event) => {
    if (event.type !== 'request' || event.entry.fault !== undefined) return;
    check ??= createExchangeCheck(OPEN_API_JSON);
    const problems = check(event);
    // Tests may use pets that the service would not accept.
    if (problems.length > 0 && !hasUnusualPet(mock)) deviations.push(...problems);
  });
  return mock;
}

function hasUnusualPet(mock: Mock): boolean {
  return mock.keys.some((key) =>
    mock
      .forKey(key)
      .pets.list()
      .some(({ name, status }) => name === '' || !STATUSES.includes(status)),
  );
}

const STATUSES: readonly unknown[] = [undefined, 'available', 'pending', 'sold'];
