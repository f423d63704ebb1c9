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
}

/** Whether every column gets at least its minimum. */
export function hasRoom(needs: readonly ColumnNeed[], width: number, gap: number): boolean {
  return totalMinimum(needs, new Set(needs.keys()), gap) <= width;
}

/**
 * Divides a terminal's width between columns. Each gets its minimum; the rest is shared evenly between those that need
 * more. If the minimums don't fit, columns are dropped: spare ones, then flexible ones, then fixed ones, each from the
 * right. The last column is never dropped.
 *
 * @returns the width of each column, 0 for one that is dropped.
 */
export function fitColumns(needs: readonly ColumnNeed[], width: number, gap: number): number[] {
  const shown = new Set(needs.keys());
  while (shown.size > 1 && totalMinimum(needs, shown, gap) > width) shown.delete(leastNeeded(needs, shown));
  const widths = needs.map((need, index) => (shown.has(index) ? need.minimum : 0));
  shareRest(needs, widths, shown, width - totalMinimum(needs, shown, gap));
  return widths;
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

function shareRest(
  needs: readonly ColumnNeed[],
  widths: number[],
  shown: ReadonlySet<number>,
  rest: number,
): void {
  let left = rest;
  let growing = [...shown];
  while (left > 0) {
    growing = growing.filter((index) => (widths[index] ?? 0) < (needs[index]?.natural ?? 0));
    if (growing.length === 0) return;
    const share = Math.max(1, Math.floor(left / growing.length));
    for (const index of growing) {
      const width = widths[index] ?? 0;
      const added = Math.min(share, left, (needs[index]?.natural ?? 0) - width);
      widths[index] = width + added;
      left -= added;
    }
  }
}
