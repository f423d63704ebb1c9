import type { ClientEvent } from '../../client/index.js';
import type { GateChoice } from '../config/gate.js';
import type { Waiting } from '../progress/waiting.js';

/** Shows the waits of the client: for the shared budget, another call and the service. */
export interface RequestWait {
  onEvent(event: ClientEvent): void;
  /** The next call reads its budget from this store. */
  onGate(choice: GateChoice): void;
  end(): void;
}

/** Creates the waits of one client. A command that sends concurrent requests shows its own progress. */
export function createRequestWait(waiting: Waiting | undefined): RequestWait {
  let end: (() => void) | undefined;
  const show = (text: string | undefined): void => {
    end?.();
    end = text === undefined ? undefined : waiting?.start(text);
  };
  return {
    onEvent(event) {
      switch (event.type) {
        case 'request':
          show(`Waiting for ${new URL(event.url).origin}`);
          break;
        case 'wait':
          // The countdown shows a wait whose end is known.
          show(event.delayMs === undefined ? 'Waiting for another request with this key' : undefined);
          break;
        case 'response':
        case 'failure':
        case 'call-end':
          show(undefined);
          break;
        case 'call-start':
        case 'rate-limit':
      }
    },
    onGate(choice) {
      // The address may contain a password.
      if (typeof choice === 'object') show(`Waiting for Redis at ${new URL(choice.redisUrl).host}`);
    },
    end() {
      show(undefined);
    },
  };
}
