import { foreignMessage } from '../../foreign-error.js';
import { quote } from '../../schema/control-characters.js';
import { createGuard, emitWarning, failureMessage, type Guard } from '../../options/guard-callback.js';
import type { Redactor } from '../../security/redact-secret.js';
import type { PetStoreOptions, Warning } from '../contract/options.js';
import type { ClientEvent } from '../contract/events.js';
import { redact, redactSentence } from '../response/redaction.js';

/** Reports to the callbacks of the caller: events, log lines and warnings. */
export interface Reporter {
  /** Emits an event. `undefined` if there is no listener. */
  emit: ((event: ClientEvent) => void) | undefined;
  /** Reports a warning: once, except that each outage of the gate is reported. */
  warn(warning: Warning): void;
  /** Returns a number from 0 to below 1. */
  random: () => number;
}

/** Limits memory and output if a service returns a new unknown status in every response. */
const WARNINGS_MAX = 100;

/**
 * Creates the reporter of a client. An error of a callback never reaches a call: it is a warning, once for each callback.
 *
 * @param lastRedactor returns the redactor of the API key.
 */
export function createReporter(options: PetStoreOptions, lastRedactor: () => Redactor): Reporter {
  const { logger, onEvent, onWarning = emitWarning } = options;
  const guard = createGuard((option, error) => {
    const reason = redact(foreignMessage(error), lastRedactor());
    const message = failureMessage(option, reason, 'Calls continue.');
    const warning: Warning = { code: 'callback-failed', message };
    if (option === 'onWarning') emitWarning(warning);
    else guard('onWarning', (): unknown => onWarning(warning));
  });
  const reported = new Set<string>();
  return {
    emit:
      onEvent === undefined && logger === undefined
        ? undefined
        : (event) => {
            guard('onEvent', () => onEvent?.(event));
            if (logger !== undefined) guard('logger', () => logger.debug(describeEvent(event)));
          },
    warn(warning) {
      const message = redactSentence(warning.message, lastRedactor());
      const isOutage = warning.code === 'gate-degraded' || warning.code === 'gate-restored';
      if (!isOutage && (reported.has(message) || reported.size >= WARNINGS_MAX)) return;
      reported.add(message);
      guard('logger', () => logger?.warn(message));
      guard('onWarning', (): unknown => onWarning({ code: warning.code, message }));
    },
    random: safeRandom(options.random, guard),
  };
}

/** Returns `Math.random()` where the caller's function fails, because jitter must stay between its limits. */
function safeRandom(random: (() => number) | undefined, guard: Guard): () => number {
  if (random === undefined) return Math.random;
  return () => {
    let value = Math.random();
    guard('random', () => {
      const own = random();
      if (!(own >= 0 && own < 1)) throw new Error('it must return a number from 0 to below 1');
      value = own;
    });
    return value;
  };
}

/** Describes an event in one line for a log, such as `#1 request attempt=1 method=GET url=https://…`. */
export function describeEvent({ type, call, ...fields }: ClientEvent): string {
  const words = Object.entries(fields)
    // They can be long.
    .filter(([name]) => name !== 'headers' && name !== 'body')
    .map(([name, value]) => {
      if (typeof value === 'object') return `${name}=${JSON.stringify(value)}`;
      const text = String(value);
      return `${name}=${/^[\x21-\x7e]+$/.test(text) ? text : quote(text)}`;
    });
  return [`#${String(call)} ${type}`, ...words].join(' ');
}
