import { createPetStore } from 'petstore';
import { createMock } from 'petstore/mock';

const mock = createMock();
// With @types/bun, globalThis.fetch has a member that no other function has.
const own = async (input: string | URL | Request, init?: RequestInit): Promise<Response> =>
  fetch(input, init);
for (const send of [fetch, mock.fetch, own])
  createPetStore({ apiKey: 'sk-demo', baseUrl: 'https://pets.test/v1', fetch: send });
