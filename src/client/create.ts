import { type RateLimit, toRateLimit } from '../schema/rate-limit.js';
import { type Identified, IDENTITY } from '../security/service-identity.js';
import { readKey } from './call/await-option.js';
import { performCall, startCall, startMethod } from './call/call.js';
import { type ClientContext, createClientContext, withSettings } from './call/client-context.js';
import { checkCallOptions, checkClientOptions, guardOptions } from './call/settings.js';
import type { Call, PetStoreOptions, RequestOptions } from './contract/options.js';
import type { PetStore, RequestInput } from './contract/pet-store.js';
import type { KnownBudget } from './gate/budget/known-budget.js';
import { budgetName } from './gate/registry.js';
import { createPets } from './resources/pets.js';
import { rawOperation, REQUEST_CHECKS } from './resources/raw-request.js';
import { fetchTransport } from './transport/fetch.js';
import type { Transport } from './transport/transport.js';
import { undiciTransport } from './transport/undici.js';

/**
 * Creates a client for a pet store service. Does no I/O before the first call.
 *
 * @throws ConfigurationError if an option is missing or invalid.
 * @example
 * ```ts
 * const store = createPetStore({ apiKey: process.env.PETSTORE_API_KEY!, baseUrl: 'https://…/v1' });
 * const pets = await store.pets.list({ status: 'available' });
 * ```
 */
export function createPetStore(options: PetStoreOptions): PetStore {
  const read = guardOptions(() => checkClientOptions(options));
  const { fetch, dispatcher } = read;
  const transport = fetch === undefined ? undiciTransport(dispatcher) : fetchTransport(fetch);
  return createPetStoreOver(transport, read, fetch);
}

/**
 * Creates a client that uses a given transport.
 *
 * @param service identifies the service, such as an injected `fetch`. Clients of one service, origin and key share a gate.
 *   `undefined`: the network.
 */
export function createPetStoreOver(
  transport: Transport,
  options: PetStoreOptions,
  service?: object,
): PetStore & Identified {
  return createStore(guardOptions(() => createClientContext(transport, options, service)));
}

function createStore(client: ClientContext): PetStore & Identified {
  const request = <T>(
    method: string,
    path: string,
    input?: RequestInput | null,
    options?: RequestOptions<T> | null,
  ): Call<T> =>
    startCall(client, request, () => {
      const read = checkCallOptions(options, REQUEST_CHECKS);
      const operation = rawOperation(client.base, { method, path, input, schema: read?.schema });
      return performCall(client, operation, read);
    });
  const budget = (): Promise<KnownBudget> =>
    startMethod(client, budget, async () => client.useKey(await readKey(client)).gate.readBudget());
  const resetBudget = (): Promise<boolean> =>
    startMethod(client, resetBudget, async () => client.useKey(await readKey(client)).gate.reset());
  return {
    pets: createPets(client),
    request,
    with: (options) => createStore(guardOptions(() => withSettings(client, options))),
    get rateLimit(): RateLimit | undefined {
      const values = client.lastKey().gate?.rateLimit;
      return values && toRateLimit(values);
    },
    budget,
    resetBudget,
    [IDENTITY]: async () => {
      const { base, clock, settings } = client;
      const keyFingerprint = budgetName(base.origin, await readKey(client));
      const { reservePercent } = settings;
      return { baseUrl: base.origin + base.prefix, keyFingerprint, clock, reservePercent };
    },
    close: client.close,
    [Symbol.asyncDispose]: client.close,
  };
}
