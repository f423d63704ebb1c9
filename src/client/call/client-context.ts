import type { BaseUrl } from '../endpoint/base-url.js';
import type { Clock } from '../time/clock.js';
import type { Gate } from '../gate/gate.js';
import type { ClientEvent, Warning } from '../contract/options.js';
import type { Settings } from './settings.js';
import type { Transport } from '../transport/transport.js';

/** What the calls of one client share. Lives in closures only, so that no print of a client shows it. */
export interface ClientContext {
  transport: Transport;
  base: BaseUrl;
  clock: Clock;
  random: () => number;
  settings: Settings;
  isPaced: boolean;
  /** The key for the next attempt. */
  apiKey(): string | Promise<string>;
  /** The gate of a key at the base URL's origin. */
  gateOf(key: string): Gate;
  /** The gate last asked for. */
  lastGate(): Gate | undefined;
  /** Takes the events of all calls, where anybody listens. */
  emit: ((event: ClientEvent) => void) | undefined;
  /** Gives a notice once. */
  warn(warning: Warning): void;
  /** Numbers the calls, for the events. */
  nextCallId(): number;
}
