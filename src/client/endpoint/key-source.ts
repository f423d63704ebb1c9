import { ConfigurationError } from '../../errors.js';
import type { ApiKey } from '../contract/options.js';

/** Visible ASCII without spaces. RFC 6750, section 2.1, allows no other characters in the token. */
const HEADER_SAFE = /^[\x21-\x7e]+$/;

/** The source of the key of a client. */
export interface KeySource {
  /** Returns the key for the next attempt. */
  read(): string | Promise<string>;
  /** Number of renewals that have ended. */
  renewalCount(): number;
  /**
   * Calls the key function once more after a 401. Missing if the key is a string. Attempts with the same rejected key
   * share the renewal if they started before it ended.
   *
   * @param renewalCount at the start of the rejected attempt.
   */
  renew?(rejected: string, renewalCount: number): Promise<string>;
}

/**
 * Creates the source of a key. Closures hide the key from `util.inspect` and JSON.
 *
 * @throws ConfigurationError if there is no key, or if it is not valid in a header.
 */
export function keySource(apiKey: ApiKey | undefined): KeySource {
  if (typeof apiKey === 'string') {
    checkKey(apiKey);
    return { read: () => apiKey, renewalCount: () => 0 };
  }
  if (typeof apiKey === 'function') {
    const read = async (): Promise<string> => {
      const key: unknown = await apiKey();
      checkKey(key);
      return key;
    };
    let ended = 0;
    let last: { rejected: string; number: number; key: Promise<string> } | undefined;
    return {
      read,
      renewalCount: () => ended,
      renew(rejected, renewalCount) {
        if (last?.rejected !== rejected || last.number <= renewalCount) {
          const key = read().finally(() => (ended += 1));
          last = { rejected, number: ended + 1, key };
        }
        return last.key;
      },
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
    hint:
      typeof key === 'string'
        ? 'Check how the key was copied. It is one line of ASCII characters without spaces.'
        : 'The function apiKey must return the key as a string, or a promise of it.',
  });
}

function problemOf(key: unknown): string | undefined {
  if (key === undefined || key === null) return 'is missing: the function apiKey returned no key';
  if (typeof key !== 'string') return 'is not a string';
  if (key === '') return 'is empty';
  if (HEADER_SAFE.test(key)) return undefined;
  if (/[\r\n]/.test(key)) return 'contains a line break';
  if (/[^\0-\x7f]/.test(key)) return 'contains a character that is not ASCII';
  return 'contains a space or a control character';
}
