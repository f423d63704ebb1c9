import { ConfigurationError } from '../../errors.js';
import { HAS_NODE_MODULES } from '../../node-module.js';
import { findProblem, isObject, mustBe, readOptions } from '../../options/check-options.js';
import { createRedactor, type Redactor } from '../../security/redact-secret.js';
import type { CallSettings, PetStoreOptions, Warning } from '../contract/options.js';
import { type BaseUrl, parseBaseUrl } from '../endpoint/base-url.js';
import { type KeySource, keySource } from '../endpoint/key-source.js';
import { describeGateFailure, type GateProblem } from '../gate/fallible-store.js';
import { type GateStore, needsNode } from '../gate/gate-store.js';
import type { Gate } from '../gate/gate.js';
import { type Clock, systemClock } from '../../time/clock.js';
import { isMemoryGateStore } from '../gate/memory-gate.js';
import { closeStore, findGate, type GateOptions } from '../gate/registry.js';
import type { Transport } from '../transport/transport.js';
import { createReporter, type Reporter } from './reporter.js';
import {
  CALL_CHECKS,
  checkClientOptions,
  CLIENT_CHECKS,
  DEFAULT_SETTINGS,
  invalidOption,
  resolveSettings,
  SETTING_CHECKS,
  type Settings,
} from './settings.js';

/**
 * The data that all calls of a client share. Only closures refer to it, so that printing a client does not show the
 * key.
 */
export interface ClientContext extends Reporter {
  transport: Transport;
  base: BaseUrl;
  clock: Clock;
  /** Default settings of all calls. */
  settings: Settings;
  apiKey: KeySource;
  /** Returns what belongs to a key. */
  useKey(apiKey: string): UsedKey;
  /** Returns what belongs to the last key. */
  lastKey(): FirstKey;
  /** The calls in progress. */
  lifecycle: Lifecycle;
  /** Waits for the calls in progress, and closes the gate and the transport. Never rejects because of a gate. */
  close(): Promise<void>;
  nextCallId(): number;
}

/** What belongs to an API key before its first call: no gate. */
interface FirstKey {
  readonly key: string;
  readonly redactor: Redactor;
  readonly gate?: Gate;
}

/** What belongs to an API key. */
interface UsedKey extends FirstKey {
  /** At the origin of the base URL. */
  readonly gate: Gate;
}

/**
 * Checks the options of a client and creates its context.
 *
 * @throws ConfigurationError if an option is missing or invalid.
 */
export function createClientContext(
  transport: Transport,
  given: PetStoreOptions,
  service: object | undefined,
): ClientContext {
  const options = checkClientOptions(given);
  const base = parseBaseUrl(options.baseUrl, options.allowInsecure ?? false);
  const clock = options.clock ?? systemClock;
  const store = checkGate(options.gate);
  const failed = new Set<GateProblem['kind']>();
  const onFailure = (error: unknown, hasFallback: boolean): (() => void) => {
    const { kind, message } = describeGateFailure(error, hasFallback);
    if (!failed.has(kind)) {
      failed.add(kind);
      reporter.warn({ code: 'gate-degraded', message });
    }
    return () => {
      if (failed.delete(kind))
        reporter.warn({ code: 'gate-restored', message: 'The shared rate limit works again.' });
    };
  };
  // Before the first call, a key function has returned no key.
  const firstKey = typeof options.apiKey === 'string' ? options.apiKey : '';
  const { gates, ...keys } = createKeyCache(firstKey, (key) => findGate(gateOptions, key));
  const reporter = createReporter(options, () => keys.lastKey().redactor);
  const gateOptions: GateOptions = {
    service,
    clock,
    random: reporter.random,
    origin: base.origin,
    store,
    onFailure,
    onOtherFormat: () => {
      reporter.warn(OTHER_FORMAT);
    },
  };
  const lifecycle = new Lifecycle();
  let callCount = 0;
  return {
    transport,
    base,
    clock,
    ...reporter,
    settings: resolveSettings(DEFAULT_SETTINGS, options),
    apiKey: keySource(options.apiKey),
    ...keys,
    lifecycle,
    close: () =>
      lifecycle.close(async () => {
        await Promise.all([...gates].map((gate) => gate.flush()));
        if (store !== undefined) await closeStore(store, clock);
        await transport.close();
      }),
    nextCallId: () => (callCount += 1),
  };
}

