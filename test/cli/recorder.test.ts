import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { parseJson } from '../../src/schema/json.js';
import { createRecorder, showRequests } from '../../src/cli/recorder.js';

const request = {
  method: 'POST',
  origin: 'https://pets.test',
  path: '/v1/pets?a=1&b=2',
  headers: {
    authorization: 'Bearer sk-secret',
    'content-type': 'application/json',
    'accept-encoding': 'gzip',
    host: 'x',
  },
  body: '{"name":"O\'Neil $HOME `id`","categoryId":9007199254740993}',
  bodyMaxBytes: 1,
};

test('holds requests back', async () => {
  const recorder = createRecorder();
  const exchange = recorder.transport.send(request);
  await expect(exchange.answer).rejects.toThrow('held back');
  expect(exchange.sent).toBe(false);
  expect(recorder.requests).toEqual([request]);
});

test('shows a request without the key', () => {
  expect(showRequests([request], { curl: false, json: false })).toBe(
    [
      'POST https://pets.test/v1/pets?a=1&b=2',
      'Authorization: Bearer $PETSTORE_API_KEY',
      'Content-Type: application/json',
      'Accept-Encoding: gzip',
      '',
      request.body,
      '',
    ].join('\n'),
  );
});

test('as data: the body is data too, with every digit', () => {
  expect(parseJson(showRequests([request], { curl: false, json: true }))).toEqual({
    method: 'POST',
    url: 'https://pets.test/v1/pets?a=1&b=2',
    headers: {
      Authorization: 'Bearer $PETSTORE_API_KEY',
      'Content-Type': 'application/json',
      'Accept-Encoding': 'gzip',
    },
    body: { name: "O'Neil $HOME `id`", categoryId: 9007199254740993n },
  });
});

test.skipIf(process.platform === 'win32')('a shell reads the curl command as it is meant', () => {
  const script = `curl() { for word in "$@"; do printf '%s\\n' "$word"; done; }\n${showRequests([request], { curl: true, json: false })}`;
  const words = execFileSync('sh', ['-c', script], { encoding: 'utf8', env: { PETSTORE_API_KEY: 'k e y' } });
  expect(words.trimEnd().split('\n')).toEqual([
    '-X',
    'POST',
    'https://pets.test/v1/pets?a=1&b=2',
    '-H',
    'Authorization: Bearer k e y',
    '-H',
    'Content-Type: application/json',
    '--data-raw',
    request.body,
  ]);
});
