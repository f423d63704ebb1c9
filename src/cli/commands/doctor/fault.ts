import { explainConfigError } from '../../config/config-files.js';
import { describeFailure } from '../../errors/exit.js';
import type { Check } from './check.js';
import type { KnownFault, NotAsked } from './facts.js';
import { TimeLimitError } from '../../system/time-limit.js';

/** What a look-up found, or what it threw. */
export async function foundOrFault<T>(look: () => T | Promise<T>): Promise<T | KnownFault> {
  try {
    return await look();
  } catch (error) {
    return faultOf(await explainConfigError(error));
  }
}

export function faultOf(error: unknown): KnownFault {
  if (error instanceof TimeLimitError)
    return { fault: error.message, hint: 'allow more time with --timeout' };
  const { message, hint } = describeFailure(error);
  return { fault: message, ...(hint === undefined ? {} : { hint }) };
}

export function isFault(fact: unknown): fact is KnownFault {
  return typeof fact === 'object' && fact !== null && 'fault' in fact && typeof fact.fault === 'string';
}

export function notAsked(why: string): NotAsked {
  return { notAsked: why };
}

export function isNotAsked(fact: unknown): fact is NotAsked {
  return typeof fact === 'object' && fact !== null && 'notAsked' in fact;
}

/** Whether a fact is what was looked for: no fault, and nothing that was left out. */
export function isTold<T extends object>(
  fact: T | KnownFault | NotAsked | string,
): fact is Exclude<T, KnownFault | NotAsked> {
  return typeof fact === 'object' && !isFault(fact) && !isNotAsked(fact);
}

/** @param remedy where the fault does not say what helps. */
export function failed(id: string, { fault, hint }: KnownFault, remedy: string): Check {
  return { id, state: 'failed', finding: fault, remedy: hint ?? remedy };
}
