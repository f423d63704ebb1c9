import { spawn } from 'node:child_process';
import { once } from 'node:events';
import os from 'node:os';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  createMachineClock,
  elapsedMs,
  isProcessDead,
  type MachineTime,
  processName,
} from '../../../../src/client/gate/file/machine.js';

const THEN: MachineTime = { boot: 'a', monotonic: 100_000, uptime: 100_000, wall: 1_000_000 };
const after = (change: Partial<MachineTime>): number => elapsedMs(THEN, { ...THEN, ...change });

describe('the time between two machine times', () => {
  test.each<[string, Partial<MachineTime>, number]>([
    ['is that of the monotonic clock', { monotonic: 105_000.5, uptime: 105_200, wall: 1_005_000 }, 5_000.5],
    ['ignores a wall clock set forward', { monotonic: 105_000, uptime: 105_000, wall: 9_000_000 }, 5_000],
    ['ignores a wall clock set back', { monotonic: 105_000, uptime: 105_000, wall: 5 }, 5_000],
    ['counts the sleep of the machine', { monotonic: 105_000, uptime: 905_000, wall: 1_805_000 }, 805_000],
    ['ignores an uptime that does not advance', { monotonic: 105_000, uptime: 100_000 }, 5_000],
    [
      'is that of the wall clock after a reboot',
      { boot: 'b', monotonic: 200_000, uptime: 200_000, wall: 1_300_000 },
      300_000,
    ],
    [
      'is that of the wall clock if the uptime is shorter',
      { monotonic: 50, uptime: 50, wall: 1_300_000 },
      300_000,
    ],
    [
      'is that of the wall clock if only the monotonic clock is earlier',
      { monotonic: 99_000, uptime: 105_000, wall: 1_300_000 },
      300_000,
    ],
    [
      'is that of the wall clock if only the uptime is earlier',
      { monotonic: 105_000, uptime: 90_000, wall: 1_300_000 },
      300_000,
    ],
    ['is never negative', { boot: 'b', wall: 5 }, 0],
  ])('%s', (_, change, expected) => {
    expect(after(change)).toBe(expected);
  });
});

test('the machine clocks advance, and are the same for all processes', () => {
  const time = createMachineClock();
  const [one, other] = [time(), createMachineClock()()];
  expect(other.boot).toBe(one.boot);
  if (process.platform === 'linux') expect(one.boot).toMatch(/^[0-9a-f-]{36}$/);
  expect(other.monotonic).toBeGreaterThanOrEqual(one.monotonic);
  expect(elapsedMs(one, other)).toBe(other.monotonic - one.monotonic);
});

test('a machine clock reads the uptime again after a sleep, and at least every second', () => {
  const uptime = vi.spyOn(os, 'uptime');
  const wall = vi.spyOn(Date, 'now').mockReturnValue(5_000_000);
  const monotonic = vi.spyOn(process, 'hrtime').mockReturnValue([100, 0]);
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  const time = createMachineClock();
  const uptimeAt = (seconds: number, wallMs: number, uptimeSeconds: number): number => {
    monotonic.mockReturnValue([seconds, 500_000_000]);
    wall.mockReturnValue(wallMs);
    uptime.mockReturnValue(uptimeSeconds);
    return time().uptime;
  };
  expect(uptimeAt(100, 5_000_000, 200)).toBe(200_000);
  // Not read again: a wrong value would show.
  monotonic.mockReturnValue([100, 900_000_000]);
  expect(time().uptime).toBe(200_400);
  expect(uptimeAt(100, 5_901_000, 1_100)).toBe(1_100_000);
  expect(uptimeAt(102, 5_901_000, 1_107)).toBe(1_107_000);
  expect(time().monotonic).toBe(102_500);
});

const own = processName(() => 0.5);
const withPart = (index: number, value: string): string => own.split('-').with(index, value).join('-');

test('returns a unique name that a store accepts', () => {
  expect(own).toMatch(/^[\w.:-]+$/);
  const [namespace, id, started] = own.split('-');
  if (process.platform === 'linux') expect(namespace).toMatch(/^\d+$/);
  expect(id).toBe(String(process.pid));
  expect(Math.abs(Number(started) - performance.timeOrigin)).toBeLessThan(60_000);
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
  ['an ended process of another container', `4242-99999999-1-1`, false],
  ['PID 0', withPart(1, '0'), false],
  ['no PID', withPart(1, 'x'), false],
])('%s', (_, name, isDead) => {
  expect(isProcessDead(name, own)).toBe(isDead);
});
