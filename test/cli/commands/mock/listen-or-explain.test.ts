import { expect, test } from 'vitest';
import { listenOrExplain } from '../../../../src/cli/commands/mock/listen-or-explain.js';

const PORTS = { host: '127.0.0.1', port: 4010, dnsPort: 5353 };

test.each([
  [{ code: 'EADDRINUSE', port: 4010 }, 'Port 4010 is in use', '--port 0'],
  [{ code: 'EADDRINUSE', port: 5353 }, 'Port 5353 is in use', '--dns-port 0'],
  [{ code: 'EACCES', port: 5353 }, "Can't serve DNS on port 5353 (permission denied)", '--dns-port'],
  [{ code: 'EACCES', port: 4010 }, "Can't listen on 127.0.0.1, port 4010 (permission denied)", '--host'],
])('explains %j with the flag to change', async (properties, message, hint) => {
  const failing = (): Promise<never> => Promise.reject(Object.assign(new Error('no'), properties));
  await expect(listenOrExplain(failing, PORTS)).rejects.toMatchObject({
    message,
    hint: expect.stringContaining(hint),
  });
});

test('reports the line of an invalid zone file', async () => {
  const failing = (): Promise<never> => Promise.reject(new TypeError('line 7: not a time'));
  await expect(listenOrExplain(failing, PORTS)).rejects.toThrow('--dns-zone: line 7: not a time');
});
