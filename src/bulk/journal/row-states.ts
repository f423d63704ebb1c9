/** How a row stands. */
export type RowState =
  | 'left'
  | 'under-way'
  /** By this run. */
  | 'created'
  /** Created by an earlier run. */
  | 'already-done'
  | 'refused'
  /** Refused, and written to a file of refused rows. */
  | 'filed'
  | 'unknown';

const STATES = [
  'left',
  'under-way',
  'created',
  'already-done',
  'refused',
  'filed',
  'unknown',
] as const satisfies RowState[];
const CODES = Object.fromEntries(STATES.map((state, code) => [state, code])) as Record<RowState, number>;

/** So many different reasons are kept; rows beyond that share the last. */
export const REASONS_MAX = 4_096;
/** The first, which no journal has to tell. */
const ENDED = 'the import ended before the answer came';
/** The last. */
const OTHER = 'another reason: so many are not kept';

/** How every row stands, in three bytes each. Rows count from 1. */
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

  /** Changes every row in one state to another, and keeps its reason. */
  moveAll(from: RowState, to: RowState): void {
    for (let row = 1; row <= this.rows && this.count(from) > 0; row += 1) {
      if (this.get(row) === from) this.set(row, to, this.#reasonOf[row - 1]);
    }
  }

  count(state: RowState): number {
    return this.#counts[CODES[state]] ?? 0;
  }

  /** Why a row was refused, or its outcome is unknown. */
  reason(row: number): string {
    return this.#reasons[this.reasonNumber(row)] ?? OTHER;
  }

  /** The number of that reason. */
  reasonNumber(row: number): number {
    return this.#reasonOf[row - 1] ?? 0;
  }

  /** The number of a text, and whether it is new. */
  numberOf(text: string): { reason: number; isNew: boolean } {
    const known = this.#numbers.get(text);
    if (known !== undefined) return { reason: known, isNew: false };
    if (this.#reasons.length >= REASONS_MAX - 1 && text !== OTHER) return this.numberOf(OTHER);
    const reason = this.#reasons.length;
    this.setReason(reason, text);
    return { reason, isNew: true };
  }

  setReason(reason: number, text: string): void {
    this.#reasons[reason] = text;
    this.#numbers.set(text, reason);
  }
}
