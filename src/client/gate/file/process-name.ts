import { nodeModule } from '../../../node-module.js';

const fs = nodeModule('node:fs');

/**
 * Returns a name for this process that other processes of the machine can check: the PID namespace (containers number
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
  const processId = Number(id);
  if (namespace !== ownNamespace || !Number.isSafeInteger(processId) || processId <= 0) return false;
  if (id === ownId) return started !== ownStarted;
  try {
    process.kill(processId, 0);
    return false;
  } catch (error) {
    // EPERM: the process exists, but belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
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
