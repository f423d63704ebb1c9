import type { ZodType } from 'zod';
import { petSchema, petsSchema } from '../../schema/pet.js';

// Loaded only for an invalid response, because it loads zod.

const ISSUES_MAX = 3;

/** Describes the problems of a body that should be a pet. */
export function explainInvalidPet(body: unknown): string {
  return explain(petSchema, body);
}

/** Describes the problems of a body that should be a list of pets. */
export function explainInvalidPets(body: unknown): string {
  return explain(petsSchema, body);
}

function explain(schema: ZodType, body: unknown): string {
  if (body === undefined) return 'the body is empty';
  const { error } = schema.safeParse(body);
  const issues = error?.issues ?? [];
  const texts = issues.slice(0, ISSUES_MAX).map(({ path, message }) => `${pathText(path)}: ${message}`);
  const more = issues.length > ISSUES_MAX ? `, and ${String(issues.length - ISSUES_MAX)} more` : '';
  return `the body has the wrong shape (${texts.join('; ')}${more})`;
}

function pathText(path: readonly PropertyKey[]): string {
  const text = path.map((key) => (typeof key === 'number' ? `[${String(key)}]` : `.${String(key)}`)).join('');
  return text === '' ? 'body' : text.replace(/^\./, '');
}
