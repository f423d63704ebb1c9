import { ConfigurationError } from '../../errors.js';
import type { ApiKey } from '../contract/options.js';

/** Visible ASCII without spaces. RFC 6750, section 2.1, allows no other characters in the token. */
const HEADER_SAFE = /^[\x21-\x7e]+$/;

/**
 * Creates a function that returns the key for the next attempt. A closure hides the key from `util.inspect` and JSON.
 *
 * @throws ConfigurationError if there is no key, or if it is not valid in a header.
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
  throw new ConfigurationError('No API key', {
    option: 'apiKey',
    hint: 'Pass apiKey as a string, or as a function that returns it.',
  });
}

/** Rejects a key that is not valid in a header. The error does not show the key. */
function checkKey(key: unknown): asserts key is string {
  const problem = problemOf(key);
  if (problem === undefined) return;
  throw new ConfigurationError(`The API key ${problem}`, {
    option: 'apiKey',
    hint: 'Check how the key was copied. It is one line of ASCII characters without spaces.',
  });
}

function problemOf(key: unknown): string | undefined {
  if (typeof key !== 'string') return 'is not a string';
  if (key === '') return 'is empty';
  if (HEADER_SAFE.test(key)) return undefined;
  if (/[\r\n]/.test(key)) return 'contains a line break';
  if (/[^\0-\x7f]/.test(key)) return 'contains a character that is not ASCII';
  return 'contains a space or a control character';
}
