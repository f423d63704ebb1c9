import type { ZodType } from 'zod';
import { petSchema, petsSchema } from '../../schema/pet.js';

/** Loaded only when an answer has the wrong shape: the schema names the fault that the quick reader does not. */

const ISSUES_MAX = 3;

/** What is wrong with the body of an answer that should hold one animal. */
export function explainPet(body: unknown): string {
  return explain(petSchema, body);
}

/** What is wrong with the body of an answer that should hold a list of animals. */
export function explainPets(body: unknown): string {
  return explain(petsSchema, body);
}

function explain(schema: ZodType, body: unknown): string {
  if (body === undefined) return 'its body is empty';
  const { error } = schema.safeParse(body);
  const issues = error?.issues ?? [];
  const shown = issues.slice(0, ISSUES_MAX).map(({ path, message }) => `${pathText(path)}: ${message}`);
  const more = issues.length > ISSUES_MAX ? `, and ${String(issues.length - ISSUES_MAX)} more` : '';
  return `its body has the wrong shape (${shown.join('; ')}${more})`;
}

function pathText(path: readonly PropertyKey[]): string {
  const text = path.map((key) => (typeof key === 'number' ? `[${String(key)}]` : `.${String(key)}`)).join('');
  return text === '' ? 'body' : text.replace(/^\./, '');
}
