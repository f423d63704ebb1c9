/** What a column of a table needs, in columns of the terminal. */
export interface ColumnNeed {
  /** The width that shows everything. */
  natural: number;
  /** The smallest useful width. */
  minimum: number;
  /** Whether its values are never truncated. Such a column is dropped last. */
  fixed: boolean;
  /** Whether the column is dropped first. */
  spare: boolean;
  /** Whether the values are numbers. The title of such a column is truncated before text becomes short. */
  numeric: boolean;
}

/** A column of text keeps this width, if it needs it, while there are spare columns to drop. */
const TEXT_COMFORTABLE = 12;
/** Columns of text grow to this width before the titles of numbers do. */
const TEXT_READABLE = 20;

/** Whether every column gets at least its minimum. */
export function hasRoom(needs: readonly ColumnNeed[], width: number, gap: number): boolean {
  return totalMinimum(needs, new Set(needs.keys()), gap) <= width;
}

/**
 * Divides a terminal's width between columns, in this order:
 *
 * - the minimum of each column
 * - up to 20 columns for each text
 * - the titles of numbers
 * - the rest evenly, for columns that need more
 *
 * If the minimums don't fit, drops columns from the right: spare ones, then flexible ones, then fixed ones, but never the
 * last one. Also drops a spare column if a text would become short.
 *
 * @returns the width of each column, 0 for one that is dropped.
 */
export function fitColumns(needs: readonly ColumnNeed[], width: number, gap: number): number[] {
  const shown = new Set(needs.keys());
  const comfortable = needs.map((need) => ({ ...need, minimum: comfortableWidth(need) }));
  for (const index of [...shown].reverse()) {
    if (shown.size > 1 && needs[index]?.spare === true && totalMinimum(comfortable, shown, gap) > width)
      shown.delete(index);
  }
  while (shown.size > 1 && totalMinimum(needs, shown, gap) > width) shown.delete(leastNeeded(needs, shown));
  const widths = needs.map((need, index) => (shown.has(index) ? need.minimum : 0));
  const readable = needs.map(({ natural, numeric }) => (numeric ? 0 : Math.min(natural, TEXT_READABLE)));
  const natural = needs.map((need) => need.natural);
  const numbers = needs.map((need) => (need.numeric ? need.natural : 0));
  let rest = width - totalMinimum(needs, shown, gap);
  for (const goal of [readable, numbers, natural]) rest = shareRest(goal, widths, [...shown], rest);
  return widths;
}

function comfortableWidth({ natural, minimum, fixed }: ColumnNeed): number {
  return fixed ? minimum : Math.min(natural, Math.max(minimum, TEXT_COMFORTABLE));
}

function totalMinimum(needs: readonly ColumnNeed[], shown: ReadonlySet<number>, gap: number): number {
  let total = gap * (shown.size - 1);
  for (const index of shown) total += needs[index]?.minimum ?? 0;
  return total;
}

function leastNeeded(needs: readonly ColumnNeed[], shown: ReadonlySet<number>): number {
  const fromRight = [...shown].reverse();
  return (
    fromRight.find((index) => needs[index]?.spare === true) ??
    fromRight.find((index) => needs[index]?.fixed === false) ??
    fromRight[0] ??
    0
  );
}

/** Grows columns evenly up to their goals. @returns the columns of the terminal that are left. */
function shareRest(
  goal: readonly number[],
  widths: number[],
  columns: readonly number[],
  rest: number,
): number {
  let left = rest;
  for (;;) {
    const growing = columns.filter((index) => (widths[index] ?? 0) < (goal[index] ?? 0)).slice(0, left);
    if (growing.length === 0) return left;
    for (const index of growing) widths[index] = (widths[index] ?? 0) + 1;
    left -= growing.length;
  }
}
