import { describe, expect, test } from 'vitest';
import { answeredAt, DAY_MS, doctorIn, NOW, sees, shows } from '../../../support/doctor.js';

const { doctor } = doctorIn();

describe('the certificate', () => {
  test('by whom, over what, and for how long', async () => {
    const { found } = await doctor(shows({}, 'TLSv1.2'));
    expect(found('certificate')).toMatchObject({
      state: 'ok',
      finding: 'TLSv1.2, by An Authority, valid until 2026-04-02: 90 days left',
      details: { protocol: 'TLSv1.2', issuer: 'An Authority', daysLeft: 90, distrust: null },
    });
  });

  test.each([
    [3 * DAY_MS, '3 days left'],
    [DAY_MS, '1 day left'],
  ])('one of which the end is near: %i ms', async (leftMs, finding) => {
    const { found, ok } = await doctor(shows({ validTo: NOW + leftMs }));
    expect(ok).toBe(true);
    expect(found('certificate')).toMatchObject({
      state: 'warn',
      finding: expect.stringContaining(finding),
    });
  });

  test('one whose end can not be read', async () => {
    expect((await doctor(shows({ validTo: Number.NaN }))).found('certificate')).toMatchObject({
      state: 'ok',
      details: { validTo: null, daysLeft: null },
    });
  });

  test.each([
    [
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      /^it is signed by itself: .*--ca FILE.* NODE_EXTRA_CA_CERTS=FILE with that/,
    ],
    ['SELF_SIGNED_CERT_IN_CHAIN', /your company's, pass --ca FILE, or export NODE_EXTRA_CA_CERTS=FILE/],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', /your company's, pass --ca FILE/],
    ['ERR_TLS_CERT_ALTNAME_INVALID', /check the host of the base URL/],
    ['CERT_HAS_EXPIRED', /it is over/],
    ['CERT_NOT_YET_VALID', /check the clock/],
  ])('%s: nothing is sent there', async (distrust, remedy) => {
    const { found, requests } = await doctor(shows({ distrust }));
    expect(requests).toEqual([]);
    expect(found('certificate')).toMatchObject({
      state: 'failed',
      finding: `by An Authority, not trusted: ${distrust}`,
      remedy: expect.stringMatching(remedy),
    });
    expect(found('service').state).toBe('skipped');
  });

  test('none for plain http on this machine', async () => {
    const world = {
      ...sees({ address: '127.0.0.1' }),
      env: { PETSTORE_BASE_URL: 'http://127.0.0.1:4010/v1' },
    };
    expect((await doctor(world)).found('certificate').state).toBe('skipped');
  });

  test('nobody checks them with NODE_TLS_REJECT_UNAUTHORIZED=0', async () => {
    const { found } = await doctor({ ...shows({}), env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } });
    expect(found('certificate')).toMatchObject({ state: 'failed', remedy: expect.stringContaining('unset') });
  });
});

describe('the clock', () => {
  test.each([
    [0, 'ok', /^agrees with that of the service, but for 1 s behind it$|to the second$/],
    [-9_000, 'ok', /^agrees with that of the service, but for [89] s ahead of it$/],
    [60_000, 'warn', /^6[01] s behind that of the service$/],
    [-3_600_000, 'warn', /^(?:3600|3599) s ahead of that of the service$/],
  ])('the service by %i ms later', async (offMs, state, finding) => {
    const { found, ok } = await doctor({ answers: [answeredAt(NOW + offMs)] });
    expect(ok).toBe(true);
    expect(found('clock')).toMatchObject({ state, finding: expect.stringMatching(finding) });
    expect(Math.sign(Number(found('clock').details?.behindByMs))).toBe(offMs < 0 ? -1 : 1);
  });

  test('an answer without a time', async () => {
    expect((await doctor({ answers: [{ body: '[]' }] })).found('clock').state).toBe('skipped');
  });
});
