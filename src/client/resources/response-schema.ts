import type { ResponseSchema } from '../contract/options.js';

/** The data, or the problem of a body that a schema rejects. */
export type Refined<T> = { data: T } | { problem: string };

const ISSUES_MAX = 3;

/** Checks whether a value has one of the forms of `ResponseSchema`. */
export function isSchema(value: unknown): boolean {
  if ((typeof value !== 'object' || value === null) && typeof value !== 'function') return false;
  const schema = value as { '~standard'?: { validate?: unknown }; safeParse?: unknown; parse?: unknown };
  return [schema['~standard']?.validate, schema.safeParse, schema.parse].some(
    (each) => typeof each === 'function',
  );
}

/** Validates the body of a response with a schema of the caller. Never rejects. */
export async function validateWith<T>(schema: ResponseSchema<T>, body: unknown): Promise<Refined<T>> {
  try {
    if ('~standard' in schema) {
      const result = await schema['~standard'].validate(body);
      return result.issues === undefined ? { data: result.value } : { problem: describe(result.issues) };
    }
    if ('safeParse' in schema) {
      const result = schema.safeParse(body);
      // A successful result has data of the schema's type.
      return result.success ? { data: result.data as T } : { problem: describe(issuesOf(result.error)) };
    }
    return { data: schema.parse(body) };
  } catch (error) {
    return { problem: describe(issuesOf(error)) };
  }
}

function issuesOf(error: unknown): unknown {
  const { issues } = (error ?? {}) as { issues?: unknown };
  return Array.isArray(issues) ? issues : [error];
}

function describe(issues: unknown): string {
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
