import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { isProcessDead, processName } from '../../../../src/client/gate/file/process-name.js';

const own = processName(() => 0.5);
const withPart = (index: number, value: string): string => own.split('-').with(index, value).join('-');

test('a process has a name that a ledger takes, and two where it asks twice', () => {
  expect(own).toMatch(/^[\w.:-]+$/);
  expect(processName(() => 0.25)).not.toBe(own);
});

test('a process that lives is not gone, and one that has ended is', async () => {
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
  ['a process that had our number before us', withPart(2, '1'), true],
  ['a process of another container', withPart(0, '4242'), false],
  ['what is no name', 'nobody', false],
  ['a number that names many', withPart(1, '0'), false],
])('%s', (_, name, gone) => {
  expect(isProcessDead(name, own)).toBe(gone);
});
