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

describe('authorities', () => {
  test('lists the additional files', async () => {
    const file = join(ROOT, 'test/domain/certificates/root.pem');
    const { found } = await doctor({ env: { NODE_EXTRA_CA_CERTS: file } }, `--ca ${file} --offline`);
    expect(found('authorities')).toMatchObject({
      state: 'ok',
      finding: `Node's built-in authorities, and ${file} (--ca) and ${file} (NODE_EXTRA_CA_CERTS)`,
    });
  });

  test('an invalid file must be fixed before the certificate', async () => {
    const { found } = await doctor(failsWith('SELF_SIGNED_CERT_IN_CHAIN'), '--ca /nowhere.pem');
    expect(found('authorities').remedy).toMatch(/ Or remove --ca\.$/);
    expect(found('certificate').remedy).toBe('Fix the check "authorities" first.');
  });
});