const OTHER_FORMAT: Warning = {
  code: 'gate-degraded',
  message:
    'This process has two releases of petstore that share no rate budget. Each counts its own requests. ' +
    'To share the budget, use one release, or pass the same fileGate() options to all clients.',
};

function checkGate(option: PetStoreOptions['gate']): GateStore | undefined {
  if (option === undefined || option === 'memory') return undefined;
  const problem = mustBeGate(option, 'gate');
  if (problem !== undefined) throw invalidOption(problem);
  // The name of a stored budget is a digest.
  if (!HAS_NODE_MODULES && !isMemoryGateStore(option)) throw needsNode('A stored budget');
  return option;
}

const mustBeGate = mustBe("'memory' or a store such as fileGate(…)", (value) => {
  const { id, open, close } = (value ?? {}) as Record<string, unknown>;
  return typeof id === 'string' && typeof open === 'function' && typeof close === 'function';
});

/** Above this number of keys, idle gates of the client are forgotten. */
const GATES_MAX = 100;

/** Caches the gate and the redactor of the last key, because keys rarely change. */
function createKeyCache(
  firstKey: string,
  findGate: (key: string) => Gate,
): Pick<ClientContext, 'useKey' | 'lastKey'> & { gates: Set<Gate> } {
  const gates = new Set<Gate>();
  const first: FirstKey = { key: firstKey, redactor: createRedactor(firstKey) };
  let used: UsedKey | undefined;
  return {
    gates,
    useKey(key) {
      if (used?.key === key) return used;
      if (gates.size >= GATES_MAX) for (const gate of gates) if (gate.isIdle) gates.delete(gate);
      used = { key, redactor: createRedactor(key), gate: findGate(key) };
      gates.add(used.gate);
      return used;
    },
    lastKey: () => used ?? first,
  };
}

/**
 * Returns a context with other defaults. It shares everything else.
 *
 * @throws ConfigurationError for an option that can't be changed, or an invalid value.
 */
export function withSettings(client: ClientContext, options: CallSettings): ClientContext {
  const own: CallSettings = isObject(options) ? readOptions(options, SETTING_CHECKS) : options;
  for (const name of isObject(own) ? Object.keys(own) : []) {
    if (Object.hasOwn(SETTING_CHECKS, name)) continue;
    if (!Object.hasOwn(CLIENT_CHECKS, name) && !Object.hasOwn(CALL_CHECKS, name)) continue;
    throw new ConfigurationError(`with() can't change ${name}`, {
      option: name,
      hint: `Pass ${name} to createPetStore() or, if it is an option of a call, to each call.`,
    });
  }
  const problem = findProblem(own, SETTING_CHECKS);
  if (problem !== undefined) throw invalidOption(problem);
  return { ...client, settings: resolveSettings(client.settings, own) };
}

/** Counts the calls of a client in progress, and rejects new ones after `close()`. */
export class Lifecycle {
  /** Whether a response was received. Until then, requests check the gate once more when their connection is ready. */
  hasResponse = false;

  #count = 0;
  #closing: Promise<void> | undefined;
  #onIdle: (() => void) | undefined;

  /** Returns the error of a new call. `undefined` while the client is open. */
  get error(): ConfigurationError | undefined {
    if (this.#closing === undefined) return undefined;
    return new ConfigurationError('The client is closed', {
      hint: 'Create another client with createPetStore(), or close this one later.',
    });
  }

  /** Number of calls in progress. */
  get count(): number {
    return this.#count;
  }

  begin(): void {
    this.#count += 1;
  }

  end(): void {
    this.#count -= 1;
    if (this.#count === 0) this.#onIdle?.();
  }

  /** Waits for the calls in progress, then runs `release`. Every later call returns the same promise. */
  close(release: () => Promise<void>): Promise<void> {
    return (this.#closing ??= this.#whenIdle().then(release));
  }

  #whenIdle(): Promise<void> {
    if (this.#count === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onIdle = resolve;
    });
  }
}
