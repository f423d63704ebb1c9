import { toInt64 } from '../../schema/int64.js';
import { isPetStatus, PET_STATUSES } from '../../schema/pet-reader.js';
import type { ParsedRecord } from './record-parser.js';
import type { RowFault, RowPet } from './row.js';

/** What a row may tell (interface specification, "NewPet"). */
export const FIELDS: readonly string[] = ['name', 'categoryId', 'status'];

/** What a file of refused rows tells besides; it is not sent, so that a mended file can be fed back as it is. */
export const REASON_FIELD = 'error';

/** What a row may tell besides without its being sent: the id in an export of another store, too, for ids are given anew. */
const UNSENT_FIELDS: readonly string[] = ['id', REASON_FIELD];

/** Whether a row may have a field of this name. */
export function isRowField(name: string): boolean {
  return FIELDS.includes(name) || UNSENT_FIELDS.includes(name);
}

/** A row that can be sent, or everything that is wrong with it. */
export type CheckedRow = { pet: RowPet } | { faults: readonly RowFault[] };

/**
 * Checks a row by the rules of `pets.create`, which a test holds together, so that nothing is sent of a file in which
 * the client would refuse a row. A status of null is one left out: an empty cell of a table says as little.
 */
export function checkRow({ line, fields, written }: ParsedRecord, row: number): CheckedRow {
  const faults: RowFault[] = [];
  const blame = (field: string, message: string, more: Partial<RowFault> = {}): void => {
    faults.push({ line, row, field, message, ...more });
  };
  for (const field of Object.keys(fields)) {
    if (isRowField(field)) continue;
    const given = excerpt(field);
    blame(given, `there is no such field as ${JSON.stringify(given)}`, { given, known: FIELDS });
  }
  const { name } = fields;
  if (name === undefined || name === null || name === '') blame('name', 'name is missing');
  else if (typeof name !== 'string') blame('name', 'name must be a text');
  const category = asWritten(fields.categoryId, written?.get('categoryId'));
  const categoryId = toInt64(category);
  if (categoryId === undefined) blame('categoryId', categoryFault(category));
  const status = fields.status ?? undefined;
  const isStatusGood = status === undefined || isPetStatus(status);
  if (!isStatusGood) {
    const given = typeof status === 'string' ? { given: excerpt(status) } : {};
    blame('status', `status must be one of ${PET_STATUSES.join(', ')}`, { ...given, known: PET_STATUSES });
  }
  if (faults.length > 0 || typeof name !== 'string' || categoryId === undefined || !isStatusGood)
    return { faults };
  return { pet: { name, categoryId, ...(status === undefined ? {} : { status }) } };
}

/** More of what was given is not repeated. */
const EXCERPT_MAX = 60;

/** The beginning of a text of the input, as a message may repeat it. */
export function excerpt(text: string): string {
  return text.length > EXCERPT_MAX ? `${text.slice(0, EXCERPT_MAX)}…` : text;
}

/** A number by its text, where that is not the one it has: else 1.0000000000000001 would pass for 1. */
function asWritten(value: unknown, text: string | undefined): unknown {
  return typeof value === 'number' && text !== undefined && text !== String(value) ? text : value;
}

function categoryFault(given: unknown): string {
  if (given === undefined || given === null || given === '') return 'categoryId is missing';
  const [written, whole] = (typeof given === 'string' ? /^(-?\d{1,19})\.0+$/.exec(given) : null) ?? [];
  const hint = written === undefined || whole === undefined ? '' : `: ${whole}, not ${excerpt(written)}`;
  return `categoryId must be a whole number of 64 bits, in plain digits${hint}`;
}
