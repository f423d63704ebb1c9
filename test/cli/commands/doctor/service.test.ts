import { describe, expect, test } from 'vitest';
import { doctorIn, failsWith, NOTHING, NOW, responseAt } from '../../../support/doctor.js';

const { doctor } = doctorIn();
const PROXY = 'http://ida:hunter2@proxy.test:3128';

test('reports a key that the service rejects', async () => {
  const body = '{"code":"c","message":"no","status":401}';
  const { found, exitCode } = await doctor({ responses: [responseAt(NOW, { status: 401, body })] });
  expect(exitCode).toBe(1);
  expect(found('key')).toMatchObject({
    state: 'failed',
    finding: expect.stringContaining('rejects it (401)'),
    remedy: 'Set PETSTORE_API_KEY to a key of this service.',
  });
  for (const id of ['connection', 'service', 'clock']) expect(found(id).state).toBe('ok');
});

test('reports a used-up rate limit', async () => {
  const responses = [{ status: 429, headers: { 'retry-after': '9' } }];
  const { found, ok, requests } = await doctor({ responses });
  expect({ ok, sent: requests.length }).toEqual({ ok: true, sent: 1 });
  expect(found('service')).toMatchObject({ state: 'warn', remedy: 'petstore limits' });
  expect(found('key').finding).toContain('accepts it');
});

test.each([
  ['a failure', { status: 503 }],
  ['a response of something else', { body: '<html>', headers: { 'content-type': 'text/html' } }],
])('%s: one request, and the error is reported', async (_, answer) => {
  const { found, exitCode, requests } = await doctor({ responses: [answer] });
  expect({ exitCode, sent: requests.length }).toEqual({ exitCode: 1, sent: 1 });
  expect(found('connection').state).toBe('ok');
  expect(found('service')).toMatchObject({ state: 'failed', remedy: expect.stringMatching(/./) });
  expect(found('clock').state).toBe('skipped');
});

test('without a key nothing is sent', async () => {
  const { found, requests } = await doctor({ env: { PETSTORE_API_KEY: '' } });
  expect(requests).toEqual([]);
  for (const id of ['connection', 'service', 'clock'])
    expect(found(id)).toMatchObject({ state: 'skipped', finding: 'no key to send' });
  expect((await doctor({ env: NOTHING })).found('connection').finding).toBe('no base URL');
});

describe('a connection that fails', () => {
  test.each([
    ['ENOTFOUND', /can't be resolved/],
    ['ECONNREFUSED', /^Nothing listens at https:\/\/pets\.test\./],
    ['ETIMEDOUT', /^Check the network and the base URL \(https:\/\/pets\.test\)\.$/],
    ['ECONNRESET', /^Check the network/],
    ['SELF_SIGNED_CERT_IN_CHAIN', /trust it with --ca FILE or NODE_EXTRA_CA_CERTS=FILE/],
    ['ERR_TLS_CERT_ALTNAME_INVALID', /Check the host of the base URL/],
    ['CERT_HAS_EXPIRED', /has expired/],
    ['CERT_NOT_YET_VALID', /Check the clock/],
    ['ERR_SSL_WRONG_VERSION_NUMBER', /does not use TLS/],
  ])('%s', async (code, remedy) => {
    const { found, exitCode, requests, stdout } = await doctor(failsWith(code));
    expect({ exitCode, sent: requests.length }).toEqual({ exitCode: 1, sent: 1 });
    expect(found('connection')).toMatchObject({
      state: 'failed',
      finding: `No response from https://pets.test (${code})`,
      remedy: expect.stringMatching(remedy),
    });
    expect(found('service')).toMatchObject({ state: 'skipped', finding: 'no connection' });
    // It gives no advice to run itself.
    expect(stdout).not.toContain('petstore doctor');
  });

  test.each(['https://pets.test/v1', 'http://127.0.0.1:4010/v1'])(
    'gives no advice to run doctor: %s',
    async (PETSTORE_BASE_URL) => {
      for (const code of ['ECONNRESET', 'EPIPE', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE']) {
        const { stdout, found } = await doctor({ ...failsWith(code), env: { PETSTORE_BASE_URL } });
        expect(found('connection').remedy).toMatch(/\.$/);
        expect(stdout).not.toContain('petstore doctor');
      }
    },
  );

  test.each([
    ['ENOTFOUND', 'Check https_proxy, or add the host of the service to NO_PROXY.'],
    ['ECONNREFUSED', 'Check https_proxy, or add the host of the service to NO_PROXY.'],
    [
      'ERR_PROXY_502',
      'could not connect to https://pets.test. Check the base URL, or add its host to NO_PROXY.',
    ],
  ])('%s through a proxy', async (code, remedy) => {
    const { found, stdout } = await doctor({ ...failsWith(code), env: { https_proxy: PROXY } });
    expect(found('connection')).toMatchObject({
      state: 'failed',
      remedy: expect.stringContaining('proxy.test:3128'),
    });
    expect(found('connection').remedy).toContain(remedy);
    expect(stdout).not.toContain('hunter2');
  });
});

test.each<[string, Record<string, string>, string]>([
  ['no proxy', {}, 'connected to pets.test'],
  [
    'a proxy',
    { HTTPS_PROXY: PROXY },
    'connected to pets.test through the proxy proxy.test:3128 (HTTPS_PROXY)',
  ],
  ['NO_PROXY', { HTTPS_PROXY: PROXY, NO_PROXY: 'a.test, .test' }, 'connected to pets.test'],
])('a connection with %s', async (_, env, finding) => {
  const { found, stdout } = await doctor({ env });
  expect(found('connection')).toMatchObject({ state: 'ok', finding });
  expect(stdout).not.toContain('hunter2');
});

test.each([
  ['https://pets.test/v1', 'failed'],
  ['http://127.0.0.1:4010/v1', 'ok'],
])('NODE_TLS_REJECT_UNAUTHORIZED=0 with %s: %s', async (PETSTORE_BASE_URL, state) => {
  const env = { PETSTORE_BASE_URL, NODE_TLS_REJECT_UNAUTHORIZED: '0' };
  expect((await doctor({ env })).found('connection').state).toBe(state);
});

describe('the clock', () => {
  test.each([
    [0, 'ok', /^1 s behind the service$|^same time as the service$/],
    [-9_000, 'ok', /^[89] s ahead of the service$/],
    [60_000, 'warn', /^6[01] s behind the service$/],
    [-3_600_000, 'warn', /^(?:3600|3599) s ahead of the service$/],
  ])('%i ms behind the service', async (offMs, state, finding) => {
    const { found, ok } = await doctor({ responses: [responseAt(NOW + offMs)] });
    expect(ok).toBe(true);
    expect(found('clock')).toMatchObject({ state, finding: expect.stringMatching(finding) });
  });

  test.each([...[204, 400, 401, 404, 429, 503].map((status) => ({ status, body: '' })), { body: '<html>' }])(
    'is compared with any response: %j',
    async (response) => {
      const { found } = await doctor({ responses: [responseAt(NOW + 60_000, response)] });
      expect(found('clock')).toMatchObject({
        state: 'warn',
        finding: expect.stringMatching(/^6[01] s behind/),
      });
    },
  );

  test.each([{ body: '[]' }, { status: 503 }, Object.assign(new Error('it failed'), { code: 'ECONNRESET' })])(
    'is skipped without a Date header: %j',
    async (response) => {
      const { found } = await doctor({ responses: [response] });
      expect(found('clock')).toMatchObject({ state: 'skipped', finding: 'no response with a Date header' });
    },
  );
});
