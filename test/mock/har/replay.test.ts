import { describe, expect, onTestFinished, test } from 'vitest';
import { createMock } from '../../../src/mock/index.js';
import { sendRequest } from '../send-request.js';

interface Recorded {
  method?: string;
  url?: string;
  body?: string;
  status?: unknown;
  headers?: Record<string, string>;
  text?: string;
}

function entry({
  method = 'GET',
  url = 'https://pets.example/v1/pets',
  body,
  ...response
}: Recorded): object {
  const { status = 200, headers = {}, text = '' } = response;
  return {
    request: { method, url, ...(body === undefined ? {} : { postData: { text: body } }) },
    response: {
      status,
      headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
      content: { text },
    },
  };
}

function replaying(...entries: Recorded[]) {
  return createMock({
    keys: ['mock-key', 'other'],
    replay: { log: { version: '1.2', entries: entries.map(entry) } },
  });
}

const message = (json: unknown) => (json as { message: string }).message;

describe('responses', () => {
  test('are sent as recorded, without a check of the key, with the rate headers of the service', () => {
    const headers = {
      'X-RateLimit-Remaining': '7',
      'Content-Encoding': 'gzip',
      'Content-Length': '3',
      ':status': '200',
    };
    const mock = replaying({ status: 429, headers, text: '{"é":1}' });
    const { status, headers: sent, body } = sendRequest(mock, 'GET', '/pets', { key: '' });
    expect({ status, body }).toEqual({ status: 429, body: '{"é":1}' });
    expect(sent).toEqual({
      'x-ratelimit-remaining': '7',
      'content-length': '8',
      'x-mock-instance': mock.instance,
    });
    expect(mock.journal).toHaveLength(1);
  });

  test('have one line for each cookie', async () => {
    const cookies = ['a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT', 'b=2', 'c=3'];
    const [a, b, c] = cookies.map((value) => ({ name: 'Set-Cookie', value }));
    const twoLines = { name: 'set-cookie', value: `${cookies[0]}\n${cookies[1]}` };
    const accept = [
      { name: 'Vary', value: 'accept' },
      { name: 'vary', value: 'origin' },
    ];
    const entries = [
      [a, b, c],
      [twoLines, c],
    ].map((headers) => ({
      request: { method: 'GET', url: 'https://pets.example/v1/pets' },
      response: { status: 200, headers: [...headers, ...accept], content: { text: '[]' } },
    }));
    const mock = createMock({ replay: { log: { version: '1.2', entries } } });
    const server = await mock.listen({ port: 0 });
    onTestFinished(() => server.close());
    for (const send of [mock.fetch, fetch]) {
      const { headers } = await send(`${server.baseUrl}/pets`);
      expect(headers.getSetCookie()).toEqual(cookies);
      expect(headers.get('vary')).toBe('accept, origin');
    }
  });

  test('of equal requests follow in the recorded order, for each key; the last one repeats; reset starts again', () => {
    const mock = replaying({ text: '1' }, { text: '2' }, { url: 'https://h/v1/pets?limit=1', text: 'other' });
    const next = (key?: string) => sendRequest(mock, 'GET', '/pets', key === undefined ? {} : { key }).body;
    expect([next(), next(), next(), next('other')]).toEqual(['1', '2', '2', '1']);
    mock.reset();
    expect(next()).toBe('1');
  });

  test('match the base URL of any service, encoded paths, queries in any order and JSON in any order', () => {
    const mock = replaying({
      method: 'POST',
      url: 'https://h/base/v1/pets%2f1?b=2&a=1&a=0',
      body: '{"id":9007199254740993,"name":"[redacted]"}',
      text: '1',
    });
    const send = (query: string, body: string) =>
      sendRequest(mock, 'POST', `/v1/pets%2F1?${query}`, { body }).status;
    expect(send('a=1&b=%32&a=0', '{ "name": "x", "id": 9007199254740993 }')).toBe(200);
    expect(send('a=0&b=2&a=1', '{"name":"x","id":9007199254740993}')).toBe(501);
    expect(send('a=1&b=2&a=0', '{"name":"x","id":9007199254740992}')).toBe(501);
    expect(send('a=1&b=2&a=0', '{"id":9007199254740993}')).toBe(501);
    expect(send('a=1&b=2&a=0', 'no JSON')).toBe(501);
  });

  test('with status 0 close the connection', () => {
    expect(
      createMock({ replay: { log: { entries: [entry({ status: 0 })] } } }).handle({
        method: 'GET',
        url: '/v1/pets',
        headers: {},
      }),
    ).toMatchObject({ kind: 'reset' });
  });

  test('have no content for HEAD and 204, and faults still apply', () => {
    const mock = replaying(
      { status: 204, text: 'x' },
      { method: 'HEAD', headers: { etag: '"1"' }, text: '' },
    );
    expect(sendRequest(mock, 'GET', '/pets')).toMatchObject({ status: 204, body: '' });
    expect(sendRequest(mock, 'HEAD', '/pets').headers).toEqual({
      etag: '"1"',
      'x-mock-instance': mock.instance,
    });
    mock.setFaults(['status:status=503']);
    expect(sendRequest(mock, 'GET', '/pets').status).toBe(503);
  });
});

