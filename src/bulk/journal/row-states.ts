/** The state of a row. */
export type RowState =
  /** Not sent yet. */
  | 'left'
  | 'in-flight'
  /** Created by this run. */
  | 'created'
  /** Created by an earlier run. */
  | 'already-done'
  | 'rejected'
  /** Rejected, and written to a rejected-rows file. */
  | 'rejected-saved'
  | 'unknown';

const STATES = [
  'left',
  'in-flight',
  'created',
  'already-done',
  'rejected',
  'rejected-saved',
  'unknown',
] as const satisfies RowState[];
const CODES = Object.fromEntries(STATES.map((state, code) => [state, code])) as Record<RowState, number>;

/** Maximum number of different reasons. Rows beyond it share the reason `OTHER`. */
export const REASONS_MAX = 4_096;
/** Reason 0. The journal has no record of it. */
const ENDED = 'the import ended before the response';
const OTHER = 'another reason (too many to keep)';

/** The state of every row, in three bytes each. Rows count from 1. */
export class RowStates {
  readonly rows: number;
  readonly #codes: Uint8Array;
  readonly #reasonOf: Uint16Array;
  readonly #counts = new Array<number>(STATES.length).fill(0);
  readonly #reasons = [ENDED];
  readonly #numbers = new Map([[ENDED, 0]]);

  constructor(rows: number) {
    this.rows = rows;
    this.#codes = new Uint8Array(rows);
    this.#reasonOf = new Uint16Array(rows);
    this.#counts[CODES.left] = rows;
  }

  get(row: number): RowState {
    return STATES[this.#codes[row - 1] ?? 0] ?? 'left';
  }

  set(row: number, state: RowState, reason = 0): void {
    const before = this.#codes[row - 1] ?? 0;
    this.#counts[before] = (this.#counts[before] ?? 0) - 1;
    this.#codes[row - 1] = CODES[state];
    this.#counts[CODES[state]] = (this.#counts[CODES[state]] ?? 0) + 1;
    this.#reasonOf[row - 1] = reason;
  }

  /** Changes the state of all rows with the state `from`, and keeps their reasons. */
  moveAll(from: RowState, to: RowState): void {
    for (let row = 1; row <= this.rows && this.count(from) > 0; row += 1) {
      if (this.get(row) === from) this.set(row, to, this.#reasonOf[row - 1]);
    }
  }

  count(state: RowState): number {
    return this.#counts[CODES[state]] ?? 0;
  }

  /** Returns why a row is rejected or unknown. */
  reason(row: number): string {
    return this.#reasons[this.reasonNumber(row)] ?? OTHER;
  }

  /** Returns the number of the reason of a row. */
  reasonNumber(row: number): number {
    return this.#reasonOf[row - 1] ?? 0;
  }

  /** Returns the number of a reason, and whether it is new. */
  addReason(text: string): { reason: number; isNew: boolean } {
    const known = this.#numbers.get(text);
    if (known !== undefined) return { reason: known, isNew: false };
    if (this.#reasons.length >= REASONS_MAX - 1 && text !== OTHER) return this.addReason(OTHER);
    const reason = this.#reasons.length;
    this.setReason(reason, text);
    return { reason, isNew: true };
  }

  setReason(reason: number, text: string): void {
    this.#reasons[reason] = text;
    this.#numbers.set(text, reason);
  }
}
