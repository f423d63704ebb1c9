import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { showRequests } from '../../../src/cli/session/recorder.js';

const request = {
  method: 'POST',
  origin: 'https://pets.test',
  path: '/v1/pets?a=1&b=2',
  headers: {
    authorization: 'Bearer sk-secret',
    'content-type': 'application/json',
    'accept-encoding': 'gzip',
  },
  body: '{"name":"O\'Neil $HOME `id`","categoryId":9007199254740993}',
  bodyMaxBytes: 1,
};

const STYLE = { curl: false, json: false, indent: false };

test.skipIf(process.platform === 'win32')('the curl command is quoted for a shell', () => {
  const script = `curl() { for word in "$@"; do printf '%s\\n' "$word"; done; }\n${showRequests([request], { ...STYLE, curl: true })}`;
  const words = execFileSync('sh', ['-c', script], { encoding: 'utf8', env: { PETSTORE_API_KEY: 'k e y' } });
  expect(words.trimEnd().split('\n')).toEqual([
    '--disable',
    '--compressed',
    '-X',
    'POST',
    'https://pets.test/v1/pets?a=1&b=2',
    '-H',
    'Authorization: Bearer k e y',
    '-H',
    'Content-Type: application/json',
    '-H',
    'Accept-Encoding: gzip',
    '--data-raw',
    request.body,
  ]);
});

test('the curl command names the file of --ca', () => {
  expect(showRequests([request], { ...STYLE, curl: true, caFile: 'my ca.pem' })).toMatch(
    /^curl --disable --compressed --cacert 'my ca\.pem' -X POST /,
  );
});

test.each([
  ['GET', undefined, "curl --disable --compressed 'https://"],
  ['GET', '{}', "curl --disable --compressed -X GET 'https://"],
  ['HEAD', undefined, "curl --disable --compressed --head 'https://"],
  ['DELETE', undefined, "curl --disable --compressed -X DELETE 'https://"],
])('the curl command sends %s with the body %j', (method, body, start) => {
  const { body: _, ...bare } = request;
  const sent = { ...bare, method, ...(body === undefined ? {} : { body }) };
  expect(showRequests([sent], { ...STYLE, curl: true })).toContain(start);
});

describe('escape sequences in a body are shown escaped, and the JSON stays the same', () => {
  const name = 'a\u009b2J\u202e\u007f';
  const driving = { ...request, body: JSON.stringify({ name }) };

  test.each([
    ['--curl', { curl: true }],
    ['as data', { json: true, isTTY: true }],
    ['as data, indented', { json: true, indent: true, isTTY: true }],
    ['as text', {}],
  ])('%s', (_, style) => {
    expect(showRequests([driving], { ...STYLE, ...style })).not.toMatch(/[\x7f-\x9f\u202e]/);
  });

  test('also in a long string of escapes', () => {
    const body = `["${String.raw`\n`.repeat(2 ** 23 - 2)}"]`;
    for (const json of [true, false])
      expect(showRequests([{ ...request, body }], { ...STYLE, json }).includes(body)).toBe(true);
  });

  test('the same', () => {
    const shown = showRequests([driving], { ...STYLE, curl: true });
    expect(JSON.parse(/--data-raw '(.*)'\n$/.exec(shown)![1]!)).toEqual({ name });
    expect(JSON.parse(showRequests([driving], { ...STYLE, json: true })).body).toEqual({ name });
  });
});