describe('an unknown request gets 501', () => {
  test('that names the nearest entry', () => {
    const mock = replaying(
      { url: 'https://h/v1/pets/77' },
      { url: 'https://h/v1/pets?limit=5' },
      { method: 'POST', body: '{"name":"Rex"}' },
    );
    const ask = (method: string, path: string, body?: string) =>
      message(sendRequest(mock, method, path, body === undefined ? {} : { body }).json);
    expect(ask('GET', '/pets?limit=50')).toBe(
      'The recording has no entry for GET /v1/pets?limit=50. The nearest is log.entries[1]: GET /v1/pets?limit=5',
    );
    expect(ask('GET', '/pets/78')).toContain('log.entries[0]: GET /v1/pets/77');
    expect(ask('POST', '/pets', '{}')).toContain('log.entries[2]: POST /v1/pets, with another body');
  });

  test('of an empty recording', () => {
    expect(message(sendRequest(replaying(), 'GET', '/pets').json)).toBe(
      'The recording has no entry for GET /v1/pets, and no other entries',
    );
  });
});

const valid = { method: 'GET', url: 'https://h/v1/pets' };
const content = (own: object) => ({ request: valid, response: { status: 200, headers: [], content: own } });

test.each<[entry: unknown, message: string]>([
  [7, ' must be an object'],
  [{}, '.request must be an object'],
  [{ request: { ...valid, url: 'pets' } }, '.request.url is not a URL'],
  [{ request: { url: 'http://h/' } }, '.request.method must be a string'],
  [{ request: { ...valid, postData: 'x' } }, '.request.postData must be an object'],
  [entry({ status: '200' }), '.response.status must be a whole number'],
])('an archive with the entry %j is rejected with the place', (broken, message) => {
  expect(() => createMock({ replay: { log: { entries: [entry({}), broken] } } })).toThrow(
    `log.entries[1]${message}`,
  );
});

test.each<[entry: object, reason: string]>([
  [entry({ url: 'wss://h/v1/pets' }), 'not HTTP'],
  [entry({ url: 'blob:https://h/v1/pets' }), 'not HTTP'],
  [entry({ status: 101 }), 'no final status'],
  [entry({ status: 999 }), 'no final status'],
  [entry({ headers: { 'a b': '' } }), 'malformed header'],
  [entry({ headers: { a: 'x\r\ny' } }), 'malformed header'],
  [content({ size: 9 }), 'no recorded body'],
  [content({ size: -1 }), 'no recorded body'],
  [content({}), 'no recorded body'],
  [content({ size: 9, _file: 'a.json' }), 'body in another file'],
  [content({ text: '[]', encoding: 'gzip' }), 'malformed body'],
  [content({ text: '%', encoding: 'base64' }), 'malformed body'],
  [{ ...content({ text: '' }), request: { ...valid, bodySize: 9 } }, 'no recorded request body'],
])('the entry %j is left out, and its request gets the reason', (leftOut, reason) => {
  const mock = createMock({ replay: { log: { entries: [leftOut, entry({ url: 'https://h/other' })] } } });
  expect(mock.state().replay).toEqual({ entries: 2, leftOut: [{ reason, count: 1 }] });
  if (reason !== 'not HTTP') {
    const problem = `log.entries[0], GET /v1/pets, can't be replayed: ${reason}`;
    expect(sendRequest(mock, 'GET', '/pets')).toMatchObject({ status: 501, json: { message: problem } });
  }
  expect(sendRequest(mock, 'GET', 'http://h/other').status).toBe(200);
});

test('a response that can be replayed is preferred', () => {
  const mock = createMock({ replay: { log: { entries: [content({ size: -1 }), content({ text: '[]' })] } } });
  expect(sendRequest(mock, 'GET', '/pets')).toMatchObject({ status: 200, body: '[]' });
});

test('a body without text is empty if that is its size, or if the response can have none', () => {
  const entries = [
    content({ size: 0, text: null }),
    { request: valid, response: { status: 204, headers: [], content: { size: -1 } } },
  ];
  const mock = createMock({ replay: { log: { entries } } });
  expect(sendRequest(mock, 'GET', '/pets')).toMatchObject({ status: 200, body: '' });
  expect(sendRequest(mock, 'GET', '/pets')).toMatchObject({ status: 204, body: '' });
});

test('a 304 is replayed only to a request with a condition', () => {
  const mock = replaying({ status: 304 }, { text: '[]' });
  expect(sendRequest(mock, 'GET', '/pets').status).toBe(200);
  const headers = { 'if-none-match': '"a"' };
  expect(mock.handle({ method: 'GET', url: '/v1/pets', headers })).toMatchObject({
    response: { status: 304 },
  });
});

test('bytes that are not UTF-8 are sent as they are, also slowly', async () => {
  const mock = createMock({ replay: { log: { entries: [content({ text: '/wA=', encoding: 'base64' })] } } });
  const server = await mock.listen({ port: 0 });
  onTestFinished(() => server.close());
  for (const faults of [[], ['throttle:bytesPerSecond=100000']]) {
    mock.setFaults(faults);
    for (const send of [mock.fetch, fetch]) {
      const response = await send(`${server.baseUrl}/pets`);
      expect([...new Uint8Array(await response.arrayBuffer())]).toEqual([0xff, 0]);
    }
  }
});

test.each([
  [[], 'The HAR archive must be an object'],
  [{}, 'log must be an object'],
  [{ log: {} }, 'log.entries must be a list'],
])('the archive %j is rejected', (replay, message) => {
  expect(() => createMock({ replay })).toThrow(message);
});
