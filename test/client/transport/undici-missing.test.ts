import { afterEach, describe, expect, test, vi } from 'vitest';
import { createPetStore } from '../../../src/index.js';
import { undiciTransport } from '../../../src/client/transport/undici.js';
import { json, startScriptedServer } from '../../support/scripted-server.js';
import { describeTransport } from '../../support/transport-contract.js';

/** As in Bun, whose undici has no dispatchers. */
vi.mock('undici', async (original) => ({
  ...(await original<object>()),
  default: {},
  Pool: undefined,
  buildConnector: undefined,
}));

afterEach(() => {
  vi.restoreAllMocks();
});

describe('without undici, node:http', () => {
  describeTransport(() => undiciTransport());
});

test('without undici and node:http, a call is rejected at once and names the option fetch', async () => {
  const server = await startScriptedServer(json([]));
  const getBuiltinModule = process.getBuiltinModule.bind(process);
  vi.spyOn(process, 'getBuiltinModule').mockImplementation((name: string) =>
    name === 'node:http' ? undefined : getBuiltinModule(name),
  );
  const options = { apiKey: 'k', baseUrl: server.baseUrl, gate: 'memory' } as const;
  for (const call of [
    () => createPetStore(options).pets.list(),
    () => createPetStore(options).pets.create({ name: 'Rex', categoryId: 7 }),
  ])
    await expect(call()).rejects.toMatchObject({
      type: 'configuration',
      option: 'fetch',
      outcome: 'not-sent',
      hint: 'Pass the option fetch, such as fetch: globalThis.fetch.',
    });
  expect(server.requests).toEqual([]);
});
