import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { Interruption } from '../../../src/cli/system/context.js';
import { createKeychain } from '../../../src/cli/system/keychain.js';

/** Starts a script instead of the keychain process. */
const running = (script: string) => () =>
  spawn(process.execPath, ['-e', script], { stdio: ['pipe', 'pipe', 'ignore'] });
/** A clock whose timers never fire. */
const clock = { now: () => 0, setTimeout: () => () => undefined };
const never = { clock, signal: new AbortController().signal };

test.each([
  [undefined, 3_000, '3 s'],
  [60_000, 60_000, '60 s'],
])('ends the process of a keychain that hangs: %j', async (responseMs, expectedMs, shown) => {
  let child: ReturnType<ReturnType<typeof running>> | undefined;
  const start = running('setInterval(() => {}, 1000)');
  const setTimeout = (callback: () => void, delayMs: number) => {
    expect(delayMs).toBe(expectedMs);
    // The time limit expires at once.
    const handle = setImmediate(callback);
    return () => {
      clearImmediate(handle);
    };
  };
  const context = { ...never, clock: { ...clock, setTimeout } };
  const keychain = createKeychain(() => (child = start()), context, responseMs);
  await expect(keychain.find('shop')).rejects.toThrow(`it did not respond within ${shown}. It may be locked`);
  await new Promise((resolve) => child?.once('exit', resolve));
  expect(child?.signalCode).toBe('SIGKILL');
});

test('ends its process if the command is interrupted', async () => {
  const stop = new AbortController();
  const child = running('setInterval(() => {}, 1000)')();
  const found = createKeychain(() => child, { clock, signal: stop.signal }).find('shop');
  stop.abort(new Interruption(130));
  await expect(found).rejects.toBe(stop.signal.reason);
  await new Promise((resolve) => child.once('exit', resolve));
  expect(child.signalCode).toBe('SIGKILL');
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
