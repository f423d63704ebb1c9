import { readlinkSync } from 'node:fs';

/**
 * A name of this process that others on the machine can look up: where its number counts (containers number their
 * processes apart), the number, and when it was started, for numbers are given again.
 *
 * @param random keeps apart what a process calls itself twice.
 */
export function processName(random: () => number): string {
  const tail = Math.floor(random() * 2 ** 32).toString(16);
  return [numberSpace(), process.pid, startedAt(), tail].join('-');
}

/**
 * Whether the process of a name is dead for certain.
 *
 * @param own a name of this process.
 */
export function isProcessGone(name: string, own: string): boolean {
  const [space, id, started] = name.split('-');
  const [ownSpace, ownId, ownStarted] = own.split('-');
  const processId = Number(id);
  if (space !== ownSpace || !Number.isSafeInteger(processId) || processId <= 0) return false;
  if (id === ownId) return started !== ownStarted;
  try {
    process.kill(processId, 0);
    return false;
  } catch (error) {
    // Whose process it is does not matter; that there is none does.
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

let started: number | undefined;

/** As `performance.timeOrigin`, without what Node loads for that. Asked once, for it must not follow a clock that is set. */
function startedAt(): number {
  started ??= Math.round(Date.now() - process.uptime() * 1_000);
  return started;
}

function numberSpace(): string {
  if (process.platform !== 'linux') return process.platform;
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? 'linux';
  } catch {
    return 'linux';
  }
}
