import { ConfigurationError } from '../errors.js';
import { type RateLimit, toRateLimit } from '../schema/rate-limit.js';
import { performCall } from './call/call.js';
import { createClientContext } from './call/client-context.js';
import { PendingCall } from './call/pending-call.js';
import type { PetStoreOptions } from './contract/options.js';
import type { PetStore } from './contract/pet-store.js';
import { closeStore } from './gate/close-store.js';
import { createPets } from './resources/pets.js';
import { rawOperation } from './resources/raw-request.js';
import { fetchTransport } from './transport/fetch.js';
import type { Transport } from './transport/transport.js';
import { undiciTransport } from './transport/undici.js';

/**
 * Creates a client for a pet store service. Does no I/O before the first call.
 *
 * @throws ConfigurationError if an option is missing or invalid.
 * @example
 * ```ts
 * const store = createPetStore({ apiKey: process.env.PETSTORE_API_KEY, baseUrl: 'https://…/v1' });
 * const pets = await store.pets.list({ status: 'available' });
 * ```
 */
export function createPetStore(options: PetStoreOptions): PetStore {
  // Callers without TypeScript can omit the options.
  if (typeof (options as unknown) !== 'object') {
    throw new ConfigurationError('No options', { hint: 'Pass at least apiKey and baseUrl.' });
  }
  const { fetch, dispatcher } = options;
  const transport = fetch === undefined ? undiciTransport(dispatcher) : fetchTransport(fetch);
  return createPetStoreOver(transport, options, fetch);
}

/** The service of all clients without an injected `fetch`: they share their gates. */
const NETWORK = {};

/**
 * Creates a client that uses a given transport.
 *
 * @param service identifies the service. Clients of one service, origin and key share a gate.
 */
export function createPetStoreOver(
  transport: Transport,
  options: PetStoreOptions,
  service: object = NETWORK,
): PetStore {
  const client = createClientContext(transport, options, service);
  return {
    pets: createPets(client),
    request: (method, path, input, callOptions) =>
      new PendingCall(
        (async () => performCall(client, rawOperation(client.base, method, path, input), callOptions))(),
      ),
    get rateLimit(): RateLimit | undefined {
      const values = client.lastGate()?.rateLimit;
      return values && toRateLimit(values);
    },
    budget: async () => client.gateOf(await client.apiKey()).readBudget(),
    async close() {
      await client.lastGate()?.flush();
      if (typeof options.gate === 'object') await closeStore(options.gate, client.clock);
      await transport.close();
    },
  };
}
