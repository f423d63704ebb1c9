import { ConfigurationError } from '../../errors.js';
import type { ApiKey } from '../contract/options.js';

// Visible ASCII without a blank: all that can follow `Bearer ` on one line (RFC 6750, section 2.1, and RFC 9110).
const HEADER_SAFE = /^[\x21-\x7e]+$/;

/**
 * Holds the key where nothing prints it: in a closure, so that neither `util.inspect` nor JSON finds it on an object.
 *
 * @returns what gives the key for the next attempt; a plain string without a promise.
 */
export function keySource(apiKey: ApiKey | undefined): () => string | Promise<string> {
  if (typeof apiKey === 'string') {
    checkKey(apiKey);
    return () => apiKey;
  }
  if (typeof apiKey === 'function') {
    return async () => {
      const key: unknown = await apiKey();
      checkKey(key);
      return key;
    };
  }
  throw new ConfigurationError('no API key', {
    option: 'apiKey',
    hint: 'pass apiKey, as a string or as a function that fetches it',
  });
}

/** Refuses a key that no header can carry, without showing it. */
function checkKey(key: unknown): asserts key is string {
  const fault = faultOf(key);
  if (fault === undefined) return;
  throw new ConfigurationError(`the API key ${fault}`, {
    option: 'apiKey',
    hint: 'check how the key was copied: it is one line of ASCII characters without blanks',
  });
}

function faultOf(key: unknown): string | undefined {
  if (typeof key !== 'string') return 'is not a string';
  if (key === '') return 'is empty';
  if (HEADER_SAFE.test(key)) return undefined;
  if (/[\r\n]/.test(key)) return 'holds a line break';
  if (/[^\0-\x7f]/.test(key)) return 'holds a character that is not ASCII';
  return 'holds a blank or a control character';
}
