import { InvalidInputError } from '../../errors.js';
import { stringifyJson } from '../../schema/json.js';
import { type Checks, findProblem, mustBe } from '../../options/check-options.js';
import { invalidInput } from '../../options/check-argument.js';
import { CALL_CHECKS } from '../call/settings.js';
import type { ResponseSchema } from '../contract/options.js';
import type { RequestInput } from '../contract/pet-store.js';
import { type BaseUrl, resolvePath } from '../endpoint/base-url.js';
import type { Operation } from '../response/classify-response.js';
import { isSchema, validateWith } from './response-schema.js';

const METHOD = /^[A-Z]+$/;

/** Checks of `RequestOptions`. */
export const REQUEST_CHECKS: Checks = {
  ...CALL_CHECKS,
  schema: mustBe('a schema: Standard Schema, or an object with safeParse or parse', isSchema),
};

const QUERY_VALUE = mustBe('a string, a finite number, a bigint or a boolean', (value) =>
  typeof value === 'number' ? Number.isFinite(value) : ['string', 'bigint', 'boolean'].includes(typeof value),
);

const INPUT_CHECKS: Checks = {
  query: (query, field) => {
    const names = Object.keys(Object(query) as object);
    const checks = Object.fromEntries(names.map((name) => [name, QUERY_VALUE]));
    return findProblem(query, checks, { what: field, prefix: `${field}.` });
  },
  body: () => undefined,
};

/** The arguments of `PetStore.request`. */
export interface RawRequest<T> {
  method: string;
  path: string;
  input: RequestInput | null | undefined;
  schema: ResponseSchema<T> | undefined;
}

/**
 * Creates the operation of `PetStore.request`. Without a schema, it accepts every JSON response.
 *
 * @throws InvalidInputError for an invalid method, path, query or body.
 */
export function rawOperation<T>(base: BaseUrl, { method, path, input, schema }: RawRequest<T>): Operation<T> {
  const verb = checkMethod(method);
  const problem =
    input === undefined || input === null ? undefined : findProblem(input, INPUT_CHECKS, { what: 'input' });
  if (problem !== undefined) throw invalidInput(problem);
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(input?.query ?? {})) {
    if (value !== undefined) search.append(name, String(value));
  }
  const query = search.toString();
  const separator = String(path).includes('?') ? '&' : '?';
  return {
    name: 'request',
    method: verb,
    path: resolvePath(base, query === '' ? path : `${path}${separator}${query}`),
    body: bodyText(verb, input?.body),
    // Without a schema, T is unknown.
    validate: (data) => ({ data: data as T }),
    explain: () => Promise.resolve('the body has the wrong shape'),
    ...(schema === undefined ? {} : { refine: (data: unknown) => validateWith(schema, data) }),
  };
}

function checkMethod(method: unknown): string {
  const verb = typeof method === 'string' ? method.toUpperCase() : '';
  if (METHOD.test(verb) && verb !== 'CONNECT' && verb !== 'TRACE') return verb;
  throw new InvalidInputError('method must be an HTTP method, such as GET', {
    field: 'method',
    hint: "Call request(method, path), such as request('GET', '/pets').",
  });
}

function bodyText(verb: string, body: unknown): string | undefined {
  if (body === undefined) return undefined;
  if (verb === 'GET' || verb === 'HEAD') {
    throw new InvalidInputError(`A ${verb} request can't have a body`, {
      field: 'body',
      hint: 'Send fields in the query, or use POST.',
    });
  }
  // stringifyJson would send null.
  if (typeof body === 'function' || typeof body === 'symbol')
    throw new InvalidInputError('body is not JSON', { field: 'body' });
  // Circular and very deep values are not JSON, and a `toJSON` of the caller may throw.
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
