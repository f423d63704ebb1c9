import { describe, expect, test } from 'vitest';
import { responseAt, doctorIn, failsWith, NOW } from '../../../support/doctor.js';

const { doctor } = doctorIn();

test('reports a key that the service rejects', async () => {
  const body = '{"code":"c","message":"no","status":401}';
  const { found, exitCode } = await doctor({ responses: [responseAt(NOW, { status: 401, body })] });
  expect(exitCode).toBe(1);
  expect(found('key')).toMatchObject({
    state: 'failed',
    finding: expect.stringContaining('rejects it (401)'),
    remedy: 'Set PETSTORE_API_KEY to a key of this service.',
    details: { verdict: 'rejected' },
  });
  expect(found('service').state).toBe('ok');
  expect(found('clock').state).toBe('ok');
});

test('reports a used-up rate limit', async () => {
  const responses = [{ status: 429, headers: { 'retry-after': '9' } }];
  const { found, ok, requests } = await doctor({ responses });
  expect({ ok, sent: requests.length }).toEqual({ ok: true, sent: 1 });
  expect(found('service')).toMatchObject({
    state: 'warn',
    remedy: expect.stringContaining('petstore limits'),
  });
  expect(found('key').finding).toContain('accepts it');
});

test.each([
  ['a failure', { status: 503 }],
  ['a response of something else', { body: '<html>', headers: { 'content-type': 'text/html' } }],
  ['a connection that breaks', new Error('broken')],
])('%s: one request, and the error is reported', async (_, answer) => {
  const { found, exitCode, requests } = await doctor({ responses: [answer] });
  expect({ exitCode, sent: requests.length }).toEqual({ exitCode: 1, sent: 1 });
  expect(found('service')).toMatchObject({ state: 'failed', remedy: expect.stringMatching(/./) });
  expect(found('clock').state).toBe('skipped');
});

describe('a connection that fails', () => {
  test.each([
    ['ENOTFOUND', 'host name pets.test not found: ENOTFOUND'],
    ['EAI_AGAIN', 'host name pets.test not found: EAI_AGAIN'],
    ['ECONNREFUSED', 'no connection to pets.test port 443: ECONNREFUSED'],
    ['ETIMEDOUT', 'no connection to pets.test port 443: ETIMEDOUT'],
  ])('%s', async (code, finding) => {
    const { found, exitCode, requests } = await doctor(failsWith(code));
    expect({ exitCode, sent: requests.length }).toEqual({ exitCode: 1, sent: 1 });
    expect(found('connection')).toMatchObject({
      state: 'failed',
      finding,
      remedy: expect.stringMatching(/./),
    });
    expect(found('certificate').state).toBe('skipped');
    expect(found('service').state).toBe('skipped');
  });

  test.each(['http://127.0.0.1:4010/v1', 'http://[::1]:4010/v1', 'http://localhost:4010/v1'])(
    'suggests to start a mock at %s',
    async (PETSTORE_BASE_URL) => {
      const world = { ...failsWith('ECONNREFUSED'), env: { PETSTORE_BASE_URL } };
      expect((await doctor(world)).found('connection').remedy).toMatch(/^Start .* "petstore mock /);
    },
  );

  test.each(['ENOTFOUND', 'ECONNREFUSED', 'ERR_PROXY_502'])('%s through a proxy', async (code) => {
    const { found } = await doctor({
      ...failsWith(code),
      env: { https_proxy: 'http://ida:hunter2@proxy.test' },
    });
    const reason = code === 'ERR_PROXY_502' ? 'it failed' : code;
    expect(found('connection')).toMatchObject({
      finding: `no connection to pets.test port 443 through the proxy http://proxy.test: ${reason}`,
      remedy: 'Correct https_proxy, or add pets.test to NO_PROXY.',
    });
  });

  test.each(['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER'])('%s: a server without TLS', async (code) => {
    const { found } = await doctor(failsWith(code));
    expect(found('connection').state).toBe('ok');
    expect(found('certificate')).toMatchObject({ state: 'failed', finding: expect.stringContaining(code) });
  });
});

describe('the key', () => {
  const keyless = (headers: Readonly<Record<string, string>> | undefined) =>
    expect(Object.keys(headers ?? {}).map((name) => name.toLowerCase())).not.toContain('authorization');

  test('without one, a request without a key checks the connection and the certificate', async () => {
    const env = { PETSTORE_API_KEY: '' };
    const { found, requests } = await doctor({ env, responses: [{ status: 401 }] });
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /v1/pets?limit=1']);
    keyless(requests[0]?.headers);
    expect(found('connection').state).toBe('ok');
    expect(found('certificate').state).toBe('ok');
    expect(found('service')).toMatchObject({ state: 'skipped', finding: 'no key to send' });
    expect(found('clock').state).toBe('skipped');
  });
});
