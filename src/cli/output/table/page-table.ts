import { cellText, fieldValue } from '../cell-text.js';
import type { Painter } from '../text/style.js';
import { toTerminalLine } from '../text/terminal-text.js';
import type { MeasureWidth } from '../text/text-width.js';
import type { Column } from '../view.js';
import { breakWords, wrap } from '../text/wrap.js';

/** A column of a page's table. A list in a cell is set one item under the other. */
export interface PageColumn extends Column {
  /** What is the same as in the row above is left blank. */
  once?: boolean;
  /** A word that has no room goes on below, rather than stick out. For what is read and not copied. */
  breaks?: boolean;
}

/** What a table is set for. */
export interface PageTableStyle {
  /** Columns of the terminal. */
  width: number;
  measure: MeasureWidth;
  paint: Painter;
}

const GAP = '  ';
/** Before what goes on below, where a cell holds several items. */
const INDENT = '  ';
/** A cell of more lines is easier to read by itself. */
const CELL_LINES_MAX = 4;
/** A column whose words may be broken is not made narrower than this for their sake. */
const BROKEN_MIN = 20;

/**
 * Sets rows in lines without ever cutting a value, unless its column allows it: people copy them. What is too long goes on below, between words, but
 * not in fixed columns; where there is no room for that, each row becomes lines of a title and a value. Columns without a
 * value are left out.
 */
export function setTable(
  rows: readonly object[],
  columns: readonly PageColumn[],
  style: PageTableStyle,
): string[] {
  const filled = columns
    .map((column) => ({ column, cells: rows.map((row) => cellLines(row, column)) }))
    .filter(({ cells }) => cells.some((cell) => cell.length > 0));
  if (filled.length === 0) return [];
  const widths = shareWidth(filled.map(needOf(style)), style.width - GAP.length * (filled.length - 1));
  const set = filled.map(({ column, cells }, index): SetColumn => {
    const lines = cells.map((cell) => setCell(cell, column, widths?.[index] ?? 0, style));
    return {
      column,
      width: Math.max(...[titleOf(column), ...lines.flat()].map(style.measure)),
      cells: lines,
    };
  });
  const isLow = set.every(({ cells }) => cells.every((cell) => cell.length <= CELL_LINES_MAX));
  return widths !== undefined && isLow ? drawTable(set, style) : drawStack(filled, style);
}

interface FilledColumn {
  column: PageColumn;
  /** By row; each a list of lines, of which an empty value has none. */
  cells: readonly (readonly string[])[];
}

interface SetColumn extends FilledColumn {
  width: number;
}

function cellLines(row: object, { field }: Column): string[] {
  const value = fieldValue({ ...row }, field);
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return items.map((item) => toTerminalLine(cellText(item)).trimEnd()).filter((text) => text !== '');
}

function titleOf({ header }: Column): string {
  return toTerminalLine(header.toUpperCase());
}

interface Need {
  /** What shows each line whole. */
  natural: number;
  /** What shows each word whole. */
  least: number;
}

function needOf({ measure }: PageTableStyle): (filled: FilledColumn) => Need {
  const widest = (texts: readonly string[]): number => Math.max(...texts.map(measure));
  return ({ column, cells }) => {
    const [title, lines] = [titleOf(column), cells.flat()];
    const natural = widest([title, ...lines]);
    if (column.fixed === true) return { natural, least: natural };
    const isList = cells.some((cell) => cell.length > 1);
    const whole = widest(lines.flatMap((line) => line.split(' '))) + (isList ? INDENT.length : 0);
    const words = column.breaks === true ? Math.min(whole, BROKEN_MIN) : whole;
    return { natural, least: Math.min(natural, Math.max(measure(title), words)) };
  };
}

/** Gives each column its least, and what is left in turns; `undefined` where not even the least has room. */
function shareWidth(needs: readonly Need[], room: number): number[] | undefined {
  const widths = needs.map(({ least }) => least);
  let left = room - widths.reduce((sum, width) => sum + width, 0);
  if (left < 0) return undefined;
  for (let given = -1; given !== 0 && left > 0; left -= given) {
    given = 0;
    for (const [index, { natural }] of needs.entries()) {
      if (given === left || (widths[index] ?? 0) >= natural) continue;
      widths[index] = (widths[index] ?? 0) + 1;
      given += 1;
    }
  }
  return widths;
}

