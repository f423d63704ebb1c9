import type { ClientEvent } from '../contract/options.js';

/** Returns an event as one line for a log. */
export function describeEvent(event: ClientEvent): string {
  const call = `#${String(event.call)}`;
  switch (event.type) {
    case 'request':
      return `${call} ${event.method} ${event.url} (attempt ${String(event.attempt)})`;
    case 'response':
      return `${call} ${String(event.status)} with ${String(event.bytes)} bytes in ${milliseconds(event.elapsedMs)}`;
    case 'failure':
      return `${call} no response after ${milliseconds(event.elapsedMs)}: ${event.message}`;
    case 'wait':
      return `${call} waits${event.delayMs === undefined ? '' : ` ${milliseconds(event.delayMs)}`} (${event.reason})`;
    case 'rate-limit':
      return `${call} ${String(event.rateLimit.remaining)} of ${String(event.rateLimit.limit)} requests left`;
  }
}

function milliseconds(value: number): string {
  return `${String(Math.round(value))} ms`;
}
