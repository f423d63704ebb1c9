import { HEADER_NAME, HEADER_VALUE, RESERVED_HEADERS } from '../../../client/index.js';
import { UsageError } from '../../errors/usage-error.js';

/**
 * Parses `-H 'name: value'`. The messages never show the value, which may be a secret.
 *
 * @returns the name in lower case, and the value.
 * @throws UsageError
 */
export function readHeader(text: string): [name: string, value: string] {
  const index = text.indexOf(':');
  const name = text.slice(0, Math.max(0, index)).trim().toLowerCase();
  // An assignment to an object would lose the name __proto__.
  if (index < 1 || !HEADER_NAME.test(name) || name === '__proto__')
    throw new UsageError('-H needs a name and a value', "For example: -H 'x-request-id: 42'");
  if (name === 'authorization') {
    throw new UsageError(
      "-H can't replace Authorization",
      'The key comes from PETSTORE_API_KEY or from the profile. Select another profile with --profile.',
    );
  }
  if (RESERVED_HEADERS.has(name)) throw new UsageError(`-H can't set ${name}: HTTP or petstore controls it`);
  const value = text.slice(index + 1).trim();
  if (HEADER_VALUE.test(value)) return [name, value];
  throw new UsageError(
    `-H: the value of ${name} contains a control character or a character outside Latin-1`,
    'Encode the value, for example as percent-encoded UTF-8.',
  );
}
