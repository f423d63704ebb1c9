import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { REDACTED, redact, redactHeaders, headersForLog } from '../../../src/client/response/redaction.js';
import { createRedactor } from '../../../src/security/redact-secret.js';
import { type ApiError, UnknownOutcomeError } from '../../../src/errors.js';
import { type Responder, bytes, hangUp, head, json, rawThenEnd } from '../../support/scripted-server.js';
import { KEY, openScripted, openStore, rejection, TRANSPORTS } from '../../support/stores.js';
import { fetchTransport } from '../../../src/client/transport/fetch.js';

const REX = { id: 1, name: 'Rex', categoryId: 2 };
const inspectAll = (value: unknown): string =>
  inspect(value, { depth: 20, showHidden: true, maxStringLength: null });

test('shows only known harmless headers, without the key', () => {
  expect(
    headersForLog(
      { authorization: 'Bearer k3y', cookie: 'a', 'x-new-secret': 'b', date: 'now', server: 'echo k3y' },
      createRedactor('k3y'),
    ),
  ).toEqual({
    authorization: REDACTED,
    cookie: REDACTED,
    'x-new-secret': REDACTED,
    date: 'now',
    server: `echo ${REDACTED}`,
  });
});

test('redacts the key in text and headers', () => {
  expect(redact('k3y and k3y', createRedactor('k3y'))).toBe(`${REDACTED} and ${REDACTED}`);
  expect(redact('nothing', createRedactor(''))).toBe('nothing');
  expect(redact('/k+/3?a=k%2B%2F3', createRedactor('k+/3'))).toBe(`/${REDACTED}?a=${REDACTED}`);
  expect(redact('/pets', createRedactor(''))).toBe('/pets');
  expect(redact('/pets%20', createRedactor(''))).toBe('/pets%20');
  expect(redactHeaders({ a: 'k3y', b: 'c' }, createRedactor('k3y'))).toEqual({ a: REDACTED, b: 'c' });
});

// A path, a query and encodeURIComponent each encode different characters.
const KEYS = ["a'b", 'a"b', 'a<b', 'a^b', 'a`b', 'a$&b', 'a(b)*', 'a%41b', 'a\\b', 'a[b]{c}|d'];
test.each(KEYS)('redacts the key %j in all URL encodings', (key) => {
  const written = new URL(`https://pets.test/p?q=${key.replaceAll('%', '%25')}`);
  const inPath = new URL(`https://pets.test/${key.replaceAll('%', '%25').replaceAll('\\', '%5c')}`);
  expect(redact(written.search, createRedactor(key))).toBe(`?q=${REDACTED}`);
  expect(redact(inPath.pathname, createRedactor(key))).toBe(`/${REDACTED}`);
  expect(redact(`/${encodeURIComponent(key).toLowerCase()}%20`, createRedactor(key))).toBe(`/${REDACTED}%20`);
});

describe.each(TRANSPORTS)('with the transport %s', (_, makeTransport) => {
  const echo = { code: KEY, message: `bad key ${KEY}`, status: 400, [KEY]: KEY };
  test.each<[string, Responder]>([
    ['message and code of an error', json(echo, 400)],
    ['headers of an error', json({}, 401, { 'www-authenticate': `Bearer ${KEY}`, 'x-request-id': KEY })],
    ['a 404 without an Error body', bytes(KEY, 404)],
    ['a 503', json({ ...echo, status: 503 }, 503, { 'x-request-id': KEY })],
    ['a 429', json(echo, 429, { 'retry-after': '999', 'x-echo': KEY })],
    ['a body that is not JSON', bytes(`<p>${KEY}</p>`, 200, { 'content-type': `text/${KEY}` })],
    ['a body, at the edge of the excerpt', bytes(`<${'x'.repeat(190)}${KEY}`)],
    ['a body, after many spaces', bytes(`<${' '.repeat(789)}${KEY}`)],
    ['a wrong shape', json([{ id: KEY, name: KEY, [KEY]: 1 }])],
    ['an unknown status', json([{ ...REX, status: `sold ${KEY}` }])],
    ['a redirect to another origin', json({}, 302, { location: `http://${KEY}.test/${KEY}` })],
    ['a redirect within the origin', json({}, 302, { location: `/v1/${KEY}?k=${KEY}` })],
    ['a status line', rawThenEnd(`HTTP/1.1 400 ${KEY}\r\n\r\n`)],
    ['garbage', rawThenEnd(`${KEY}\r\n\r\n`)],
    ['a truncated body', rawThenEnd(`${head(200, { 'content-length': '500', 'x-echo': KEY })}${KEY}`)],
    ['nothing', hangUp],
  ])('hides the key if the service echoes it in %s', async (__, respond) => {
    const { server, store, events, lines, warnings } = await openScripted([respond], {
      transport: makeTransport(),
    });
    const options = { retry: { attemptsMax: 1 } };
    const starts = [
      () => store.pets.list({}, options),
      () => store.pets.create({ name: 'Rex', categoryId: 2 }, options),
    ];
    for (const start of starts) {
      const call = start();
      const error = await call.then(
        () => undefined,
        (reason: unknown) => reason,
      );
      // A call that succeeded shows its data, which is the caller's.
      if (error !== undefined) expect(inspectAll(call)).not.toContain(KEY);
      expect(inspectAll(error)).not.toContain(KEY);
      expect(JSON.stringify(error) ?? '').not.toContain(KEY);
      expect(error instanceof Error ? `${String(error)}${error.stack ?? ''}` : '').not.toContain(KEY);
      // Also no part of it, such as the end of a truncated excerpt.
      expect(inspectAll(error)).not.toContain(KEY.slice(0, 8));
    }
    for (const shown of [store, events, lines, warnings]) {
      expect(inspectAll(shown)).not.toContain(KEY);
    }
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  });
});

