import type { InputNote, Row } from './row.js';

/** Above this, a double does not have every integer. */
const EXACT_MAX = 2n ** 53n;
/** The digits that spreadsheets keep. */
const SPREADSHEET_DIGITS = 15;
/** The smallest id that a spreadsheet rounds. */
const LONG_MIN = 10n ** BigInt(SPREADSHEET_DIGITS);
/** More zeros than rounding makes: somebody chose such an id. */
const ROUNDED_ZEROS_MAX = 2;
/** How unlikely the ids must be without rounding, as a power of 2. */
const EVIDENCE_MIN = 7;
/** Maximum number of different ids to keep. */
const IDS_MAX = 100;

/** A null of MySQL and PostgreSQL, a backslash before a line break, and the escapes of a dump. */
const ESCAPED = /^\\N$|\\[\r\n\\nrt]/;

/** Notices what looks changed by the program that wrote the input. It can't be known, so it is no error. */
export class InputNotes {
  emptyRows = 0;
  emptyColumns = 0;
  readonly #longIds = new Set<bigint>();
  /** Whether some id has more digits than a spreadsheet keeps, and than a double keeps. */
  #isBeyondSpreadsheet = false;
  #isBeyondDouble = false;
  #escaped = 0;
  #firstEscaped: Row | undefined;

  add(row: Row): void {
    const { name, categoryId } = row.pet;
    if (categoryId >= LONG_MIN || categoryId <= -LONG_MIN) this.#addLong(categoryId);
    if (!name.includes('\\') || !ESCAPED.test(name)) return;
    this.#escaped += 1;
    this.#firstEscaped ??= row;
  }

  /** Call it after the last row. */
  list(): InputNote[] {
    return [this.#empty(), this.#roundedIds(), this.#escapedNames()].filter((note) => note !== undefined);
  }

  #addLong(id: bigint): void {
    if (this.#longIds.has(id) || (this.#isBeyondSpreadsheet && this.#isBeyondDouble)) return;
    const digits = String(id < 0n ? -id : id);
    if (digits.length - zerosOf(digits) > SPREADSHEET_DIGITS) this.#isBeyondSpreadsheet = true;
    if (isBeyond(id) && String(Number(digits)) !== digits) this.#isBeyondDouble = true;
    if (this.#longIds.size < IDS_MAX) this.#longIds.add(id);
  }

  #empty(): InputNote | undefined {
    const parts = [counted(this.emptyRows, 'empty row'), counted(this.emptyColumns, 'empty column')];
    const skipped = parts.filter((part) => part !== undefined).join(' and ');
    return skipped === '' ? undefined : { type: 'empty', message: `Skipped ${skipped}.` };
  }

  #roundedIds(): InputNote | undefined {
    const ids = [...this.#longIds].map((id) => String(id < 0n ? -id : id));
    const spreadsheet = this.#isBeyondSpreadsheet ? 0 : sum(ids.map(spreadsheetEvidence));
    const beyond = ids.filter((digits) => isBeyond(BigInt(digits)));
    const double = this.#isBeyondDouble ? 0 : sum(beyond.map(doubleEvidence));
    if (Math.max(spreadsheet, double) < EVIDENCE_MIN) return undefined;
    const [example = ''] = spreadsheet >= double ? ids : beyond;
    const message = `All long category ids, such as ${example}, look rounded by a spreadsheet or another program. They are sent as they are.`;
    return { type: 'rounded-ids', message };
  }

  #escapedNames(): InputNote | undefined {
    if (this.#firstEscaped === undefined) return undefined;
    const line = `line ${String(this.#firstEscaped.line)}`;
    const message =
      this.#escaped === 1
        ? `The name in ${line} has a backslash, as a database dump writes it. It is sent as it is.`
        : `${String(this.#escaped)} names have a backslash, as a database dump writes them, the first in ${line}. They are sent as they are.`;
    return { type: 'escaped-names', message };
  }
}

function isBeyond(id: bigint): boolean {
  return id > EXACT_MAX || id < -EXACT_MAX;
}

function zerosOf(digits: string): number {
  return digits.length - digits.replace(/0+$/, '').length;
}

/** How unlikely it is, as a power of 2, that an id ends in as many zeros as a spreadsheet writes. */
function spreadsheetEvidence(digits: string): number {
  const rounded = digits.length - SPREADSHEET_DIGITS;
  return zerosOf(digits) > rounded + ROUNDED_ZEROS_MAX ? 0 : rounded * Math.log2(10);
}

/** How unlikely it is, as a power of 2, that an id is the shortest text of a double: these are as far apart as this. */
function doubleEvidence(digits: string): number {
  const rounded = digits.length - SPREADSHEET_DIGITS;
  return zerosOf(digits) > rounded + ROUNDED_ZEROS_MAX ? 0 : Math.log2(Number(digits) / Number(EXACT_MAX));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function counted(count: number, noun: string): string | undefined {
  if (count === 0) return undefined;
  return `${String(count)} ${noun}${count === 1 ? '' : 's'}`;
}
