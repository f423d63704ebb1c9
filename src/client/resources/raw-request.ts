import { InvalidInputError } from '../../errors.js';
import { stringifyJson } from '../../schema/json.js';
import type { RequestInput } from '../contract/pet-store.js';
import { type BaseUrl, resolvePath } from '../endpoint/base-url.js';
import type { Operation } from '../response/classify-response.js';

const METHOD = /^[A-Z]+$/;

/**
 * Creates the operation of `PetStore.request`. Accepts every JSON response.
 *
 * @throws InvalidInputError for an invalid method, path or body.
 */
export function rawOperation(
  base: BaseUrl,
  method: string,
  path: string,
  input: RequestInput | undefined,
): Operation<unknown> {
  const verb = method.toUpperCase();
  if (!METHOD.test(verb) || verb === 'CONNECT' || verb === 'TRACE') {
    throw new InvalidInputError('method must be an HTTP method, such as GET', { field: 'method' });
  }
  if (input?.body !== undefined && (verb === 'GET' || verb === 'HEAD')) {
    throw new InvalidInputError(`A ${verb} request can't have a body`, {
      field: 'body',
      hint: 'Send fields in the query, or use POST.',
    });
  }
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(input?.query ?? {})) {
    if (value !== undefined) search.append(name, String(value));
  }
  const query = search.toString();
  const separator = path.includes('?') ? '&' : '?';
  return {
    method: verb,
    path: resolvePath(base, query === '' ? path : `${path}${separator}${query}`),
    body: input?.body === undefined ? undefined : bodyText(input.body),
    validate: (data) => ({ data }),
    explain: () => Promise.resolve('the body has the wrong shape'),
  };
}

/** Circular and very deep values are not JSON, and a `toJSON` of the caller may throw. */
function bodyText(body: unknown): string {
  try {
    return stringifyJson(body);
  } catch (cause) {
    throw new InvalidInputError('body is not JSON', {
      field: 'body',
      hint: 'Pass a value without circular references and with less nesting.',
      cause,
    });
  }
}
