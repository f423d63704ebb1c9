import { describe, expect, test } from 'vitest';
import { doctorIn } from '../../../support/doctor.js';

const { doctor } = doctorIn();
const PROXY = 'http://ida:hunter2@proxy.test:3128';

describe('the proxy', () => {
  test('in force, its password unseen', async () => {
    const { found, stdout } = await doctor({ env: { https_proxy: PROXY } });
    expect(found('proxy')).toMatchObject({
      state: 'ok',
      finding: 'http://proxy.test:3128 with a login, from https_proxy',
      details: { address: 'http://proxy.test:3128', hasLogin: true, from: 'https_proxy' },
    });
    expect(found('connection').finding).toBe(
      'pets.test port 443 answers by the proxy http://proxy.test:3128',
    );
    expect(stdout).not.toContain('hunter2');
  });

  test.each<[string, Record<string, string>, string]>([
    ['NO_PROXY', { NO_PROXY: 'a.test, .test' }, 'that of HTTPS_PROXY is not used: NO_PROXY has ".test"'],
    ['no_proxy', { no_proxy: '*' }, 'that of HTTPS_PROXY is not used: no_proxy has "*"'],
    [
      'loopback',
      { PETSTORE_BASE_URL: 'https://localhost/v1' },
      'that of HTTPS_PROXY is not used: the base URL is of this machine',
    ],
    ['another host', { NO_PROXY: 'a.test' }, 'http://proxy.test:3128 with a login, from HTTPS_PROXY'],
    ['none', { HTTPS_PROXY: '' }, 'none is used'],
  ])('%s', async (_, env, finding) => {
    const { found, stdout } = await doctor({ env: { HTTPS_PROXY: PROXY, ...env } });
    expect(found('proxy')).toMatchObject({ state: 'ok', finding });
    expect(stdout).not.toContain('hunter2');
  });
});

test('authorities that can not be read are what to see to first', async () => {
  const { found } = await doctor(
    {
      inspector: {
        shakeHands: () =>
          Promise.resolve({
            address: '192.0.2.80',
            certificate: { issuer: 'Own', validTo: 4e12, distrust: 'SELF_SIGNED_CERT_IN_CHAIN' },
          }),
      },
    },
    '--ca /nowhere.pem',
  );
  expect(found('authorities').remedy).toBe('check the path, or leave out --ca');
  expect(found('certificate').remedy).toBe('see to authorities first');
});
