// Pets over HTTP with Hono, for runtimes with web globals only: the client sends with `fetch`.
import { Hono } from 'hono';
import { createPetStore, stringifyJson } from 'petstore';

export const app = new Hono();

app.get('/pets', async (context) => {
  const { PETSTORE_API_KEY: apiKey, PETSTORE_BASE_URL: baseUrl, fetch = globalThis.fetch } = context.env;
  const store = createPetStore({ apiKey, baseUrl, fetch });
  const pets = await store.pets.list({ limit: 20 });
  return context.body(stringifyJson(pets), 200, { 'content-type': 'application/json' });
});

export default app;
