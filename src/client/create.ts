import { ConfigurationError, InvalidInputError } from '../errors.js';
import { stringifyJson } from '../schema/json.js';
import type { RateLimit } from '../schema/rate-limit.js';
import type { Operation } from './response/classify-response.js';
import { keySource } from './endpoint/auth.js';
import { parseBaseUrl, resolvePath } from './endpoint/base-url.js';
import { PendingCall } from './call/pending-call.js';
import { systemClock } from './time/clock.js';
import type { ClientContext } from './call/client-context.js';
import { describeEvent } from './call/event-text.js';
import type { Gate } from './gate/gate.js';
import type { GateStore } from './gate/gate-store.js';
import { findGate } from './gate/registry.js';
import type { ClientEvent, PetStoreOptions, Warning } from './contract/options.js';
import type { PetStore, RequestInput } from './contract/pet-store.js';
import { printable } from './response/printable.js';
import { redact } from './response/redaction.js';
import { createPets } from './resources/pets.js';
import { performCall } from './call/call.js';
import { DEFAULT_SETTINGS, resolveSettings, type Settings } from './call/settings.js';
import { fetchTransport } from './transport/fetch.js';
import type { Transport } from './transport/transport.js';
import { undiciTransport } from './transport/undici.js';

/**
 * Makes a client. Does no I/O: a wrong option is told at once, everything else at the first call.
 *
 * @throws ConfigurationError for an option that is missing or unusable.
 */
export function createPetStore(options: PetStoreOptions): PetStore {
  // Callers without TypeScript may hand in nothing.
  if (typeof (options as unknown) !== 'object') {
    throw new ConfigurationError('No options', { hint: 'Pass at least apiKey and baseUrl.' });
  }
  const { fetch, dispatcher } = options;
  const transport = fetch === undefined ? undiciTransport(dispatcher) : fetchTransport(fetch);
  return createPetStoreOver(transport, options, fetch);
}

/** What stands for the network in the registry of gates: all clients that really send share theirs. */
const NETWORK = {};

/**
 * The same over a transport of the caller's.
 *
 * @param service what tells two services at one address apart; clients with the same one share their gates.
 */
export function createPetStoreOver(
  transport: Transport,
  options: PetStoreOptions,
  service: object = NETWORK,
): PetStore {
  const engine = createEngine(transport, options, service);
  return {
    pets: createPets(engine),
    request: (method, path, input, callOptions) =>
      new PendingCall(
        (async () => performCall(engine, rawOperation(engine, method, path, input), callOptions))(),
      ),
    get rateLimit(): RateLimit | undefined {
      return engine.lastGate()?.rateLimit;
    },
    budget: async () => engine.gateOf(await engine.apiKey()).readBudget(),
    async close() {
      await engine.lastGate()?.flush();
      if (typeof options.gate === 'object') await options.gate.close();
      await transport.close();
    },
  };
}

/** A service that names a new status in every answer must not fill the memory, nor the terminal. */
const WARNINGS_MAX = 100;

function createEngine(transport: Transport, options: PetStoreOptions, service: object): ClientContext {
  const base = parseBaseUrl(options.baseUrl, options.allowInsecure ?? false);
  const clock = options.clock ?? systemClock;
  const warned = new Set<string>();
  const onWarning = options.onWarning ?? emitWarning;
  const warn = (code: Warning['code'], said: string): void => {
    const message = redact(said, gates.lastKey());
    if (warned.has(message) || warned.size >= WARNINGS_MAX) return;
    warned.add(message);
    shielded(() => {
      options.logger?.warn(message);
      onWarning({ code, message });
    });
  };
  const random = options.random ?? Math.random;
  let failedBefore = false;
  const onFailure = (error: unknown): void => {
    if (failedBefore) return;
    failedBefore = true;
    warn('gate-degraded', `${reasonOf(error)}. The rate budget is now limited to this process.`);
  };
  const store = checkGate(options.gate);
  const gates = gateFinder((key) =>
    findGate({ service, clock, random, origin: base.origin, store, onFailure }, key),
  );
  let calls = 0;
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
    emit: eventSink(options),
    warn: ({ code, message }) => {
      warn(code, message);
    },
    nextCallId: () => (calls += 1),
  };
}

const REASON_LENGTH_MAX = 300;

/** Describes the failure of a gate on one line. */
function reasonOf(error: unknown): string {
  const reason = error instanceof Error ? error.message : '';
  return reason === '' ? 'The gate failed' : `The gate failed (${printable(reason, REASON_LENGTH_MAX)})`;
}

/** What is wrong with a client's settings is a fault of its set-up. */
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

/** Finds the gate of a key, and remembers it for the next call: keys change rarely. */
function gateFinder(find: (key: string) => Gate): Pick<ClientContext, 'gateOf' | 'lastGate'> & { lastKey(): string } {
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

function checkGate(option: PetStoreOptions['gate']): GateStore | undefined {
  if (option === undefined || option === 'memory') return undefined;
  if (typeof option === 'object' && typeof (option as Partial<GateStore> | null)?.open === 'function')
    return option;
  throw new ConfigurationError("gate must be 'memory' or a store such as fileGate(…)", { option: 'gate' });
}

/** Joins the listener and the logger. */
function eventSink({ onEvent, logger }: PetStoreOptions): ClientContext['emit'] {
  if (onEvent === undefined && logger === undefined) return undefined;
  return (event: ClientEvent) => {
    shielded(() => {
      onEvent?.(event);
      logger?.debug(describeEvent(event));
    });
  };
}

/** Runs listeners of the caller's. What they throw is reported as uncaught, and never breaks a call half-way. */
function shielded(tell: () => void): void {
  try {
    tell();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}

function emitWarning({ code, message }: Warning): void {
  process.emitWarning(message, { type: 'PetStoreWarning', code });
}

const METHOD = /^[A-Z]+$/;

function rawOperation(
  engine: ClientContext,
  method: string,
  path: string,
  input: RequestInput | undefined,
): Operation<unknown> {
  const verb = method.toUpperCase();
  if (!METHOD.test(verb) || verb === 'CONNECT' || verb === 'TRACE') {
    throw new InvalidInputError('method must be an HTTP method, such as GET', { field: 'method' });
  }
  if (input?.body !== undefined && (verb === 'GET' || verb === 'HEAD')) {
    throw new InvalidInputError(`a ${verb} takes no body`, {
      field: 'body',
      hint: 'send fields as the query, or POST',
    });
  }
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(input?.query ?? {})) {
    if (value !== undefined) search.append(name, String(value));
  }
  const query = search.toString();
  const joint = path.includes('?') ? '&' : '?';
  return {
    method: verb,
    path: resolvePath(engine.base, query === '' ? path : `${path}${joint}${query}`),
    body: input?.body === undefined ? undefined : stringifyJson(input.body),
    validate: (data) => ({ data }),
    explain: () => Promise.resolve('its body has the wrong shape'),
  };
}
