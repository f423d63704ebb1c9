import { counted } from '../../errors/counted.js';
import {
  type ClientEvent,
  headerLines,
  unreadableRateLimitHeaders,
  type WaitReason,
} from '../../../client/internal.js';
import type { OutputStream } from '../../system/context.js';
import { toTerminalLine } from '../../output/index.js';

/**
 * Writes a client event to stderr, for `--verbose`. The client has redacted the key.
 *
 * @param causeOf describes why the client waits.
 */
export function logEvent(event: ClientEvent, causeOf: CauseOf, stderr: OutputStream): void {
  const lines = describeEvent(event, causeOf);
  if (lines.length > 0) stderr.write(lines.map((line) => `${toTerminalLine(line)}\n`).join(''));
}

type CauseOf = (reason: WaitReason) => string;

function describeEvent(event: ClientEvent, causeOf: CauseOf): readonly string[] {
  switch (event.type) {
    case 'request':
      return [
        `> ${event.method} ${event.url}`,
        ...headersOf('>', event.headers),
        ...(event.body === undefined ? [] : [`> ${event.body}`]),
      ];
    case 'response':
      return [
        `< ${String(event.status)} in ${String(event.elapsedMs)} ms, ${counted(event.bytes, 'byte')}`,
        ...headersOf('<', event.headers),
        ...unreadableRateLimitHeaders(event.headers).map((line) => `* can't be read: ${line}`),
      ];
    case 'failure':
      return [`< no response after ${String(event.elapsedMs)} ms: ${event.message}`];
    case 'wait':
      return [
        `* waiting${event.delayMs === undefined ? '' : ` ${String(Math.round(event.delayMs))} ms`} (${event.reason}): ${causeOf(event.reason)}`,
      ];
    case 'call-start':
    case 'call-end':
    case 'rate-limit':
      return [];
  }
}

function headersOf(prefix: string, headers: Readonly<Record<string, string>>): readonly string[] {
  return headerLines(headers).map(([name, value]) => `${prefix} ${name}: ${value}`);
}
