import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { createKeychain } from '../../../src/cli/system/keychain.js';

/** Starts a script instead of the keychain process. */
const running = (script: string) => () =>
  spawn(process.execPath, ['-e', script], { stdio: ['pipe', 'pipe', 'ignore'] });
const never = () => () => undefined;

/** Responds with its request, its arguments and its environment. */
const ECHO = `
  const request = JSON.parse(fs.readFileSync(0, 'utf8'));
  const seen = JSON.stringify({ argv: process.argv, env: process.env });
  process.stdout.write(JSON.stringify({ ok: true, secret: JSON.stringify(request), removed: !seen.includes('sk-secret') }));
`;

test('sends requests through a pipe', async () => {
  const keychain = createKeychain(running(ECHO), never);
  expect(JSON.parse((await keychain.find('shop')) ?? '')).toEqual({ action: 'find', account: 'shop' });
  await keychain.save('shop', 'sk-secret');
  expect(await keychain.remove('shop')).toBe(true);
});

test('ends the process of a keychain that hangs', async () => {
  let child: ReturnType<ReturnType<typeof running>> | undefined;
  const start = running('setInterval(() => {}, 1000)');
  const keychain = createKeychain(
    () => (child = start()),
    (callback, delayMs) => {
      expect(delayMs).toBe(3_000);
      // The time limit expires at once.
      const handle = setImmediate(callback);
      return () => {
        clearImmediate(handle);
      };
    },
  );
  await expect(keychain.find('shop')).rejects.toThrow('it did not respond within 3 s');
  await new Promise((resolve) => child?.once('exit', resolve));
  expect(child?.signalCode).toBe('SIGKILL');
});

test.each([
  ['process.stdout.write(\'{"ok":false,"reason":"it is locked"}\')', 'it is locked'],
  ['process.stdout.write("{")', 'its process ended without a response'],
  ['process.exit(3)', 'its process ended without a response'],
])('%s: %s', async (script, reason) => {
  await expect(createKeychain(running(script), never).find('shop')).rejects.toThrow(reason);
});

test('reports a process that cannot be started', async () => {
  const keychain = createKeychain(() => spawn('/nowhere/node', { stdio: 'pipe' }), never);
  await expect(keychain.save('shop', 'sk-secret')).rejects.toThrow('its process could not be started');
});
