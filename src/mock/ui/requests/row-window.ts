/** The rows of a long list that are in the document. */
export interface RowWindow {
  /** Index of the first row. */
  from: number;
  /** Exclusive. */
  to: number;
}

/** Rows above and below the visible ones, so that a short scroll shows no gap. */
const SPARE_ROWS = 10;

/**
 * Selects the rows for a scroll position. Their number depends on the height of the list only, not on the number of rows.
 *
 * @param options.scrollTop in pixels.
 * @param options.height of the list, in pixels.
 */
export function rowWindow(
  count: number,
  { scrollTop, height, rowHeight }: { scrollTop: number; height: number; rowHeight: number },
): RowWindow {
  const visible = Math.ceil(height / rowHeight) + 1;
  const lastFirst = Math.max(0, count - visible);
  const first = Math.min(Math.max(0, Math.floor(scrollTop / rowHeight)), lastFirst);
  return { from: Math.max(0, first - SPARE_ROWS), to: Math.min(count, first + visible + SPARE_ROWS) };
}

/** Returns the index after a key, or `undefined` for another key. */
export function indexAfterKey(
  key: string,
  index: number,
  { count, pageRows }: { count: number; pageRows: number },
): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: index + 1,
    ArrowUp: index < 0 ? 0 : index - 1,
    PageDown: index + pageRows,
    PageUp: index - pageRows,
    Home: 0,
    End: count - 1,
  };
  const next = Object.hasOwn(steps, key) ? steps[key] : undefined;
  if (next === undefined || count === 0) return undefined;
  return Math.min(count - 1, Math.max(0, next));
}
