// A program of an importer: lists one pet.
import { createPetStore, stringifyJson } from 'petstore';

const { BASE_URL, WITH_FETCH } = process.env;

async function main() {
  const options = { apiKey: 'test-key', baseUrl: BASE_URL };
  const store = createPetStore(WITH_FETCH ? { ...options, fetch: globalThis.fetch } : options);
  console.log(stringifyJson(await store.pets.list({ limit: 1 })));
  await store.close();
}
main();