describe('cookies and credentials of a response', () => {
  const secrets = {
    'set-cookie': 'session=s3cret; Path=/\nadmin=s3cret',
    cookie: 's3cret',
    authorization: 'Basic s3cret',
    'proxy-authorization': 'Basic s3cret',
    'authentication-info': 'nextnonce="s3cret"',
    'x-csrf-token': 's3cret',
    location: 'https://login.test/?ticket=s3cret',
  };
  const shown = { 'www-authenticate': 'Bearer s3cret', 'x-note': 'kept', 'x-request-id': 'r', date: 'now' };
  const response = (status: number): Response =>
    Object.defineProperty(new Response('{"code":"c","message":"m"}'), 'status', { value: status });
  const never = z.never();
  const fetch = (status: number) => () => {
    const sent = response(status);
    const headers = new Map(Object.entries({ ...secrets, ...shown }));
    // The constructor of Response accepts no line break.
    return Promise.resolve(Object.defineProperty(sent, 'headers', { value: headers }));
  };

  test.each([400, 401, 403, 404, 429, 503, 201, 302])(
    'are in no error, event and log (%i)',
    async (status) => {
      const transport = fetchTransport(fetch(status));
      const retry = { attemptsMax: 1, waitMaxMs: 0 };
      for (const method of ['GET', 'POST']) {
        const { store, events, lines } = openStore('https://api.test/v1', { transport, retry });
        const error = (await rejection(store.request(method, '/pets', {}, { schema: never }))) as ApiError;
        expect(error.response).toMatchObject({
          status,
          requestId: 'r',
          body: { code: 'c', message: 'm' },
          headers: {
            ...Object.fromEntries(Object.keys(secrets).map((name) => [name, REDACTED])),
            ...shown,
            'www-authenticate': `Bearer ${REDACTED}`,
          },
        });
        const all = [error, error.response, error.toJSON(), events, lines];
        expect(inspectAll(all)).not.toContain('s3cret');
      }
    },
  );

  test('the rate limit is in the response of an error', async () => {
    const headers = {
      'x-ratelimit-limit': '60',
      'x-ratelimit-remaining': '7',
      'x-ratelimit-reset': '1772366460',
    };
    const { store } = openStore('https://api.test/v1', {
      transport: fetchTransport(() => Promise.resolve(new Response('{}', { status: 403, headers }))),
    });
    const rateLimit = { limit: 60, remaining: 7, resetAt: new Date(1_772_366_460_000) };
    expect(await rejection(store.pets.list())).toMatchObject({ response: { rateLimit } });
  });
});

test('hides a key in path and body from events and errors', async () => {
  const { server, store, events, lines } = await openScripted([json({}, 500)]);
  const error = await rejection(store.request('POST', '/keys', { query: { key: KEY }, body: { key: KEY } }));
  expect(error).toBeInstanceOf(UnknownOutcomeError);
  expect(server.requests[0]).toMatchObject({ path: `/v1/keys?key=${KEY}`, body: `{"key":"${KEY}"}` });
  expect(inspectAll([error, events, lines])).not.toContain(KEY);
});

describe('an echo in another encoding', () => {
  const SECRET = 'sk_live+4eC39/HqLy&jWDarjtT1zdp7dc';
  const hidden = [SECRET.slice(0, 10), SECRET.slice(-10)];
  const base64 = Buffer.from(`Bearer ${SECRET}`).toString('base64');

  test.each<[string, string, string]>([
    ['percent twice', encodeURIComponent(encodeURIComponent(SECRET)), 'eC39'],
    ['base64', base64, base64.slice(20, 30)],
    ['the first half', SECRET.slice(0, 18), 'eC39'],
    ['the second half', SECRET.slice(-18), 'jWDa'],
  ])('%s reaches no error, event or log line', async (_, echo, part) => {
    const responses = [
      bytes(`<p>Invalid key ${echo}.</p>`),
      bytes(`{"code":"no","message":"Invalid key ${echo}","status":400}`, 400),
      json({ code: echo, message: `Invalid key ${echo}`, status: 400 }, 400),
    ];
    for (const respond of responses) {
      const { store, events, lines } = await openScripted([respond], { apiKey: SECRET });
      const error = await rejection(store.pets.list({}, { retry: { attemptsMax: 1 } }));
      const shown = `${inspectAll([error, events, lines])}${JSON.stringify(error)}${(error as Error).stack ?? ''}`;
      for (const text of [...hidden, echo, part]) expect(shown).not.toContain(text);
    }
  });

  test('a body cut within the key is not shown', async () => {
    const body = `<p>Invalid key ${SECRET.slice(0, 5)}`;
    const { store } = await openScripted([rawThenEnd(`${head(200, { 'content-length': '500' })}${body}`)], {
      apiKey: SECRET,
    });
    const error = await rejection(store.pets.list({}, { retry: { attemptsMax: 1 } }));
    expect(error).toMatchObject({
      type: 'invalid-response',
      message: 'Invalid response: the body is truncated',
    });
    expect(error).toHaveProperty('excerpt', '<p>Invalid key');
  });
});

test.each(['key', 'body', 'k', 'the', 'JSON'])(
  'the short key %s stays in our own sentences',
  async (apiKey) => {
    const { store } = await openScripted([bytes('<p>unknown API key</p>')], { apiKey });
    const error = await rejection(store.pets.list());
    expect(error).toMatchObject({
      message: 'Invalid response: the body is not JSON',
      excerpt: apiKey === 'key' ? '<p>unknown API [redacted]</p>' : '<p>unknown API key</p>',
    });
  },
);
