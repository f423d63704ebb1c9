import { isLoopback } from '../../../client/internal.js';
import { UsageError } from '../../errors/usage-error.js';
import { isInQuotes } from '../../system/context.js';

/**
 * WHATWG URLs accept hosts with `;`, `$(` and `{}`. Such a host is dangerous in commands that users paste. Non-ASCII names
 * are punycode in `hostname`.
 */
const SAFE_HOSTNAME = /^(?:[a-z\d.-]+|\[[\da-f:.]+\])$/;

/** Longer than any address in use; errors and lists show an address whole. */
const BASE_URL_MAX = 2_000;

/**
 * Checks a base URL before anything is sent. Messages never quote the whole address, which may contain a password.
 *
 * @param source the flag, variable or field, for messages.
 * @param file the file that has it, for annotations.
 * @returns the normalized URL.
 * @throws UsageError
 */
export function checkBaseUrl(source: string, text: string, file?: string): string {
  const invalid = (problem: string, hint: string, cause?: unknown): UsageError =>
    new UsageError(`${source} ${problem}`, hint, cause, file === undefined ? [] : [{ file }]);
  const example =
    source === 'trustedUrls'
      ? 'Use the address of the host, such as https://HOST.'
      : 'Use the full URL including the version, such as https://HOST/v1.';
  if (text.length > BASE_URL_MAX) {
    const [length, maximum] = [text.length, BASE_URL_MAX].map((count) => count.toLocaleString('en'));
    throw invalid(`has ${String(length)} characters, and the maximum is ${String(maximum)}`, example);
  }
  if (isInQuotes(text)) throw invalid('is in quotes, which are part of the value', 'Remove the quotes.');
  if (!/^https?:\/\//i.test(text)) {
    throw invalid('must start with https:// (or with http:// for this machine)', example);
  }
  let url: URL;
  try {
    url = new URL(text);
  } catch (error) {
    throw invalid('is not a URL', example, error);
  }
  if (url.username !== '' || url.password !== '') {
    throw invalid(
      'contains a user name or password',
      'Remove it from the URL. The API key is read from PETSTORE_API_KEY.',
    );
  }
  if (url.search !== '' || url.hash !== '') {
    throw invalid('contains a query or a fragment', example);
  }
  if (!SAFE_HOSTNAME.test(url.hostname)) {
    throw invalid('has a host name with invalid characters', example);
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw invalid(
      `uses plain http to ${url.hostname}, which would send the key unencrypted`,
      'Use https://. Plain http is allowed for this machine only.',
    );
  }
  return url.href;
}
