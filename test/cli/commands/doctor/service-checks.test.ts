import { describe, expect, test } from 'vitest';
import { responseAt, DAY_MS, doctorIn, failsWith, NOW, shows } from '../../../support/doctor.js';

const { doctor } = doctorIn();

describe('the certificate', () => {
  test('shows protocol, issuer and validity', async () => {
    const { found } = await doctor(shows({ protocol: 'TLSv1.2' }));
    expect(found('certificate')).toMatchObject({
      state: 'ok',
      finding: 'TLSv1.2, issued by An Authority, valid until 2026-04-02 (90 days left)',
      details: { protocol: 'TLSv1.2', issuer: 'An Authority', daysLeft: 90, distrust: null },
    });
  });

  test.each([
    [3 * DAY_MS, '3 days left'],
    [DAY_MS, '1 day left'],
  ])('warns %i ms before it expires', async (leftMs, finding) => {
    const { found, ok } = await doctor(shows({ validTo: NOW + leftMs }));
    expect(ok).toBe(true);
    expect(found('certificate')).toMatchObject({
      state: 'warn',
      finding: expect.stringContaining(finding),
    });
  });

  test('accepts an unreadable end of validity', async () => {
    expect((await doctor(shows({ validTo: Number.NaN }))).found('certificate')).toMatchObject({
      state: 'ok',
      details: { validTo: null, daysLeft: null },
    });
  });

  test.each([
    [
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      /^The certificate is self-signed\..*--ca FILE or NODE_EXTRA_CA_CERTS=FILE/,
    ],
    ['SELF_SIGNED_CERT_IN_CHAIN', /your company's, trust it with --ca FILE or NODE_EXTRA_CA_CERTS=FILE/],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', /your company's, trust it with --ca FILE/],
    ['ERR_TLS_CERT_ALTNAME_INVALID', /Check the host of the base URL/],
    ['CERT_HAS_EXPIRED', /has expired/],
    ['CERT_NOT_YET_VALID', /Check the clock/],
  ])('%s', async (code, remedy) => {
    const { found } = await doctor(failsWith(code, shows({}).connection));
    expect(found('connection').state).toBe('ok');
    expect(found('certificate')).toMatchObject({
      state: 'failed',
      finding: `issued by An Authority, not trusted: ${code}`,
      remedy: expect.stringMatching(remedy),
      details: { issuer: 'An Authority', distrust: code },
    });
    expect(found('service').state).toBe('skipped');
  });

  test('is unknown behind a proxy that is not trusted', async () => {
    const { found } = await doctor(failsWith('CERT_HAS_EXPIRED'));
    expect(found('certificate')).toMatchObject({
      finding: 'not trusted: CERT_HAS_EXPIRED',
      details: { issuer: null },
    });
  });

  test('is not used for plain http on this machine', async () => {
    const world = {
      connection: { address: '127.0.0.1' },
      env: { PETSTORE_BASE_URL: 'http://127.0.0.1:4010/v1' },
    };
    expect((await doctor(world)).found('certificate').state).toBe('skipped');
  });

  test('fails with NODE_TLS_REJECT_UNAUTHORIZED=0', async () => {
    const { found } = await doctor({ ...shows({}), env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } });
    expect(found('certificate')).toMatchObject({ state: 'failed', remedy: expect.stringContaining('Unset') });
  });
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
    expect(Math.sign(Number(found('clock').details?.behindByMs))).toBe(offMs < 0 ? -1 : 1);
  });

  test.each([
    ...[204, 400, 401, 403, 404, 410, 429, 500, 502, 503].map((status) => ({ status, body: '' })),
    { body: '<html>' },
  ])('is compared with any response: %j', async (response) => {
    const { found } = await doctor({ responses: [responseAt(NOW + 60_000, response)] });
    expect(found('clock')).toMatchObject({
      state: 'warn',
      finding: expect.stringMatching(/^6[01] s behind/),
    });
  });

  test.each([
    [{ body: '[]' }, 'no response with a Date header'],
    [{ status: 503 }, 'no response with a Date header'],
    [Object.assign(new Error('it failed'), { code: 'ECONNRESET' }), 'no response'],
  ])('is skipped without a Date header: %j', async (response, finding) => {
    const { found } = await doctor({ responses: [response] });
    expect(found('clock')).toMatchObject({ state: 'skipped', finding });
  });
});

test.each(['https://pets.test/v1', 'http://127.0.0.1:4010/v1'])(
  'doctor gives no advice to run doctor: %s',
  async (PETSTORE_BASE_URL) => {
    const connection = { address: '127.0.0.1' };
    for (const code of ['ECONNRESET', 'EPIPE']) {
      const { stdout, found } = await doctor({ ...failsWith(code, connection), env: { PETSTORE_BASE_URL } });
      expect(found('service')).toMatchObject({ state: 'failed', remedy: expect.stringMatching(/\.$/) });
      expect(stdout).not.toContain('petstore doctor');
    }
  },
);
