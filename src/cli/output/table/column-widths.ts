/** What a column of a table needs. */
export interface ColumnNeed {
  /** The width that shows everything. */
  natural: number;
  /** The width below which it is rather left out. */
  minimum: number;
  /** True: its values are never cut, so it is left out last. */
  fixed: boolean;
  /** True: it is left out first. */
  spare: boolean;
}

/**
 * Shares a terminal's width between columns. Each gets its minimum, and what is left is shared evenly between those
 * that need more. Where not even the minima fit, columns are left out: spare ones, then flexible ones, then fixed
 * ones, each from the right; the last one stays whatever its width.
 *
 * @returns the width of each column, 0 for one that is left out.
 */
export function fitColumns(needs: readonly ColumnNeed[], width: number, gap: number): number[] {
  const shown = new Set(needs.keys());
  while (shown.size > 1 && totalMinimum(needs, shown, gap) > width) shown.delete(leastNeeded(needs, shown));
  const widths = needs.map((need, index) => (shown.has(index) ? need.minimum : 0));
  shareOut(needs, widths, shown, width - totalMinimum(needs, shown, gap));
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

function shareOut(
  needs: readonly ColumnNeed[],
  widths: number[],
  shown: ReadonlySet<number>,
  spare: number,
): void {
  let left = spare;
  let hungry = [...shown];
  while (left > 0) {
    hungry = hungry.filter((index) => (widths[index] ?? 0) < (needs[index]?.natural ?? 0));
    if (hungry.length === 0) return;
    const share = Math.max(1, Math.floor(left / hungry.length));
    for (const index of hungry) {
      const width = widths[index] ?? 0;
      const given = Math.min(share, left, (needs[index]?.natural ?? 0) - width);
      widths[index] = width + given;
      left -= given;
    }
  }
}
