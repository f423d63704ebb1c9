import { join } from 'node:path';
import { stateDirectory } from '../../files/paths.js';
import { readPrivateFile, writePrivateFile } from '../../files/private-file.js';
import type { Session } from '../../session/action.js';

const DEPRECATION =
  'GET /pets/{petId} is deprecated, and the service removes it on 5 December 2030. Use --via list instead.';
const DAY_MS = 86_400_000;

/**
 * Prints the deprecation of the route, at most once a day. Not an annotation, because a workflow can't change it.
 * Never throws: a state directory that can't be read or written only repeats the notice.
 */
export function noticeDeprecation({ context, global, warn }: Session): void {
  if (global.quiet) return;
  const path = join(stateDirectory(context), 'deprecation-notice');
  const now = context.clock.now();
  const age = now - lastNotice(path, context.userId);
  if (age >= 0 && age < DAY_MS) return;
  warn(DEPRECATION, { annotate: false });
  try {
    writePrivateFile(path, `${new Date(now).toISOString()}\n`, context.userId);
  } catch {
    // The next call prints the notice again.
  }
}

/** @returns milliseconds since the epoch; NaN if unknown. */
function lastNotice(path: string, userId: number | undefined): number {
  try {
    return Date.parse(readPrivateFile(path, 100, userId).trim());
  } catch {
    return Number.NaN;
  }
}
