import { foreignMessage } from '../../foreign-error.js';
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
  const guard = createGuard(lastRedactor, onWarning);
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

type Guard = (option: string, callback: () => unknown) => void;

function createGuard(lastRedactor: () => Redactor, onWarning: (warning: Warning) => unknown): Guard {
  const failed = new Set<string>();
  const report = (option: string, error: unknown): void => {
    if (failed.has(option)) return;
    failed.add(option);
    const reason = redact(foreignMessage(error), lastRedactor());
    const message = `The option ${option} failed (${reason}). Calls continue; its later errors are not reported.`;
    const warning: Warning = { code: 'callback-failed', message };
    if (option === 'onWarning') emitWarning(warning);
    else guard('onWarning', () => onWarning(warning));
  };
  const guard: Guard = (option, callback) => {
    try {
      const result = callback();
      // Such as of an async function. A promise of another realm is not an instance of Promise.
      if (isThenable(result)) {
        Promise.resolve(result).catch((error: unknown) => {
          report(option, error);
        });
      }
    } catch (error) {
      report(option, error);
    }
  };
  return guard;
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | null | undefined)?.then === 'function';
}

/** Returns `Math.random()` where the caller's function fails, because jitter must stay between its limits. */
function safeRandom(random: (() => number) | undefined, guard: Guard): () => number {
  if (random === undefined) return Math.random;
  return () => {
    let value = Number.NaN;
    guard('random', () => {
      value = random();
      if (!(value >= 0 && value < 1)) throw new Error('it must return a number from 0 to below 1');
    });
    return value >= 0 && value < 1 ? value : Math.random();
  };
}

/** Emits a process warning, or writes to the console in a runtime without them. */
function emitWarning({ code, message }: Warning): void {
  try {
    // In the edge runtime of Next it throws.
    process.emitWarning(message, { type: 'PetStoreWarning', code });
  } catch {
    // eslint-disable-next-line no-console -- the only output that all runtimes have
    console.warn(`PetStoreWarning: ${message}`);
  }
}

/** Describes an event in one line for a log. */
export function describeEvent(event: ClientEvent): string {
  const call = `#${String(event.call)}`;
  switch (event.type) {
    case 'call-start':
      return `${call} ${event.operation}${event.parent === undefined ? '' : ` (part of #${String(event.parent)})`}`;
    case 'call-end':
      return `${call} ${event.operation} ${event.errorType === undefined ? 'succeeded' : `failed (${event.errorType})`} after ${String(event.durationMs)} ms`;
    case 'request':
      return `${call} ${event.method} ${event.url} (attempt ${String(event.attempt)})`;
    case 'response':
      return `${call} ${String(event.status)} with ${String(event.bytes)} bytes in ${String(event.elapsedMs)} ms`;
    case 'failure':
      return `${call} no response after ${String(event.elapsedMs)} ms: ${event.message}`;
    case 'wait':
      return `${call} waits${event.delayMs === undefined ? '' : ` ${String(event.delayMs)} ms`} (${event.reason})`;
    case 'rate-limit':
      return `${call} ${String(event.rateLimit.remaining)} of ${String(event.rateLimit.limit)} requests left`;
  }
}
