import { createStatusLine, type StatusLine } from '../../src/cli/status/status-line.js';
import { createVirtualClock, NOON, type VirtualClock } from './virtual-clock.js';

/** Rewrites a line of a terminal. */
export const CLEAR = '\r\u001b[K';

/** A status line, and what it wrote since the last call of `take`. */
export interface StatusScreen {
  status: StatusLine;
  clock: VirtualClock;
  stderr: { isTTY: boolean; columns: number | undefined; write(text: string): void };
  take(): string[];
}

export function statusScreen({
  isTTY = true,
  quiet = false,
  columns = 120,
  env = {},
  now = NOON,
}: {
  isTTY?: boolean;
  quiet?: boolean;
  columns?: number;
  env?: Record<string, string>;
  now?: number;
} = {}): StatusScreen {
  let written: string[] = [];
  const clock = createVirtualClock(now);
  const stderr: StatusScreen['stderr'] = { isTTY, columns, write: (text) => void written.push(text) };
  return {
    status: createStatusLine({ stderr, clock, env }, quiet),
    clock,
    stderr,
    take() {
      const taken = written;
      written = [];
      return taken;
    },
  };
}
