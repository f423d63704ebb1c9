import { InvalidInputError } from '../errors.js';
import type { Clock } from '../time/clock.js';

/** What an import needs to know about a client. */
export interface ServiceIdentity {
  /** Without credentials and without a slash at the end. */
  baseUrl: string;
  /** Identifies the API key, which can't be recovered from it. */
  keyFingerprint: string;
  clock: Clock;
  /** The share of the rate limit that the client leaves to others. */
  reservePercent: number;
}

/** The method of a client that returns its identity. Registered, so that another copy of the package finds it. */
export const IDENTITY: unique symbol = Symbol.for('petstore.identity');

/** A client with an identity. */
export interface Identified {
  [IDENTITY](): Promise<ServiceIdentity>;
}

/**
 * Returns the identity of a client.
 *
 * @throws InvalidInputError for another object; the client's error if a key function fails.
 */
export async function readIdentity(store: unknown): Promise<ServiceIdentity> {
  const identified = (store ?? {}) as Partial<Identified>;
  if (typeof identified[IDENTITY] === 'function') return identified[IDENTITY]();
  throw new InvalidInputError('store must be a client', {
    field: 'store',
    hint: 'Create it with createPetStore().',
  });
}