/** Of several items in a cell, each is to be told from the next. */
function setCell(
  cell: readonly string[],
  { breaks }: PageColumn,
  width: number,
  { measure }: PageTableStyle,
): string[] {
  const rest = cell.length > 1 ? INDENT : '';
  return cell.flatMap((line) => {
    if (measure(line) <= width) return [line];
    const text = breaks === true && rest === '' ? breakWords(line, width, measure) : line;
    return wrap(text, { width, first: '', rest, measure });
  });
}

function drawTable(columns: readonly SetColumn[], style: PageTableStyle): string[] {
  const { measure, paint } = style;
  const line = (texts: readonly string[], painted: (text: string, index: number) => string): string =>
    columns
      .map(({ column, width }, index) => {
        const text = texts[index] ?? '';
        const space = ' '.repeat(Math.max(0, width - measure(text)));
        return column.align === 'right' ? space + painted(text, index) : painted(text, index) + space;
      })
      .join(GAP)
      .trimEnd();
  const heading = line(
    columns.map(({ column }) => titleOf(column)),
    (text) => paint('bold', text),
  );
  const body = groupsOf(columns).map((rows) => {
    const cells = columns.map(({ column, cells: all }) =>
      column.once === true ? (all[rows[0] ?? 0] ?? []) : rows.flatMap((row) => levelCell(columns, all, row)),
    );
    const height = Math.max(1, ...cells.map((cell) => cell.length));
    return Array.from({ length: height }, (_, index) =>
      line(
        cells.map((cell) => cell[index] ?? ''),
        (text, at) => paintCell(columns[at]?.column, cells[at] ?? [], text, paint),
      ),
    );
  });
  return [heading, ...body.flat()];
}

/** Rows that stand beside one another: those that have the same in the columns that show it once. */
function groupsOf(columns: readonly SetColumn[]): number[][] {
  const shared = columns.filter(({ column }) => column.once === true);
  const groups: number[][] = [];
  for (const row of (columns[0]?.cells ?? []).keys()) {
    const isSame = shared.every(({ cells }) => String(cells[row]) === String(cells[row - 1]));
    const last = groups.at(-1);
    if (shared.length > 0 && isSame && last !== undefined) last.push(row);
    else groups.push([row]);
  }
  return groups;
}

/** The cell with as many lines as its row has. */
function levelCell(
  columns: readonly SetColumn[],
  cells: FilledColumn['cells'],
  row: number,
): readonly string[] {
  const own = columns.filter(({ column }) => column.once !== true).map((one) => one.cells[row]?.length ?? 0);
  const cell = cells[row] ?? [];
  return [...cell, ...Array.from({ length: Math.max(1, ...own) - cell.length }, () => '')];
}

function paintCell(
  column: PageColumn | undefined,
  cell: readonly string[],
  text: string,
  paint: Painter,
): string {
  const style = text === '' ? undefined : column?.paint?.(cell.join(' '));
  return style === undefined ? text : paint(style, text);
}

/** An empty line between the rows. */
function drawStack(columns: readonly FilledColumn[], style: PageTableStyle): string[] {
  const { width, measure, paint } = style;
  const titleWidth = Math.max(...columns.map(({ column }) => measure(titleOf(column))));
  const lead = ' '.repeat(titleWidth) + GAP;
  const count = columns[0]?.cells.length ?? 0;
  return Array.from({ length: count }, (_, row) => {
    const lines = columns.flatMap(({ column, cells }) => {
      const cell = cells[row] ?? [];
      const set = column.fixed === true ? cell : setCell(cell, column, width - lead.length, style);
      return set.map((text, index) => {
        const title = index === 0 ? titleOf(column) : '';
        const space = ' '.repeat(lead.length - measure(title));
        return paint('bold', title) + space + paintCell(column, cell, text, paint);
      });
    });
    return row === 0 ? lines : ['', ...lines];
  }).flat();
}
