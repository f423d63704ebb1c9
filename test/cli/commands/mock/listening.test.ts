import { expect, test } from 'vitest';
import { listenOrExplain } from '../../../../src/cli/commands/mock/listening.js';

const PLACE = { host: '127.0.0.1', port: 4010, dnsPort: 5353 };

test.each([
  [{ code: 'EADDRINUSE', port: 4010 }, 'port 4010 is in use', '--port 0'],
  [{ code: 'EADDRINUSE', port: 5353 }, 'port 5353 is in use', '--dns-port 0'],
  [{ code: 'EACCES', port: 5353 }, "can't serve DNS on port 5353 (EACCES)", '--dns-port'],
  [{ code: 'EACCES', port: 4010 }, "can't listen on 127.0.0.1, port 4010 (EACCES)", '--host'],
])('%j: the flag that helps', async (fault, message, hint) => {
  const failing = (): Promise<never> => Promise.reject(Object.assign(new Error('no'), fault));
  await expect(listenOrExplain(failing, PLACE)).rejects.toMatchObject({
    message,
    hint: expect.stringContaining(hint),
  });
});

test('a zone file that is wrong', async () => {
  const failing = (): Promise<never> => Promise.reject(new TypeError('line 7: what is this'));
  await expect(listenOrExplain(failing, PLACE)).rejects.toThrow('--dns-zone: line 7: what is this');
});

test('what listens is handed on', async () => {
  expect(await listenOrExplain(() => Promise.resolve(7), PLACE)).toBe(7);
});
