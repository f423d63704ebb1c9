import { describe, expect, test } from 'vitest';
import { openKeychain } from '../../support/auth.js';
import { ENV, runFake, type Scripted } from '../../support/fake-context.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const hintOf = async (baseUrl: string, response: Scripted, line = 'pets list'): Promise<string> => {
  const { stderr } = await runFake(`${line} --no-retry`, {
    env: { ...ENV, PETSTORE_BASE_URL: baseUrl },
    responses: [response],
  });
  return /\nhint: (.*)\n/.exec(stderr)?.[1] ?? stderr;
};
const HTML = { headers: { 'content-type': 'text/html; charset=utf-8' }, body: '<!doctype html><p>Sign in' };
const NOT_FOUND = { status: 404, body: '{"code":"no","message":"no route","status":404}' };
const failed = (code: string) => Object.assign(new Error('failed'), { code });

const CHECK = 'Check the base URL, https://pets.test';

describe('a base URL without its version', () => {
  test.each([
    ['https://pets.test', `${CHECK}. It has no /v1: try https://pets.test/v1.`],
    ['https://pets.test/', `${CHECK}. It has no /v1: try https://pets.test/v1.`],
    ['https://pets.test/shop', `${CHECK}/shop. It has no /v1: try https://pets.test/shop/v1.`],
    ['https://pets.test/v1', `${CHECK}/v1.`],
    ['https://pets.test/v2', `${CHECK}/v2.`],
  ])('%s', async (baseUrl, hint) => {
    expect(await hintOf(baseUrl, NOT_FOUND)).toBe(hint);
  });

  test('of a pet: the id may also be wrong', async () => {
    const byId = 'Check the id with "petstore pets list --all".';
    const page = { status: 404, headers: { 'content-type': 'text/plain' }, body: 'no route' };
    const get = 'pets get 7 --via get';
    expect(await hintOf('https://pets.test/v1', NOT_FOUND, get)).toBe(byId);
    expect(await hintOf('https://pets.test', NOT_FOUND, get)).toBe(byId);
    expect(await hintOf('https://pets.test/v1', page, get)).toBe(byId);
    expect(await hintOf('https://pets.test', page, get)).toContain('try https://pets.test/v1.');
  });

  test('of another path: only the path', async () => {
    expect(await hintOf('https://pets.test/v1', NOT_FOUND, 'api /orders')).toBe(
      'Check the path. It is relative to the base URL.',
    );
  });
});

describe('an invalid response', () => {
  const hint = 'Check the base URL. Pass -v to see the request and the response.';
  const json = { headers: { 'content-type': 'application/json' } };
  const text = { headers: { 'content-type': 'text/plain' }, body: 'hello' };
  test.each<[string, Scripted, string]>([
    ['https://pets.test/v1', { ...json, body: '{}' }, hint],
    ['https://pets.test', { ...json, body: '{}' }, hint],
    ['https://pets.test/v1', text, `${CHECK}/v1.`],
    ['https://pets.test', text, `${CHECK}. It has no /v1: try https://pets.test/v1.`],
  ])('at %s: %o', async (baseUrl, response, expected) => {
    expect(await hintOf(baseUrl, response)).toBe(expected);
  });
});

test('an invalid response is quoted, at most 80 characters', async () => {
  const headers = { 'content-type': 'text/plain' };
  const { stderr } = await runFake('pets list', { responses: [{ headers, body: 'x'.repeat(100) }] });
  expect(stderr).toContain(` (200, text/plain: ${'x'.repeat(80)}…)\n`);
});

test.each([
  ['120', 'The service failed. Try again in 120 s.'],
  ['soon', 'The service failed. Try again later.'],
])('a failure with Retry-After: %s', async (retryAfter, hint) => {
  const response = { status: 503, headers: { 'retry-after': retryAfter } };
  expect(await hintOf('https://pets.test/v1', response)).toBe(hint);
});

describe('a response that is not HTTP', () => {
  const notHttp = Object.assign(new Error('Parse Error: Expected HTTP/'), { code: 'HPE_INVALID_CONSTANT' });
  test('on a port without TLS may need TLS', async () => {
    expect(await hintOf('http://localhost:22/v1', notHttp)).toBe(
      'Check the base URL, http://localhost:22/v1. If the server expects TLS, use https://localhost:22/v1.',
    );
    expect(await hintOf('https://pets.test:22/v1', notHttp)).toBe(
      'Check the base URL, https://pets.test:22/v1.',
    );
  });
});

