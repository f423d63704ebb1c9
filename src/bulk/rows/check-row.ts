import { toInt64 } from '../../schema/int64.js';
import { isPetStatus, PET_STATUSES } from '../../schema/pet-reader.js';
import type { ParsedRecord, RowError, RowPet } from './row.js';

/** The fields of a new pet (interface specification, "NewPet"). */
export const PET_FIELDS: readonly string[] = ['name', 'categoryId', 'status'];

/** The field of a rejected-rows file with the reason. It is ignored, so that a fixed file can be imported as it is. */
export const REASON_FIELD = 'error';

/** All fields that a row can have. */
export const ROW_FIELDS: readonly string[] = [...PET_FIELDS, REASON_FIELD];

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
  { line, fields, written }: ParsedRecord,
  row: number,
  ignored?: IgnoredFields,
): CheckedRow {
  const errors: RowError[] = [];
  const report = (field: string, message: string, more: Partial<RowError> = {}): void => {
    errors.push({ line, row, field, message, ...more });
  };
  for (const field of Object.keys(fields)) {
    if (ROW_FIELDS.includes(field)) continue;
    if (ignored !== undefined) {
      ignored.add(field);
      continue;
    }
    const given = excerpt(field);
    if (plainName(given) === 'id')
      report('id', `Field ${JSON.stringify(given)} ${ID_PROBLEM}`, { isUnknownField: true });
    else
      report(given, `Unknown field ${JSON.stringify(given)}`, {
        given,
        known: PET_FIELDS,
        isUnknownField: true,
      });
  }
  const { name } = fields;
  if (name === undefined || name === null || name === '') report('name', 'name is missing');
  else if (typeof name !== 'string') report('name', 'name must be a string');
  const category = asWritten(fields.categoryId, written?.get('categoryId'));
  const categoryId = toInt64(category);
  if (categoryId === undefined) report('categoryId', explainCategory(category));
  const status = fields.status ?? undefined;
  const isStatusValid = status === undefined || isPetStatus(status);
  if (!isStatusValid) {
    const given = typeof status === 'string' ? { given: excerpt(status) } : {};
    report('status', `status must be one of ${PET_STATUSES.join(', ')}`, { ...given, known: PET_STATUSES });
  }
  if (errors.length > 0 || typeof name !== 'string' || categoryId === undefined || !isStatusValid)
    return { errors };
  return { pet: { name, categoryId, ...(status === undefined ? {} : { status }) } };
}

/** Maximum length of quoted input in messages, in UTF-16 units. */
const EXCERPT_MAX = 60;

/** Truncates text of the input for a message. */
export function excerpt(text: string): string {
  return text.length > EXCERPT_MAX ? `${text.slice(0, EXCERPT_MAX)}…` : text;
}

/**
 * Returns the source text of a number that is not in plain digits. Otherwise 1.0000000000000001 would be accepted as 1.
 */
function asWritten(value: unknown, text: string | undefined): unknown {
  return typeof value === 'number' && text !== undefined && text !== String(value) ? text : value;
}

function explainCategory(given: unknown): string {
  if (given === undefined || given === null || given === '') return 'categoryId is missing';
  const [written, whole] = (typeof given === 'string' ? /^(-?\d{1,19})\.0+$/.exec(given) : null) ?? [];
  const hint =
    written === undefined || whole === undefined ? '' : `, such as ${whole} instead of ${excerpt(written)}`;
  return `categoryId must be a 64-bit integer in plain digits${hint}`;
}
