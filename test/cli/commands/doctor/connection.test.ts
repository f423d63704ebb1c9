import { describe, expect, test } from 'vitest';
import { doctorIn, fails } from '../../../support/doctor.js';

const { doctor } = doctorIn();

describe('the way to the service', () => {
  test.each([
    ['name', 'ENOTFOUND', /^the name of pets\.test port 443 can't be resolved: ENOTFOUND$/],
    ['connection', 'ECONNREFUSED', /^no connection to pets\.test port 443: ECONNREFUSED$/],
  ] as const)('%s: %s', async (step, reason, finding) => {
    const { found, exitCode, requests } = await doctor(fails(step, reason));
    expect({ exitCode, requests }).toEqual({ exitCode: 1, requests: [] });
    expect(found('connection')).toMatchObject({
      state: 'failed',
      finding: expect.stringMatching(finding),
      remedy: expect.stringContaining('petstore '),
    });
    expect(found('certificate').state).toBe('skipped');
  });

  test.each(['http://127.0.0.1:4010/v1', 'http://[::1]:4010/v1', 'http://localhost:4010/v1'])(
    'nobody listens at %s of this machine',
    async (PETSTORE_BASE_URL) => {
      const world = { ...fails('connection', 'ECONNREFUSED'), env: { PETSTORE_BASE_URL } };
      expect((await doctor(world)).found('connection').remedy).toMatch(/^start .* petstore mock /);
    },
  );

  // The first that is looked up and spoken to is the proxy.
  test.each(['name', 'connection', 'proxy'] as const)('by a proxy that fails at %s', async (step) => {
    const { found } = await doctor({
      ...fails(step, 'it broke'),
      env: { https_proxy: 'http://ida:hunter2@proxy.test' },
    });
    expect(found('connection')).toMatchObject({
      finding: 'nothing gets through to pets.test port 443 by the proxy http://proxy.test: it broke',
      remedy: 'correct https_proxy, or name pets.test in NO_PROXY',
    });
  });

  test('somebody who speaks no TLS', async () => {
    const { found, requests } = await doctor(fails('tls', 'EPROTO'));
    expect(found('connection').state).toBe('ok');
    expect(found('certificate')).toMatchObject({
      state: 'failed',
      finding: expect.stringContaining('EPROTO'),
    });
    expect(requests).toEqual([]);
  });
});

describe('the resolvers', () => {
  const answering = (answers: Record<string, string[] | Error>) => ({
    inspector: {
      resolvers: () => Object.keys(answers),
      resolve: (_name: string, resolver: string) => {
        const answer = answers[resolver] ?? new Error('nobody asks this one');
        return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
      },
    },
  });

  test('each is asked for the host', async () => {
    const world = answering({ '192.0.2.53': ['192.0.2.80'], '192.0.2.54': new Error('ENOTFOUND') });
    expect((await doctor(world)).found('resolvers')).toMatchObject({
      state: 'ok',
      finding: '192.0.2.53 has pets.test at 192.0.2.80; 192.0.2.54 knows no address of pets.test',
      details: { host: 'pets.test', answers: [{ addresses: ['192.0.2.80'] }, { code: 'ENOTFOUND' }] },
    });
  });

  test('one that does not answer is named', async () => {
    const world = answering({ '192.0.2.53': ['192.0.2.80'], '192.0.2.54': new Error('ETIMEOUT') });
    expect((await doctor(world)).found('resolvers')).toMatchObject({
      state: 'warn',
      finding: expect.stringContaining('192.0.2.54 does not answer for pets.test (ETIMEOUT)'),
      remedy: expect.stringMatching(/^take 192\.0\.2\.54 out of /),
    });
  });

  test('none at all', async () => {
    expect((await doctor(answering({}))).found('resolvers').state).toBe('warn');
  });

  test.each<[string, Record<string, string>, string]>([
    ['an address', { PETSTORE_BASE_URL: 'https://[2001:db8::1]/v1' }, 'the base URL names an address'],
    ['this machine', { PETSTORE_BASE_URL: 'http://localhost:4010/v1' }, 'the base URL is of this machine'],
    ['a proxy', { HTTPS_PROXY: 'http://proxy.test' }, 'the proxy looks up pets.test'],
    ['a name alone', { PETSTORE_BASE_URL: 'https://pets/v1' }, 'pets is a name of this network alone'],
  ])('are not told of what is none of their business: %s', async (_, env, why) => {
    const { found } = await doctor({ ...answering({ '192.0.2.53': new Error('it was told') }), env });
    expect(found('resolvers')).toMatchObject({ state: 'ok', finding: `192.0.2.53; not asked: ${why}` });
  });
});
