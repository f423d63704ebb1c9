// Pets over HTTP with Express. Errors of the service become problem details (RFC 9457).
import express from 'express';
import { isPetStoreError, stringifyJson } from 'petstore';

/** The HTTP status for each type of error that a caller can do something about. */
const STATUSES = { 'invalid-input': 400, 'bad-request': 400, 'not-found': 404, 'rate-limit': 503 };

export function createApp(store) {
  const app = express();
  app.use(express.text({ type: 'application/json' }));
  app.get('/pets', async (request, response) => {
    const { status } = request.query;
    // stringifyJson writes ids as integers with all digits.
    response.type('json').send(stringifyJson(await store.pets.list({ status })));
  });
  app.post('/pets', async (request, response) => {
    const { name, categoryId } = JSON.parse(request.body);
    response
      .status(201)
      .type('json')
      .send(stringifyJson(await store.pets.create({ name, categoryId })));
  });
  app.use((error, _request, response, next) => {
    if (!isPetStoreError(error)) return next(error);
    const status = STATUSES[error.type] ?? 502;
    if (error.type === 'rate-limit') response.set('retry-after', Math.ceil(error.retryAfterMs / 1000));
    // error.message never contains the key.
    return response.status(status).type('application/problem+json').send({ status, title: error.message });
  });
  return app;
}
