// Compiled by tsc with the rest of the tests, and never run. `@ts-expect-error` fails if the line compiles.
import { Agent, EnvHttpProxyAgent, ProxyAgent } from 'undici';
import type { z } from 'zod';
import {
  createPetStore,
  isPetStoreError,
  type AnyPetStoreError,
  type ApiError,
  type ClientEvent,
  type DispatcherLike,
  type ErrorType,
  type NewPet,
  newPetSchema,
  type Pet,
  petSchema,
  petsSchema,
  type PetStore,
  type RateLimitError,
  type RequestOptions,
  unknownFields,
} from '../../src/index.js';

/** Compiles only if both types are the same. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
const same = <A, B>(_isSame: Same<A, B>): void => undefined;
/** Uses a value. */
const use = (..._values: unknown[]): void => undefined;

declare const caught: unknown;
declare const pet: Pet;
declare const store: PetStore;

// The type of an error narrows it to its class.
if (isPetStoreError(caught)) {
  if (caught.type === 'rate-limit') {
    const limited: RateLimitError = caught;
    const retryAt: Date | undefined = limited.retryAt;
    use(retryAt);
  }
  if (caught.type === 'api') {
    const { status }: ApiError = caught;
    use(status);
    // @ts-expect-error only a RateLimitError has it
    use(caught.retryAt);
  }
  switch (caught.type) {
    case 'invalid-input':
      use(caught.field);
      break;
    case 'configuration':
      use(caught.option);
      break;
    case 'unknown-outcome':
    case 'invalid-response':
      use(caught.response?.status);
      break;
    case 'bad-request':
    case 'authentication':
    case 'not-found':
    case 'server':
      use(caught.status);
      break;
    case 'timeout':
      same<typeof caught.limit, 'attempt' | 'deadline'>(true);
      break;
    case 'connection':
    case 'api':
    case 'rate-limit':
      use(caught.code);
      break;
    case 'aborted':
      break;
    default:
      // Every type is handled above.
      same<typeof caught, never>(true);
  }
  // @ts-expect-error not a type of an error
  use(caught.type === 'ratelimit');
}
same<ErrorType, AnyPetStoreError['type']>(true);

// A mistyped field does not compile. Unknown fields stay readable.
// @ts-expect-error a mistyped field
use(pet.nmae);
same<(typeof pet)['id'], bigint>(true);
const { tag } = unknownFields(pet);
use(tag);
const record: Readonly<Record<string, unknown>> = pet;
use(record.tag);

// The schemas have the types of the methods.
const parsed: Pet = petSchema.parse({});
const list: Pet[] = petsSchema.parse([]);
const accepted: NewPet = newPetSchema.parse({});
const input: z.input<typeof newPetSchema> = {} as NewPet;
use(parsed, list, accepted, input);

// Only a schema types the result of a request. The type that the caller expects does not.
// @ts-expect-error without a schema, the result is unknown
const expected: Pet[] = await store.request('GET', '/pets');
// @ts-expect-error also with its response
const { data }: { data: Pet[] } = await store.request('GET', '/pets').withResponse();
// @ts-expect-error also for a named type
use(store.request<Pet[]>('GET', '/pets'));
// @ts-expect-error also for options that may have no schema
const maybe: Pet[] = await store.request('GET', '/pets', {}, {} as RequestOptions<Pet[]>);
const typed: Pet[] = await store.request('GET', '/pets', undefined, { schema: petsSchema, timeoutMs: 1 });
same<Awaited<ReturnType<PetStore['request']>>, unknown>(true);
const call = store.request('GET', '/pets', {}, { schema: { parse: (value) => Number(value) } });
same<Awaited<ReturnType<typeof call.withResponse>>['data'], number>(true);
use(expected, data, maybe, typed);

// Dispatchers of undici 7. The tests with PETSTORE_TEST_UNDICI use those of undici 8.
const dispatchers: DispatcherLike[] = [
  new Agent(),
  new ProxyAgent('http://127.0.0.1'),
  new EnvHttpProxyAgent(),
];
createPetStore({ apiKey: 'key', baseUrl: 'https://api.test/v1', dispatcher: dispatchers[0] });
// @ts-expect-error not a dispatcher
createPetStore({ apiKey: 'key', baseUrl: 'https://api.test/v1', dispatcher: {} });

// Points in time are dates.
same<NonNullable<PetStore['rateLimit']>['resetAt'], Date>(true);
same<Awaited<ReturnType<PetStore['budget']>>['windows'][number]['resetAt'], Date | undefined>(true);
same<Extract<ClientEvent, { type: 'wait' }>['until'], Date | undefined>(true);
same<Extract<ClientEvent, { type: 'rate-limit' }>['rateLimit']['resetAt'], Date>(true);
same<AnyPetStoreError['attempts'][number]['startedAt'], Date>(true);
use(store);
