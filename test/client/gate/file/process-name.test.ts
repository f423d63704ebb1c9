import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { isProcessDead, processName } from '../../../../src/client/gate/file/machine.js';

const own = processName(() => 0.5);
const withPart = (index: number, value: string): string => own.split('-').with(index, value).join('-');

test('returns a unique name that a ledger accepts', () => {
  expect(own).toMatch(/^[\w.:-]+$/);
  expect(processName(() => 0.25)).not.toBe(own);
});

test('a running process is not dead, an ended one is', async () => {
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  await once(child, 'spawn');
  const name = withPart(1, String(child.pid));
  expect(isProcessDead(name, own)).toBe(false);
  child.kill('SIGKILL');
  await once(child, 'close');
  expect(isProcessDead(name, own)).toBe(true);
});

test.each([
  ['this process', own, false],
  ['an earlier process with the same PID', withPart(2, '1'), true],
  ['a process of another container', withPart(0, '4242'), false],
  ['an invalid name', 'name', false],
  ['PID 0', withPart(1, '0'), false],
])('%s', (_, name, isDead) => {
  expect(isProcessDead(name, own)).toBe(isDead);
});
