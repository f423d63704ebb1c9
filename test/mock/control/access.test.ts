import { describe, expect, test } from 'vitest';
import { handleControlRequest } from '../../../src/mock/control/control.js';
import { createMock } from '../../../src/mock/index.js';

const mock = createMock();

describe('access', () => {
  const from = (peer: string | undefined, headers: Record<string, string>) =>
    handleControlRequest(mock, { method: 'GET', url: '/__mock/health', headers }, peer).then(
      ({ status }) => status,
    );

  test.each([
    ['127.0.0.1', 'localhost:4010', 200],
    ['127.8.9.1', '127.0.0.1', 200],
    ['::1', '[::1]:80', 200],
    ['::ffff:127.0.0.1', 'LOCALHOST', 200],
    ['192.168.0.7', 'localhost', 403],
    ['::ffff:10.0.0.1', 'localhost', 403],
    [undefined, 'localhost', 403],
    ['127.0.0.1', 'evil.example', 403],
    ['127.0.0.1', 'localhost.evil.example', 403],
    ['127.0.0.1', '127.0.0.1.evil.example', 403],
    ['127.0.0.1', '', 403],
  ])('from %s to the host %s gets %i', async (peer, host, status) => {
    expect(await from(peer, { host })).toBe(status);
  });

  test('rejects pages of other origins', async () => {
    const host = 'localhost:4010';
    expect(await from('::1', { host, origin: 'http://localhost:4010' })).toBe(200);
    expect(await from('::1', { host, origin: 'http://localhost:3000' })).toBe(403);
    expect(await from('::1', { host, origin: 'null' })).toBe(403);
    for (const [site, status] of [
      ['same-origin', 200],
      ['none', 200],
      ['same-site', 403],
      ['cross-site', 403],
    ] as const)
      expect(await from('::1', { host, 'sec-fetch-site': site }), site).toBe(status);
  });
});
