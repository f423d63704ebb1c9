import { nodeModule } from '../../../node-module.js';
import { systemErrorCode } from '../../../security/system-error.js';

const fs = nodeModule('node:fs');
const os = nodeModule('node:os');

/** A time on the clocks of a machine, in milliseconds. Comparable between its processes. */
export interface MachineTime {
  /** Id of this boot of the machine. Empty if it has none. */
  boot: string;
  /** Since boot. Excludes sleep on some systems. */
  monotonic: number;
  /** Since boot, including sleep. Less exact. */
  uptime: number;
  /** Since the epoch. Users may set it at any time. */
  wall: number;
}

/** A read of the uptime takes as long as one of a file. A sleep that is shorter than this does not matter. */
const UPTIME_REUSE_MS = 1_000;

/** Returns a function that reads the clocks of this machine. */
export function createMachineClock(): () => MachineTime {
  const boot = readBootId();
  let last: MachineTime | undefined;
  return () => {
    const [seconds, nanoseconds] = process.hrtime();
    const monotonic = seconds * 1_000 + nanoseconds / 1e6;
    const wall = Date.now();
    if (last !== undefined) {
      const elapsed = monotonic - last.monotonic;
      // After a sleep, the wall clock is ahead.
      const isAwake = Math.max(elapsed, Math.abs(wall - last.wall)) < UPTIME_REUSE_MS;
      if (isAwake) return { boot, monotonic, uptime: last.uptime + elapsed, wall };
    }
    last = { boot, monotonic, uptime: readUptime(monotonic), wall };
    return last;
  };
}

/** Precision of the uptime, plus the time to read both clocks. */
const TOLERANCE_MS = 2_000;

/**
 * Returns the milliseconds between two times. Uses the wall clock only after a reboot: a wall clock set forward would
 * release requests before a Retry-After has passed.
 */
export function elapsedMs(then: MachineTime, now: MachineTime): number {
  const monotonic = now.monotonic - then.monotonic;
  const withSleep = now.uptime - then.uptime;
  const isRebooted = now.boot !== then.boot || monotonic < 0 || withSleep < -TOLERANCE_MS;
  if (isRebooted) return Math.max(0, now.wall - then.wall);
  return withSleep - monotonic > TOLERANCE_MS ? withSleep : monotonic;
}

function readBootId(): string {
  if (process.platform !== 'linux') return '';
  try {
    return fs.readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  } catch {
    return '';
  }
}

/** Reads the uptime. Some sandboxes forbid this. */
function readUptime(fallback: number): number {
  try {
    return os.uptime() * 1_000;
  } catch {
    return fallback;
  }
}

/**
 * Returns a name for this process that other processes of the machine can check. It has the
 * PID namespace (containers number
 * their processes separately), the PID, the start time (PIDs are reused), and a random part.
 *
 * @param random source of the random part, which makes several names of one process unique.
 */
export function processName(random: () => number): string {
  const tail = Math.floor(random() * 2 ** 32).toString(16);
  return [pidNamespace(), process.pid, startTime(), tail].join('-');
}

/**
 * Checks whether the process of a name is certainly dead.
 *
 * @param own a name of this process.
 */
export function isProcessDead(name: string, own: string): boolean {
  const [namespace, id, started] = name.split('-');
  const [ownNamespace, ownId, ownStarted] = own.split('-');
  if (namespace !== ownNamespace) return false;
  if (id === ownId) return started !== ownStarted;
  try {
    process.kill(Number(id), 0);
    return false;
  } catch (error) {
    // EPERM: the process exists, but belongs to another user. Other codes: the name has no PID.
    return systemErrorCode(error) === 'ESRCH';
  }
}

let started: number | undefined;

/** Like `performance.timeOrigin`, which takes longer to load. Computed once, because the wall clock may be set. */
function startTime(): number {
  started ??= Math.round(Date.now() - process.uptime() * 1_000);
  return started;
}

function pidNamespace(): string {
  if (process.platform !== 'linux') return process.platform;
  try {
    return /\d+/.exec(fs.readlinkSync('/proc/self/ns/pid'))?.[0] ?? 'linux';
  } catch {
    return 'linux';
  }
}
