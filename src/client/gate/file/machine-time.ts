import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';

/** A moment on the clocks of a machine, in milliseconds each. Comparable among its processes. */
export interface MachineMoment {
  /** Names this run of the machine, where it has a name. */
  boot: string;
  /** Since the machine was started; stands still while it sleeps, on some systems. */
  monotonic: number;
  /** The same with its sleep, less exact. */
  uptime: number;
  /** Since the epoch. May be set by anybody, at any time. */
  wall: number;
}

/** What a file ledger asks of the machine. */
export type MachineTime = () => MachineMoment;

/** The clocks of this machine. */
export function machineTime(): MachineTime {
  const boot = readBoot();
  return () => {
    const [seconds, nanoseconds] = process.hrtime();
    const monotonic = seconds * 1_000 + nanoseconds / 1e6;
    return { boot, monotonic, uptime: readUptime(monotonic), wall: Date.now() };
  };
}

/** How exact the uptime is, and how long it takes to ask for both. */
const TOLERANCE_MS = 2_000;

/**
 * The time between two moments. The wall clock is believed only where nothing else spans them, since who sets it forward
 * would send earlier than told: after a restart of the machine.
 */
export function elapsedMs(then: MachineMoment, now: MachineMoment): number {
  const monotonic = now.monotonic - then.monotonic;
  const awake = now.uptime - then.uptime;
  const isRestarted = now.boot !== then.boot || monotonic < 0 || awake < -TOLERANCE_MS;
  if (isRestarted) return Math.max(0, now.wall - then.wall);
  return awake - monotonic > TOLERANCE_MS ? awake : monotonic;
}

function readBoot(): string {
  if (process.platform !== 'linux') return '';
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  } catch {
    return '';
  }
}

/** Some sandboxes don't tell it. */
function readUptime(otherwise: number): number {
  try {
    return uptime() * 1_000;
  } catch {
    return otherwise;
  }
}
