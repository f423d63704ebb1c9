import { quote } from '../../schema/control-characters.js';
import { NEW_PET_FIELDS, OPTIONAL_ENTRIES, type OptionalFields } from '../../schema/pet-reader.js';
import { explainCategory, readCategory } from './category.js';
import { excerpt, valueText } from './excerpt.js';
import { NO_VALUE, NO_VALUE_HINT } from './foreign-file.js';
import type { ParsedRecord, RowError, RowPet } from './row.js';

/** Their names for people. Both names of the category are read. */
export const FIELD_NAMES: readonly string[] = NEW_PET_FIELDS.map(titleOf);

/** The field of a rejected-rows file with the reason. It is ignored, so that a fixed file can be imported as it is. */
export const REASON_FIELD = 'error';

/** All fields that a row can have. */
const ROW_FIELDS: readonly string[] = [...NEW_PET_FIELDS, REASON_FIELD];

/** Returns the name of a field for people. */
export function titleOf(field: string): string {
  return field === 'categoryId' ? 'category' : field;
}

/** Whether a name is the other name of `categoryId`, which is there, too. Expects plain names. */
export function isSecondCategory(name: string, names: ReadonlySet<string>): boolean {
  return name === 'category' && names.has('categoryid');
}

/** Why an export is not imported as it is. */
export const ID_PROBLEM = 'would not be sent: the rows would become NEW pets with new ids';

/** Returns a name without case, blanks and underscores. Spreadsheets write `Category ID`, databases `category_id`. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[\s_]+/g, '');
}

/** The fields of a row by their plain names. */
const FIELDS = new Map([
  ...ROW_FIELDS.flatMap((field) => [field, plainName(field)].map((name) => [name, field] as const)),
  ['category', 'categoryId'],
]);

/** Returns the field that a column or a member of an object names; `undefined` for another name. */
export function fieldOf(name: string): string | undefined {
  // Longer names are unknown.
  return name.length > 100 ? undefined : (FIELDS.get(name) ?? FIELDS.get(plainName(name)));
}

/** Describes two names of one field. `kind`: `column` or `field`. */
export function describeDuplicate(kind: string, first: string, second: string, field: string): string {
  const [start = '', ...rest] = kind;
  const noun = start.toUpperCase() + rest.join('');
  if (first === second) return `Duplicate ${kind} ${quote(excerpt(second))}`;
  const names = `${quote(excerpt(first))} and ${quote(excerpt(second))}`;
  return `${noun}s ${names} are both the ${titleOf(field)}`;
}

/** The pet of a valid row, or all errors of an invalid one. */
export type CheckedRow = { pet: RowPet } | { errors: readonly RowError[] };

/** The names of the columns or fields that were ignored. */
export class IgnoredFields {
  /** The first names, because each row of JSON can have other ones. */
  readonly names: string[] = [];
  readonly #known = new Set<string>();

  add(name: string): void {
    if (this.#known.size >= IGNORED_MAX || this.#known.has(name)) return;
    this.#known.add(name);
    this.names.push(excerpt(name));
  }
}

/** Maximum number of ignored names to keep. */
const IGNORED_MAX = 100;

/**
 * Checks a row by the rules of `pets.create` (a test compares them). So the client rejects no row after others were
 * sent. A status of null, or without text, counts as absent, like an empty cell.
 *
 * @param ignored collects unknown fields; without it they are errors.
 */
export function checkRow(
  { line, fields, writtenOf, positionOf }: ParsedRecord,
  row: number,
  ignored?: IgnoredFields,
): CheckedRow {
  const errors: RowError[] = [];
  const report = (field: string, message: string, more: Partial<RowError> = {}, source = field): void => {
    errors.push({ line, ...positionOf?.(source), row, field, message, ...more });
  };
  for (const field of Object.keys(fields)) {
    if (ROW_FIELDS.includes(field)) continue;
    if (ignored !== undefined) {
      ignored.add(field);
      continue;
    }
    const given = excerpt(field);
    if (plainName(given) === 'id')
      report('id', `Field ${quote(given)} ${ID_PROBLEM}`, { isUnknownField: true }, field);
    else if (plainName(field) === 'category')
      report(field, describeDuplicate('field', given, 'categoryId', 'categoryId'), { isUnknownField: true });
    else {
      const more = { given, known: FIELD_NAMES, isUnknownField: true } as const;
      report(given, `Unknown field ${quote(given)}`, more, field);
    }
  }
  const { name } = fields;
  if (name === undefined || name === null || name === '') report('name', 'name is missing');
  else if (typeof name !== 'string')
    report('name', `name ${valueText(name, writtenOf?.('name'))} is not a string, such as "Rex"`);
  const categoryText = writtenOf?.('categoryId');
  const category = asWritten(fields.categoryId, categoryText);
  const categoryId = readCategory(category);
  if (categoryId === undefined) report('categoryId', ...explainCategory(category, categoryText));
  const optional: Record<string, unknown> = {};
  for (const [field, { expected, values, read }] of OPTIONAL_ENTRIES) {
    const value = fields[field] ?? undefined;
    if (value === undefined || (typeof value === 'string' && value.trim() === '')) continue;
    const checked = read(value);
    if (checked !== undefined) {
      optional[field] = checked;
      continue;
    }
    const given = typeof value === 'string' ? { given: excerpt(value) } : {};
    const message = `${field} ${valueText(value, writtenOf?.(field))} is not ${expected}`;
    const hint = typeof value === 'string' && NO_VALUE.test(value) ? { hint: NO_VALUE_HINT } : {};
    report(field, message, values === undefined ? {} : { ...given, ...hint, known: values });
  }
  if (errors.length > 0 || typeof name !== 'string' || categoryId === undefined) return { errors };
  return { pet: { name, categoryId, ...(optional as OptionalFields) } };
}

/**
 * Returns the source text of a number that is not in plain digits. Otherwise 1.0000000000000001 would be accepted as 1.
 */
function asWritten(value: unknown, text: string | undefined): unknown {
  return typeof value === 'number' && text !== undefined && text !== String(value) ? text : value;
}