describe('a web page', () => {
  test.each([
    ['https://pets.test', 200, `${CHECK}. It has no /v1: try https://pets.test/v1.`],
    ['https://pets.test/v1', 200, `${CHECK}/v1.`],
    ['https://pets.test/v1', 404, `${CHECK}/v1.`],
  ])('at %s with status %d', async (baseUrl, status, hint) => {
    expect(await hintOf(baseUrl, { status, ...HTML })).toBe(hint);
  });

  test('of a failing service is a failure', async () => {
    expect(await hintOf('https://pets.test/v1', { status: 502, ...HTML })).toBe(
      'The service failed. Try again later.',
    );
  });
});

describe('http instead of https', () => {
  test('a redirect to the same host', async () => {
    const headers = { location: 'https://localhost:8443/v1/pets' };
    expect(await hintOf('http://localhost:8080/v1', { status: 301, headers })).toBe(
      'Use the base URL that the service redirects to: https://localhost:8443/v1.',
    );
    const elsewhere = { location: 'https://other.test/v1/pets' };
    expect(await hintOf('http://localhost:8080/v1', { status: 301, headers: elsewhere })).not.toContain(
      'other',
    );
  });

  test('a server that expects TLS', async () => {
    expect(await hintOf('http://127.0.0.1:8443/v1', failed('ECONNRESET'))).toContain(
      'use https://127.0.0.1:8443/v1.',
    );
    const refused = { status: 400, headers: { 'content-type': 'text/plain' }, body: 'HTTP to HTTPS' };
    expect(await hintOf('http://127.0.0.1:8443/v1', refused)).toBe(
      'Check the base URL, http://127.0.0.1:8443/v1. If the server expects TLS, use https://127.0.0.1:8443/v1.',
    );
  });

  test('https to a plain server: http is offered for this machine only', async () => {
    expect(await hintOf('https://localhost:8080/v1', failed('EPROTO'))).toBe(
      'Check the base URL, https://localhost:8080/v1. The server does not use TLS: try http://localhost:8080/v1.',
    );
    expect(await hintOf('https://pets.test/v1', failed('EPROTO'))).toBe(
      'Check the base URL, https://pets.test/v1. The server does not use TLS.',
    );
  });
});

describe('a rejected key', () => {
  const refused = { status: 401, body: '{"code":"no","message":"invalid key","status":401}' };

  test('of the environment', async () => {
    expect(await hintOf('https://pets.test/v1', refused)).toBe(
      'https://pets.test does not accept the key in PETSTORE_API_KEY. Correct it, or unset it and run "petstore auth login".',
    );
  });

  test.each([
    ['', 'Run "petstore auth login --profile my.shop" to replace it.', {}],
    [' --base-url https://other.test/v1', '--base-url', {}],
    [' --staging', '--staging', {}],
    ['', 'PETSTORE_BASE_URL', { PETSTORE_BASE_URL: 'https://other.test/v1' }],
  ])('of a profile%s: %s', async (flags, named, env) => {
    const isElsewhere = !named.startsWith('Run');
    const remedy = isElsewhere
      ? `The key is stored for https://pets.test, but ${named} selects another address. Check ${named}, or pass another --profile.`
      : named;
    const folder = temporaryFolder({
      'config.json': {
        profiles: {
          'my.shop': {
            baseUrl: 'https://pets.test/v1',
            stagingUrl: 'https://other.test/v1',
            keyIn: 'keychain',
          },
        },
      },
    });
    const { stderr } = await runFake(`pets list --profile my.shop${flags}`, {
      env: { PETSTORE_CONFIG_DIR: folder, ...env },
      keychain: { ...openKeychain(), find: () => Promise.resolve('sk-secret') },
      responses: [refused],
    });
    expect(stderr).toContain(
      `hint: https://${isElsewhere ? 'other' : 'pets'}.test does not accept the key of profile "my.shop". ${remedy}\n`,
    );
  });
});
