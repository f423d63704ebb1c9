import { describe, expect, test } from 'vitest';
import { join } from 'node:path';
import { doctorIn, failsWith } from '../../../support/doctor.js';
import { ROOT } from '../../../support/source-tree.js';

const { doctor } = doctorIn();
const PROXY = 'http://ida:hunter2@proxy.test:3128';

describe('the proxy', () => {
  test('is shown without its password', async () => {
    const { found, stdout } = await doctor({ env: { https_proxy: PROXY } });
    expect(found('proxy')).toMatchObject({
      state: 'ok',
      finding: 'http://proxy.test:3128 with a login, from https_proxy',
      details: { address: 'http://proxy.test:3128', hasLogin: true, from: 'https_proxy' },
    });
    expect(found('connection').finding).toBe(
      'connected to pets.test port 443 through the proxy http://proxy.test:3128',
    );
    expect(stdout).not.toContain('hunter2');
  });

  test.each<[string, Record<string, string>, string]>([
    [
      'NO_PROXY',
      { NO_PROXY: 'a.test, .test' },
      'the proxy of HTTPS_PROXY is not used: NO_PROXY contains ".test"',
    ],
    ['no_proxy', { no_proxy: '*' }, 'the proxy of HTTPS_PROXY is not used: no_proxy contains "*"'],
    [
      'loopback',
      { PETSTORE_BASE_URL: 'https://localhost/v1' },
      'the proxy of HTTPS_PROXY is not used: the base URL is on this machine',
    ],
    ['another host', { NO_PROXY: 'a.test' }, 'http://proxy.test:3128 with a login, from HTTPS_PROXY'],
    ['none', { HTTPS_PROXY: '' }, 'none'],
  ])('%s', async (_, env, finding) => {
    const { found, stdout } = await doctor({ env: { HTTPS_PROXY: PROXY, ...env } });
    expect(found('proxy')).toMatchObject({ state: 'ok', finding });
    expect(stdout).not.toContain('hunter2');
  });
});

describe('resolvers', () => {
  const answering = (answers: Record<string, string[] | Error>) => ({
    dnsServers: {
      list: () => Object.keys(answers),
      resolve: (_name: string, resolver: string) => {
        const answer = answers[resolver] ?? new Error('unexpected query');
        return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
      },
    },
  });

  test('queries each server for the host', async () => {
    const world = answering({ '192.0.2.53': ['192.0.2.80'], '192.0.2.54': new Error('ENOTFOUND') });
    expect((await doctor(world)).found('resolvers')).toMatchObject({
      state: 'ok',
      finding: '192.0.2.53: pets.test is 192.0.2.80; 192.0.2.54: no address of pets.test',
      details: { host: 'pets.test', answers: [{ addresses: ['192.0.2.80'] }, { code: 'ENOTFOUND' }] },
    });
  });

  test('names a server that does not respond', async () => {
    const world = answering({ '192.0.2.53': ['192.0.2.80'], '192.0.2.54': new Error('ETIMEOUT') });
    expect((await doctor(world)).found('resolvers')).toMatchObject({
      state: 'warn',
      finding: expect.stringContaining('192.0.2.54: no response for pets.test (ETIMEOUT)'),
      remedy: expect.stringMatching(/^Fix 192\.0\.2\.54, or remove it from /),
    });
  });

  test('warns if the machine has none', async () => {
    expect((await doctor(answering({}))).found('resolvers').state).toBe('warn');
  });

  test.each<[string, Record<string, string>, string]>([
    ['an address', { PETSTORE_BASE_URL: 'https://[2001:db8::1]/v1' }, 'the base URL contains an IP address'],
    ['this machine', { PETSTORE_BASE_URL: 'http://localhost:4010/v1' }, 'the base URL is on this machine'],
    ['a proxy', { HTTPS_PROXY: 'http://proxy.test' }, 'the proxy resolves pets.test'],
    ['a name alone', { PETSTORE_BASE_URL: 'https://pets/v1' }, 'pets is a local name'],
  ])('are not queried: %s', async (_, env, why) => {
    const { found } = await doctor({ ...answering({ '192.0.2.53': new Error('queried') }), env });
    expect(found('resolvers')).toMatchObject({ state: 'ok', finding: `192.0.2.53; not queried: ${why}` });
  });
});

describe('authorities', () => {
  test('lists the additional files', async () => {
    const file = join(ROOT, 'test/domain/certificates/root.pem');
    const { found } = await doctor({ env: { NODE_EXTRA_CA_CERTS: file } }, `--ca ${file} --offline`);
    expect(found('authorities')).toMatchObject({
      state: 'ok',
      finding: `Node's built-in authorities, and ${file} (--ca) and ${file} (NODE_EXTRA_CA_CERTS)`,
      details: {
        files: [
          { source: '--ca', certificates: 1 },
          { source: 'NODE_EXTRA_CA_CERTS', certificates: 1 },
        ],
      },
    });
  });

  test('an invalid file must be fixed before the certificate', async () => {
    const { found } = await doctor(failsWith('SELF_SIGNED_CERT_IN_CHAIN'), '--ca /nowhere.pem');
    expect(found('authorities').remedy).toMatch(/ Or remove --ca\.$/);
    expect(found('certificate').remedy).toBe('Fix the check "authorities" first.');
  });
});
