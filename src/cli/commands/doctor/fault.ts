import { describeFailure } from '../../exit.js';

/** Something that is wrong, as it is told: what, and what helps. */
export interface KnownFault {
  fault: string;
  hint?: string;
}

/** What a look-up found, or what it threw. */
export async function foundOrFault<T>(look: () => T | Promise<T>): Promise<T | KnownFault> {
  try {
    return await look();
  } catch (error) {
    return faultOf(error);
  }
}

export function faultOf(error: unknown): KnownFault {
  const { message, hint } = describeFailure(error);
  return { fault: message, ...(hint === undefined ? {} : { hint }) };
}

export function isFault(fact: unknown): fact is KnownFault {
  return typeof fact === 'object' && fact !== null && 'fault' in fact && typeof fact.fault === 'string';
}
