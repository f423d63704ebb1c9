import { quote } from '../../schema/control-characters.js';
import { toInt64 } from '../../schema/int64.js';
import { NEW_PET_FIELDS, OPTIONAL_ENTRIES, type OptionalFields } from '../../schema/pet-reader.js';
import type { ParsedRecord, RowError, RowPet } from './row.js';

/** Their names for people. Both names of the category are read. */
export const FIELD_NAMES: readonly string[] = NEW_PET_FIELDS.map(titleOf);

/** The field of a rejected-rows file with the reason. It is ignored, so that a fixed file can be imported as it is. */
export const REASON_FIELD = 'error';

/** All fields that a row can have. */
export const ROW_FIELDS: readonly string[] = [...NEW_PET_FIELDS, REASON_FIELD];

/** Returns the name of a field for people. */
export function titleOf(field: string): string {
  return field === 'categoryId' ? 'category' : field;
}

/** Whether a name is the other name of `categoryId`, which is there, too. Names are compared in lower case. */
export function isSecondCategory(name: string, names: ReadonlySet<string>): boolean {
  return name === 'category' && names.has('categoryid');
}

/** Why an export is not imported as it is. */
export const ID_PROBLEM = 'would not be sent: the rows would become NEW pets with new ids';

/** Returns a name without case, blanks and underscores. Spreadsheets write `Category ID`, databases `category_id`. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[\s_]+/g, '');
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
 * sent. A status of null counts as absent, like an empty cell.
 *
 * @param ignored collects unknown fields; without it they are errors.
 */
export function checkRow(
  { line, fields, written, positionOf }: ParsedRecord,
  row: number,
  ignored?: IgnoredFields,
): CheckedRow {
  const errors: RowError[] = [];
  const categoryField = 'category' in fields && !('categoryId' in fields) ? 'category' : 'categoryId';
  const report = (field: string, message: string, more: Partial<RowError> = {}, source = field): void => {
    errors.push({ line, ...positionOf?.(source), row, field, message, ...more });
  };
  for (const field of Object.keys(fields)) {
    if (ROW_FIELDS.includes(field) || field === categoryField) continue;
    if (ignored !== undefined) {
      ignored.add(field);
      continue;
    }
    const given = excerpt(field);
    if (plainName(given) === 'id')
      report('id', `Field ${quote(given)} ${ID_PROBLEM}`, { isUnknownField: true }, field);
    else if (field === 'category')
      report(field, 'Fields "category" and "categoryId" are both the category', { isUnknownField: true });
    else {
      const more = { given, known: FIELD_NAMES, isUnknownField: true } as const;
      report(given, `Unknown field ${quote(given)}`, more, field);
    }
  }
  const { name } = fields;
  if (name === undefined || name === null || name === '') report('name', 'name is missing');
  else if (typeof name !== 'string')
    report('name', `name ${valueText(name, written?.get('name'))} is not a string, such as "Rex"`);
  const categoryText = written?.get(categoryField);
  const category = asWritten(fields[categoryField], categoryText);
  const categoryId = toInt64(category);
  if (categoryId === undefined)
    report('categoryId', explainCategory(category, categoryText), {}, categoryField);
  const optional: Record<string, unknown> = {};
  for (const [field, { expected, values, read }] of OPTIONAL_ENTRIES) {
    const value = fields[field] ?? undefined;
    if (value === undefined) continue;
    const checked = read(value);
    if (checked !== undefined) {
      optional[field] = checked;
      continue;
    }
    const given = typeof value === 'string' ? { given: excerpt(value) } : {};
    const message = `${field} ${valueText(value, written?.get(field))} is not ${expected}`;
    report(field, message, values === undefined ? {} : { ...given, known: values });
  }
  if (errors.length > 0 || typeof name !== 'string' || categoryId === undefined) return { errors };
  return { pet: { name, categoryId, ...(optional as OptionalFields) } };
}

/** Maximum length of quoted input in messages, in UTF-16 units. */
const EXCERPT_MAX = 60;

/** Truncates text of the input for a message. */
export function excerpt(text: string): string {
  if (text.length <= EXCERPT_MAX) return text;
  // Not half of a character.
  return `${text.slice(0, EXCERPT_MAX).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Returns a wrong value for a message: as it is written in JSON, and other text in quotes. */
function valueText(value: unknown, written?: string): string {
  if (typeof value === 'string') return quote(excerpt(value));
  return excerpt(written ?? (typeof value === 'object' ? 'an object' : String(value)));
}

/**
 * Returns the source text of a number that is not in plain digits. Otherwise 1.0000000000000001 would be accepted as 1.
 */
function asWritten(value: unknown, text: string | undefined): unknown {
  return typeof value === 'number' && text !== undefined && text !== String(value) ? text : value;
}

function explainCategory(given: unknown, text: string | undefined): string {
  if (given === undefined || given === null || given === '') return 'category is missing';
  const [, whole = '7'] = (typeof given === 'string' ? /^(-?\d{1,19})\.0+$/.exec(given) : null) ?? [];
  const value = text === undefined ? valueText(given) : excerpt(text);
  return `category ${value} is not a 64-bit integer in plain digits, such as ${whole}`;
}
