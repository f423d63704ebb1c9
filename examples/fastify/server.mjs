// Pets over HTTP with Fastify. The client logs through Fastify's logger, pino.
import fastify from 'fastify';
import { createPetStore, stringifyJson } from 'petstore';

export function createServer({ apiKey, baseUrl, ...options }, logger = true) {
  const server = fastify({ logger });
  const store = createPetStore({ apiKey, baseUrl, logger: server.log, ...options });
  server.addHook('onClose', () => store.close());
  server.get('/pets', async (_request, reply) => {
    // A visitor does not wait longer than this, also not for the rate limit.
    const pets = await store.pets.list({ limit: 50 }, { deadlineMs: 10_000 });
    return reply.type('application/json').send(stringifyJson(pets));
  });
  return server;
}
