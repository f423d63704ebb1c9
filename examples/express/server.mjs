// Pets over HTTP with Express. Errors of the service become problem details (RFC 9457).
import express from 'express';
import { isPetStoreError, parseJson, stringifyJson } from 'petstore';

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
const INTERNAL = [500, 'Internal error'];
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
    const { name, categoryId } = bodyOf(request);
    response
      .status(201)
      .type('json')
      .send(stringifyJson(await store.pets.create({ name, categoryId })));
  });
  // Without it, Express sends visitors the stack of an error.
  app.use((error, request, response, next) => {
    if (response.headersSent) return next(error);
    // Has no key and no cookies.
    log(error);
    const [status, title] = problemOf(error, request);
    if (error.type === 'rate-limit')
      response.set('retry-after', Math.ceil((error.retryAfterMs ?? 60_000) / 1000));
    return response.status(status).type('application/problem+json').send({ status, title });
  });
  return app;
}

/** Reads all digits of an int64, which JSON.parse would round. @returns an object, also for another body. */
function bodyOf({ body }) {
  try {
    // Express leaves out a body of another type.
    return { ...parseJson(body ?? '') };
  } catch (error) {
    throw Object.assign(new Error('The body is not JSON'), { status: 400, cause: error });
  }
}

function problemOf(error, request) {
  if (!isPetStoreError(error))
    // Express sets 400, 413 and others for a body that it can't read.
    return error.status >= 400 && error.status < 500 ? [error.status, 'The request is invalid'] : INTERNAL;
  const isUnknown = request.method !== 'GET' && error.outcome === 'unknown';
  return isUnknown ? UNKNOWN_OUTCOME : (PROBLEMS[error.type] ?? UNAVAILABLE);
}
