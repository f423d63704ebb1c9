import { InvalidInputError } from '../../errors.js';
import { invalidInput } from '../../options/check-argument.js';
import { type Checks, findProblem, mustBe } from '../../options/check-options.js';
import { stringifyJson } from '../../schema/json.js';
import { CALL_CHECKS } from '../call/settings.js';
import type { ResponseSchema } from '../contract/options.js';
import type { RequestInput } from '../contract/pet-store.js';
import { type BaseUrl, resolvePath } from '../endpoint/base-url.js';
import type { Operation } from '../response/classify-response.js';

const METHOD = /^[A-Z]+$/;

/** Checks of `RequestOptions`. */
export const REQUEST_CHECKS: Checks = {
  ...CALL_CHECKS,
  schema: mustBe('a schema: Standard Schema, or an object with parse', isSchema),
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

/** A body that is JSON text already. It is sent as it is, because writing it again could change numbers. */
export class JsonText {
  constructor(readonly text: string) {}
}

function bodyText(verb: string, body: unknown): string | undefined {
  if (body === undefined) return undefined;
  if (verb === 'GET' || verb === 'HEAD') {
    throw new InvalidInputError(`A ${verb} request can't have a body`, {
      field: 'body',
      hint: 'Send fields in the query, or use POST.',
    });
  }
  if (body instanceof JsonText) return body.text;
  // stringifyJson would send null.
  if (typeof body === 'function' || typeof body === 'symbol')
    throw new InvalidInputError('body is not JSON', { field: 'body' });
  // Circular and very deep values are not JSON, and a `toJSON` of the caller may throw.
  try {
    return stringifyJson(body);
  } catch (cause) {
    throw new InvalidInputError(
      cause instanceof RangeError ? 'body is nested too deeply' : 'body is not JSON',
      {
        field: 'body',
        hint: 'Pass a value without circular references and with less nesting.',
        cause,
      },
    );
  }
}

/** The data, or the problem of a body that a schema rejects. */
type Refined<T> = { data: T } | { problem: string };

const ISSUES_MAX = 3;

/** Checks whether a value has one of the forms of `ResponseSchema`. */
function isSchema(value: unknown): boolean {
  if ((typeof value !== 'object' || value === null) && typeof value !== 'function') return false;
  const schema = value as { '~standard'?: { validate?: unknown }; parse?: unknown };
  return [schema['~standard']?.validate, schema.parse].some((each) => typeof each === 'function');
}

/** Validates the body of a response with a schema of the caller. Never rejects. */
export async function validateWith<T>(schema: ResponseSchema<T>, body: unknown): Promise<Refined<T>> {
  try {
    if ('~standard' in schema) {
      const result = await schema['~standard'].validate(body);
      return result.issues === undefined
        ? { data: result.value }
        : { problem: describeIssues(result.issues) };
    }
    return { data: schema.parse(body) };
  } catch (error) {
    return { problem: describeIssues(issuesOf(error)) };
  }
}

function issuesOf(error: unknown): unknown {
  const { issues } = (error ?? {}) as { issues?: unknown };
  return Array.isArray(issues) ? issues : [error];
}

/** Describes why a schema rejects a body. */
export function describeIssues(issues: unknown): string {
  const all = Array.isArray(issues) ? (issues as unknown[]) : [];
  const texts = all.slice(0, ISSUES_MAX).map((issue) => {
    const { message, path } = (issue ?? {}) as { message?: unknown; path?: unknown };
    const keys = Array.isArray(path) ? (path as unknown[]).map(keyText).join('.') : '';
    return `${keys === '' ? 'body' : keys}: ${typeof message === 'string' ? message : 'invalid'}`;
  });
  const more = all.length > ISSUES_MAX ? `, and ${String(all.length - ISSUES_MAX)} more` : '';
  return `the body does not match the schema (${texts.join('; ')}${more})`;
}

/** Standard Schema also allows objects with a key. */
function keyText(segment: unknown): string {
  return String(
    typeof segment === 'object' && segment !== null ? (segment as { key?: unknown }).key : segment,
  );
}
