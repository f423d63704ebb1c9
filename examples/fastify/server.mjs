// Pets over HTTP with Fastify. The client logs through Fastify's logger, pino.
import fastify from 'fastify';
import { createPetStore, isPetStoreError, stringifyJson } from 'petstore';

export function createServer({ apiKey, baseUrl, ...options }, logger = true) {
  const server = fastify({ logger });
  const store = createPetStore({ apiKey, baseUrl, logger: server.log, ...options });
  server.addHook('onClose', () => store.close());
  server.get('/pets', async (_request, reply) => {
    // A visitor does not wait longer than this, also not for the rate limit.
    const pets = await store.pets.list({ limit: 50 }, { deadlineMs: 10_000 });
    return reply.type('application/json').send(stringifyJson(pets));
  });
  server.setErrorHandler((error, request, reply) => {
    if (!isPetStoreError(error)) return reply.send(error);
    request.log.error(error);
    // The status and the message of the error are for this server. Its message can have texts of the service.
    if (error.type === 'rate-limit')
      reply.header('retry-after', Math.ceil((error.retryAfterMs ?? 60_000) / 1000));
    const isUnknown = request.method !== 'GET' && error.outcome === 'unknown';
    // Some programs send a write again after a 503.
    return reply
      .code(isUnknown ? 500 : 503)
      .send({ message: isUnknown ? 'It may be stored. Check before you try again' : 'Try again later' });
  });
  return server;
}
