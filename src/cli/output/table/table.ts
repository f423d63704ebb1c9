import { cellText, fieldValue } from '../cell-text.js';
import type { ColorLevel } from '../text/color.js';
import { fitColumns } from './column-widths.js';
import { createPainter, type Painter } from '../text/style.js';
import { toTerminalLine } from '../text/terminal-text.js';
import { cutToWidth, loadMeasure, type MeasureWidth } from '../text/text-width.js';
import type { Column, Row } from '../view.js';

const GAP = '  ';
/** A flexible column narrower than this says nothing. */
const FLEXIBLE_MINIMUM = 3;
/** cli-table3 takes quadratic time; with fixed widths, tables of 50 rows one after the other are the same bytes. */
const ROWS_PER_CHUNK = 50;
const BORDERLESS = {
  ...{ top: '', 'top-mid': '', 'top-left': '', 'top-right': '' },
  ...{ bottom: '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '' },
  ...{ left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '', middle: GAP },
};

/** What a table is fitted to. */
export interface TableOptions {
  header: boolean;
  /** Columns of the terminal. */
  width: number;
  colorLevel: ColorLevel;
}

/** One shown column: its cells, the title first where there is one, and how they are set. */
interface TableColumn {
  cells: readonly string[];
  width: number;
  align: 'left' | 'right';
  paint: (text: string, rowIndex: number) => string;
}

/**
 * A table without borders, no line wider than the terminal and none ending in a blank. Values of fixed columns are
 * never cut; others end in `…` where they are.
 */
export async function toTable(
  rows: readonly Row[],
  columns: readonly Column[],
  options: TableOptions,
): Promise<string> {
  if (rows.length === 0) return '';
  const texts = columns.map((column) => columnTexts(column, rows, options.header));
  const measure = await loadMeasure(texts.flat());
  const painter = await createPainter(options.colorLevel);
  const needs = columns.map((column, index) =>
    columnNeed(column, texts[index] ?? [], options.header, measure),
  );
  const widths = fitColumns(needs, options.width, GAP.length);
  const shown = columns.flatMap((column, index): TableColumn[] => {
    const width = widths[index] ?? 0;
    const cells = (texts[index] ?? []).map((text) => shownText(text, width, measure));
    const align = column.align ?? (isNumeric(column.field, rows) ? 'right' : 'left');
    return width === 0
      ? []
      : [{ cells, width, align, paint: cellPainter(column, texts[index], options, painter) }];
  });
  return drawColumns(shown, measure);
}

/** One `FIELD: value` a line, values under one another, nothing cut: one thing is shown to be read whole. */
export async function toRecordLines(
  row: Row,
  columns: readonly Column[],
  options: Omit<TableOptions, 'width'>,
): Promise<string> {
  const painter = await createPainter(options.colorLevel);
  const labels = columns.map((column) => `${titleOf(column)}:`);
  const measure = await loadMeasure(labels);
  const labelWidth = Math.max(...labels.map(measure));
  const lines = columns.map((column, index) => {
    const text = toTerminalLine(cellText(fieldValue(row, column.field))).trimEnd();
    const value = painted(column, text, text, painter);
    const label = labels[index] ?? '';
    if (!options.header) return value;
    const space = text === '' ? '' : ' '.repeat(labelWidth - measure(label) + 1);
    return painter('bold', label) + space + value;
  });
  return lines.map((line) => `${line}\n`).join('');
}

function columnTexts(column: Column, rows: readonly Row[], header: boolean): string[] {
  const texts = rows.map((row) => toTerminalLine(cellText(fieldValue(row, column.field))).trimEnd());
  return header ? [titleOf(column), ...texts] : texts;
}

function titleOf(column: Column): string {
  return toTerminalLine(column.header.toUpperCase());
}

function columnNeed(column: Column, texts: readonly string[], header: boolean, measure: MeasureWidth) {
  const fixed = column.fixed === true;
  const widths = texts.map((text) => measure(text));
  const natural = widths.reduce((widest, width) => Math.max(widest, width), 1);
  const valueWidth = widths.slice(header ? 1 : 0).reduce((widest, width) => Math.max(widest, width), 1);
  const least = Math.min(natural, FLEXIBLE_MINIMUM);
  return {
    natural,
    minimum: fixed ? Math.max(valueWidth, least) : least,
    fixed,
    spare: column.spare === true,
  };
}

/** The text cut to its column. One that takes no column (a lone accent) gets a dotted circle to sit on. */
function shownText(text: string, width: number, measure: MeasureWidth): string {
  if (width === 0) return '';
  return cutToWidth(text !== '' && measure(text) === 0 ? `◌${text}` : text, width, measure);
}

function isNumeric(field: string, rows: readonly Row[]): boolean {
  let numbers = 0;
  for (const row of rows) {
    const value = fieldValue(row, field);
    if (typeof value === 'number' || typeof value === 'bigint') numbers += 1;
    else if (value !== undefined && value !== null) return false;
  }
  return numbers > 0;
}

function cellPainter(
  column: Column,
  texts: readonly string[] | undefined,
  options: TableOptions,
  painter: Painter,
): TableColumn['paint'] {
  if (options.colorLevel === 0) return (text) => text;
  return (text, rowIndex) =>
    options.header && rowIndex === 0
      ? painter('bold', text)
      : painted(column, texts?.[rowIndex] ?? '', text, painter);
}

function painted(column: Column, value: string, text: string, painter: Painter): string {
  const style = text === '' ? undefined : column.paint?.(value);
  return style === undefined ? text : painter(style, text);
}

const STAND_IN = '\ue000';
const STAND_INS = /\ue000+/g;
const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

/**
 * Sets the columns with cli-table3. It has a measure of its own, which differs from ours for some characters and
 * costs start-up; so every cell that is not plain ASCII goes in as a run of one stand-in character of the same width,
 * and its text is put back afterwards. The stand-in itself never comes in from outside, since it is not ASCII.
 */
async function drawColumns(columns: readonly TableColumn[], measure: MeasureWidth): Promise<string> {
  const { default: Table } = await import('cli-table3');
  const rowCount = columns[0]?.cells.length ?? 0;
  let drawn = '';
  for (let from = 0; from < rowCount; from += ROWS_PER_CHUNK) {
    const table = new Table({
      chars: BORDERLESS,
      colWidths: columns.map(({ width }) => width),
      colAligns: columns.map(({ align }) => align),
      style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
    });
    const putBack: string[] = [];
    for (let rowIndex = from; rowIndex < Math.min(from + ROWS_PER_CHUNK, rowCount); rowIndex += 1) {
      table.push(columns.map((column) => cellToDraw(column, rowIndex, measure, putBack)));
    }
    let next = 0;
    for (const line of table.toString().split('\n')) {
      drawn += `${line.trimEnd().replace(STAND_INS, () => putBack[next++] ?? '')}\n`;
    }
  }
  return drawn;
}

function cellToDraw(column: TableColumn, rowIndex: number, measure: MeasureWidth, putBack: string[]): string {
  const text = column.cells[rowIndex] ?? '';
  const painted = column.paint(text, rowIndex);
  if (painted === text && PRINTABLE_ASCII.test(text)) return text;
  putBack.push(painted);
  return STAND_IN.repeat(measure(text));
}
