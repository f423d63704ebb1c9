import { ConfigurationError, InvalidInputError } from '../../errors.js';
import type { ClientEvent, PetStoreOptions, Warning } from '../contract/options.js';
import { type BaseUrl, parseBaseUrl } from '../endpoint/base-url.js';
import { keySource } from '../endpoint/key-source.js';
import { describeGateFailure } from '../gate/gate-failure.js';
import type { GateStore } from '../gate/gate-store.js';
import type { Gate } from '../gate/gate.js';
import { findGate } from '../gate/registry.js';
import { redact } from '../response/redaction.js';
import { type Clock, systemClock } from '../time/clock.js';
import type { Transport } from '../transport/transport.js';
import { DEFAULT_SETTINGS, resolveSettings, type Settings } from './settings.js';

/**
 * The data that all calls of a client share. Only closures refer to it, so that printing a client does not show the
 * key.
 */
export interface ClientContext {
  transport: Transport;
  base: BaseUrl;
  clock: Clock;
  random: () => number;
  /** Default settings of all calls. */
  settings: Settings;
  /** Whether requests that would exceed the rate limit are delayed. */
  isPaced: boolean;
  /** Returns the key for the next attempt. */
  apiKey(): string | Promise<string>;
  /** Returns the gate of a key at the origin of the base URL. */
  gateOf(apiKey: string): Gate;
  /** Returns the last gate that `gateOf` returned. */
  lastGate(): Gate | undefined;
  /** Emits an event. `undefined` if there is no listener. */
  emit: ((event: ClientEvent) => void) | undefined;
  /** Reports a warning once. */
  warn(warning: Warning): void;
  nextCallId(): number;
}

/**
 * Checks the options of a client and creates its context.
 *
 * @throws ConfigurationError if an option is missing or invalid.
 */
export function createClientContext(
  transport: Transport,
  options: PetStoreOptions,
  service: object,
): ClientContext {
  const base = parseBaseUrl(options.baseUrl, options.allowInsecure ?? false);
  const clock = options.clock ?? systemClock;
  const random = options.random ?? Math.random;
  const store = checkGate(options.gate);
  let hasGateFailed = false;
  const onFailure = (error: unknown): void => {
    if (hasGateFailed) return;
    hasGateFailed = true;
    warn({ code: 'gate-degraded', message: describeGateFailure(error) });
  };
  const gates = createGateCache((key) =>
    findGate({ service, clock, random, origin: base.origin, store, onFailure }, key),
  );
  const warn = createWarn(options, gates.lastKey);
  let callCount = 0;
  return {
    transport,
    base,
    clock,
    random,
    settings: clientSettings(options),
    isPaced: checkPace(options.pace),
    apiKey: keySource(options.apiKey),
    gateOf: gates.gateOf,
    lastGate: gates.lastGate,
    emit: createEmit(options),
    warn,
    nextCallId: () => (callCount += 1),
  };
}

function checkGate(option: PetStoreOptions['gate']): GateStore | undefined {
  if (option === undefined || option === 'memory') return undefined;
  if (typeof option === 'object' && typeof (option as Partial<GateStore> | null)?.open === 'function') {
    return option;
  }
  throw new ConfigurationError("gate must be 'memory' or a store such as fileGate(…)", { option: 'gate' });
}

/** Caches the gate of the last key, because keys rarely change. */
function createGateCache(
  find: (key: string) => Gate,
): Pick<ClientContext, 'gateOf' | 'lastGate'> & { lastKey(): string } {
  let lastKey = '';
  let lastGate: Gate | undefined;
  return {
    gateOf(key) {
      if (lastGate !== undefined && key === lastKey) return lastGate;
      lastKey = key;
      return (lastGate = find(key));
    },
    lastGate: () => lastGate,
    lastKey: () => lastKey,
  };
}

/** Limits memory and output if a service returns a new unknown status in every response. */
const WARNINGS_MAX = 100;

function createWarn(
  { logger, onWarning = emitWarning }: PetStoreOptions,
  lastKey: () => string,
): ClientContext['warn'] {
  const reported = new Set<string>();
  return (warning) => {
    const message = redact(warning.message, lastKey());
    if (reported.has(message) || reported.size >= WARNINGS_MAX) return;
    reported.add(message);
    callListener(() => {
      logger?.warn(message);
      onWarning({ code: warning.code, message });
    });
  };
}

function emitWarning({ code, message }: Warning): void {
  process.emitWarning(message, { type: 'PetStoreWarning', code });
}

/** Calls listeners of the caller. Their errors become uncaught exceptions and do not interrupt a call. */
function callListener(listener: () => void): void {
  try {
    listener();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}

/** Invalid default settings are a configuration error. Invalid settings of one call are an input error. */
function clientSettings(options: PetStoreOptions): Settings {
  try {
    return resolveSettings(DEFAULT_SETTINGS, options);
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    throw new ConfigurationError(error.message, { option: error.field });
  }
}

function checkPace(pace: unknown): boolean {
  if (pace === undefined || pace === 'auto' || pace === 'off') return pace !== 'off';
  throw new ConfigurationError("pace must be 'auto' or 'off'", { option: 'pace' });
}

function createEmit({ onEvent, logger }: PetStoreOptions): ClientContext['emit'] {
  if (onEvent === undefined && logger === undefined) return undefined;
  return (event: ClientEvent) => {
    callListener(() => {
      onEvent?.(event);
      logger?.debug(describeEvent(event));
    });
  };
}

/** Describes an event in one line for a log. */
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
