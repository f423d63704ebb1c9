import type { ClientEvent, GateStore } from '../../client/internal.js';
import type { Session } from './session.js';
import type { ClientListener } from './open-client.js';
import type { Settings } from '../settings/config/settings.js';
import type { Context } from '../system/context.js';
import { logEvent } from '../settings/network/http-log.js';
import { namedProxy } from '../settings/network/proxy.js';

/** What a session knows of its requests, and the gate that they pass. */
interface FollowedRequests extends ClientListener {
  /** The method of the last request with a successful response. */
  readonly respondedMethod: string | undefined;
  /** Returns whether a write had a successful response since the last call. */
  takeWrite(): boolean;
  closeGate(): Promise<void>;
}

/** Shows the requests of a session: in the status line, and on stderr with --verbose. */
export function followRequests(
  { context, global, status }: Pick<Session, 'context' | 'global' | 'status'>,
  gateSetting: () => Settings['gate'],
): FollowedRequests {
  let gate: GateStore | undefined;
  let sent = { method: '', url: '' };
  let respondedMethod: string | undefined;
  let hasWritten = false;
  let endGateWait = (): void => undefined;
  return {
    get respondedMethod() {
      return respondedMethod;
    },
    takeWrite() {
      const result = hasWritten;
      hasWritten = false;
      return result;
    },
    onEvent(received) {
      endGateWait();
      if (received.type === 'request') sent = received;
      const event = withProxy(received, sent.url, context);
      status.onEvent(event);
      if (event.type === 'response' && event.status < 300) {
        respondedMethod = sent.method;
        hasWritten ||= sent.method !== 'GET' && sent.method !== 'HEAD';
      }
      if (global.verbose) logEvent(event, status.causeOf, context.stderr);
    },
    onGate(opened) {
      gate = opened;
      const choice = gateSetting();
      // The address may contain a password.
      if (typeof choice === 'object')
        endGateWait = status.startWait(`Waiting for Redis at ${new URL(choice.redisUrl).host}`);
    },
    async closeGate() {
      await gate?.close();
    },
  };
}

/** Says in a failure that the request went through a proxy. */
function withProxy(event: ClientEvent, url: string, context: Context): ClientEvent {
  const proxy = event.type === 'failure' ? namedProxy(url, context) : undefined;
  if (event.type !== 'failure' || proxy === undefined) return event;
  const { origin } = new URL(url);
  return { ...event, message: `${event.message}, ${origin} through the proxy ${proxy.address}` };
}
