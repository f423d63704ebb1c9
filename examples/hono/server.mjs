// Pets over HTTP with Hono, for runtimes with web globals only: the client sends with `fetch`.
import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { createPetStore, isPetStoreError, stringifyJson } from 'petstore';

export const app = new Hono();

app.get('/pets', async (context) => {
  const { PETSTORE_API_KEY: apiKey, PETSTORE_BASE_URL: baseUrl, fetch = globalThis.fetch } = context.env;
  const store = createPetStore({ apiKey, baseUrl, fetch });
  const pets = await store.pets.list({ limit: 20 });
  return context.body(stringifyJson(pets), 200, { 'content-type': 'application/json' });
});

app.onError((error, context) => {
  if (error instanceof HTTPException) return error.getResponse();
  // Has no key and no cookies.
  console.error(error);
  if (!isPetStoreError(error)) return context.json({ message: 'Internal error' }, 500);
  // The status and the message of the error are for this server. Its message can have texts of the service.
  if (error.type === 'rate-limit')
    context.header('retry-after', `${Math.ceil((error.retryAfterMs ?? 60_000) / 1000)}`);
  // Some programs send a write again after a 503.
  if (context.req.method !== 'GET' && error.outcome === 'unknown')
    return context.json({ message: 'It may be stored. Check before you try again' }, 500);
  return context.json({ message: 'Try again later' }, 503);
});

export default app;
