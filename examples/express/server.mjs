// Pets over HTTP with Express. Errors of the service become problem details (RFC 9457).
import express from 'express';
import { isPetStoreError, stringifyJson } from 'petstore';

/**
 * Status and title for each type of error that a visitor can do something about. They are never those of the error. Its
 * status is for this server: 401 means that its key is wrong. Its message can have texts and addresses of the service.
 */
const PROBLEMS = {
  'invalid-input': [400, 'The request is invalid'],
  'bad-request': [400, 'The request is invalid'],
  'not-found': [404, 'Not found'],
  'rate-limit': [503, 'Too many requests'],
};
const UNAVAILABLE = [502, 'The pet store is not available'];
/** Not 408, 429, 502, 503 or 504: some programs then send a write again. */
const UNKNOWN_OUTCOME = [500, 'The pet may or may not be stored. Check the list before you try again'];

export function createApp(store, log = console.error) {
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
  app.use((error, request, response, next) => {
    if (!isPetStoreError(error) || response.headersSent) return next(error);
    // Has no key and no cookies.
    log(error);
    const isUnknown = request.method !== 'GET' && error.outcome === 'unknown';
    const [status, title] = isUnknown ? UNKNOWN_OUTCOME : (PROBLEMS[error.type] ?? UNAVAILABLE);
    if (error.type === 'rate-limit')
      response.set('retry-after', Math.ceil((error.retryAfterMs ?? 60_000) / 1000));
    return response.status(status).type('application/problem+json').send({ status, title });
  });
  return app;
}
