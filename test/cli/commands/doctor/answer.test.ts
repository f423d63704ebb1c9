import { expect, test } from 'vitest';
import { answeredAt, doctorIn, NOW } from '../../../support/doctor.js';

const { doctor } = doctorIn();

test('a key that is refused', async () => {
  const body = '{"code":"c","message":"no","status":401}';
  const { found, exitCode } = await doctor({ answers: [answeredAt(NOW, { status: 401, body })] });
  expect(exitCode).toBe(1);
  expect(found('key')).toMatchObject({
    state: 'failed',
    finding: expect.stringContaining('refuses it (401)'),
    remedy: 'set PETSTORE_API_KEY to a key of this service',
    details: { verdict: 'refused' },
  });
  expect(found('service').state).toBe('ok');
  expect(found('clock').state).toBe('ok');
});

test('a rate limit that is used up', async () => {
  const answers = [{ status: 429, headers: { 'retry-after': '9' } }];
  const { found, ok, requests } = await doctor({ answers });
  expect({ ok, sent: requests.length }).toEqual({ ok: true, sent: 1 });
  expect(found('service')).toMatchObject({
    state: 'warn',
    remedy: expect.stringContaining('petstore limits'),
  });
  expect(found('key').finding).toContain('accepts it');
});

test.each([
  ['a failure', { status: 503 }],
  ['what is no pet store', { body: '<html>', headers: { 'content-type': 'text/html' } }],
  ['a connection that breaks', new Error('broken')],
])('%s: asked once, and what is wrong is told', async (_, answer) => {
  const { found, exitCode, requests } = await doctor({ answers: [answer] });
  expect({ exitCode, sent: requests.length }).toEqual({ exitCode: 1, sent: 1 });
  expect(found('service')).toMatchObject({ state: 'failed', remedy: expect.stringMatching(/./) });
  expect(found('clock').state).toBe('skipped');
});
