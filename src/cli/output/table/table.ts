import { cellText, fieldValue } from '../rows/cells.js';
import type { ColorLevel } from '../text/color.js';
import { createPainter, type PaintStyle } from '../text/color.js';
import { toTerminalLine } from '../text/terminal-text.js';
import { loadMeasure, type MeasureWidth, truncateToWidth } from '../text/text-width.js';
import { wrap } from '../text/wrap.js';
import type { Column, RenderOptions, Row } from '../rows/view.js';
import { type ColumnNeed, fitColumns, hasRoom } from './column-widths.js';
import { type CellLine, type ColumnLayout, GAP, loadDrawTable } from './draw-table.js';

/** Format of a table or a record. */
export type TableOptions = Pick<RenderOptions, 'header' | 'width' | 'colorLevel' | 'onHidden'>;

/** The loaded functions that lay out a table. */
export type TableTools = Awaited<ReturnType<typeof loadTableTools>>;

/**
 * Loads what tables need.
 *
 * @param texts all texts to show: their characters decide which width function is loaded.
 */
export async function loadTableTools(texts: readonly string[], colorLevel: ColorLevel) {
  const [measure, paint] = await Promise.all([loadMeasure(texts), createPainter(colorLevel)]);
  return { measure, paint, draw: await loadDrawTable(measure, paint) };
}

/**
 * Formats rows as a table that fits the terminal. Values of fixed columns are never truncated; other values end in `…`
 * if they are.
 */
export async function toTable(
  rows: readonly Row[],
  columns: readonly Column[],
  { header, width, colorLevel, onHidden }: TableOptions,
): Promise<string> {
  if (rows.length === 0) return '';
  const all = columns.map((column) => withEmptyText(readColumn(column, rows, false)));
  const texts = all.flatMap(({ title, cells }) => [title, ...cells.flat()]);
  const { measure, draw } = await loadTableTools(texts, colorLevel);
  const needs = all.map((one) => truncatedNeed(one, header, measure));
  const widths = fitColumns(needs, width, GAP.length);
  const shown = all.flatMap((column, index) => {
    const columnWidth = widths[index] ?? 0;
    const truncate = (text: string): string[] => [truncateToWidth(text, columnWidth, measure)];
    return columnWidth === 0 ? [] : [layOut(column, header, truncate, measure)];
  });
  const hidden = all.filter((_, index) => widths[index] === 0).map(({ title }) => title);
  if (hidden.length > 0) onHidden?.(hidden);
  return endLines(draw(linesOf(shown), shown));
}

/** Formats one row as `FIELD: value` lines with aligned values. Nothing is truncated. */
export async function toRecordLines(
  row: Row,
  columns: readonly Column[],
  { header, colorLevel }: Omit<TableOptions, 'width'>,
): Promise<string> {
  const read = columns.map((column) => withEmptyText(readColumn(column, [row], false)));
  const measure = await loadMeasure(read.map(({ title }) => title));
  const paint = await createPainter(colorLevel);
  if (header) return endLines(recordLines(read, 0, { measure, paint }));
  const values = read.map(({ column, cells }) => {
    const [cell = []] = cells;
    const style = styleOf(column, cell, row);
    return style === undefined ? (cell[0] ?? '') : paint(style, cell[0] ?? '');
  });
  return endLines(values);
}

/**
 * Lays out rows for a page: cells wrap between words, and columns without a value are left out. A word that is longer
 * than its column is broken, except in fixed columns. A list in a cell becomes one line per item. If the columns do not
 * fit, each row becomes `FIELD: value` lines.
 */
export function pageTable(
  rows: readonly object[],
  columns: readonly Column[],
  width: number,
  { measure, paint, draw }: TableTools,
): string[] {
  const filled = columns
    .map((column) => readColumn(column, rows as readonly Row[], true))
    .filter(({ cells }) => cells.some((cell) => cell.length > 0));
  if (filled.length === 0) return [];
  const needs = [Number.POSITIVE_INFINITY, BROKEN_WORD_MIN]
    .map((wordMax) => filled.map((column) => wrappedNeed(column, wordMax, measure)))
    .find((candidates) => hasRoom(candidates, width, GAP.length));
  if (needs === undefined) {
    return rows.flatMap((_, row) => {
      const lines = recordLines(filled, row, { measure, paint, width });
      return row === 0 ? lines : ['', ...lines];
    });
  }
  const widths = fitColumns(needs, width, GAP.length);
  const shown = filled.map((column, index) => {
    const columnWidth = widths[index] ?? 0;
    const split = (text: string, isItem: boolean): string[] => wrapCell(text, columnWidth, isItem, measure);
    return layOut(column, true, split, measure);
  });
  return draw(linesOf(shown), shown);
}

/** A truncated column narrower than this shows nothing useful. */
const TRUNCATED_MIN = 3;
/** Words are not broken into parts shorter than this. */
const BROKEN_WORD_MIN = 20;
/** Starts the continuation lines of an item in a list. */
const ITEM_INDENT = '  ';

/** Without trailing blanks. Only blanks are quoted, because they would look like no value. */
function shownText(value: unknown): string {
  const text = toTerminalLine(cellText(value));
  const trimmed = text.trimEnd();
  return trimmed === '' && text !== '' ? `"${text}"` : trimmed;
}

type ReadColumn = ReturnType<typeof readColumn>;

function readColumn(column: Column, rows: readonly Row[], splitsLists: boolean) {
  const values = rows.map((row) => fieldValue(row, column.field));
  /** Texts by row: no text for an empty value, one per item for a list. */
  const cells = values.map((value): readonly string[] => {
    const items: readonly unknown[] = splitsLists && Array.isArray(value) ? value : [value];
    return items.map(shownText).filter((text) => text !== '');
  });
  const title = toTerminalLine(column.header.toUpperCase());
  const numeric = isNumeric(values);
  const align: ColumnLayout['align'] = column.align ?? (numeric ? 'right' : 'left');
  return { column, rows, title, cells, numeric, align };
}

/** Fills in the text for missing values. */
function withEmptyText(read: ReadColumn): ReadColumn {
  const { emptyText } = read.column;
  if (emptyText === undefined) return read;
  return { ...read, cells: read.cells.map((cell) => (cell.length === 0 ? [emptyText] : cell)) };
}

function isNumeric(values: readonly unknown[]): boolean {
  const set = values.filter((value) => value !== undefined && value !== null);
  return set.length > 0 && set.every((value) => typeof value === 'number' || typeof value === 'bigint');
}

function truncatedNeed(
  { column, title, cells, numeric }: ReadColumn,
  header: boolean,
  measure: MeasureWidth,
): ColumnNeed {
  const values = widest(cells.flat(), measure, 1);
  const natural = Math.max(values, header ? measure(title) : 1);
  const least = Math.min(natural, TRUNCATED_MIN);
  const [fixed, spare] = [column.fixed === true, column.spare === true];
  return { natural, minimum: fixed ? Math.max(values, least) : least, fixed, spare, numeric };
}

function wrappedNeed(
  { column, title, cells, numeric }: ReadColumn,
  wordMax: number,
  measure: MeasureWidth,
): ColumnNeed {
  const natural = widest([title, ...cells.flat()], measure, 1);
  if (column.fixed === true) return { natural, minimum: natural, fixed: true, spare: false, numeric };
  const isList = cells.some((cell) => cell.length > 1);
  const words = cells.flat().flatMap((text) => text.split(' '));
  const word = Math.min(wordMax, widest(words, measure, 1) + (isList ? ITEM_INDENT.length : 0));
  const minimum = Math.min(natural, Math.max(measure(title), word));
  return { natural, minimum, fixed: false, spare: false, numeric };
}

function widest(texts: readonly string[], measure: MeasureWidth, least: number): number {
  return texts.reduce((width, text) => Math.max(width, measure(text)), least);
}

function wrapCell(text: string, width: number, isItem: boolean, measure: MeasureWidth): string[] {
  return wrap(text, { width, rest: isItem ? ITEM_INDENT : '', measure, breaksWords: true });
}

type ShownColumn = ReturnType<typeof layOut>;

function layOut(
  { column, rows, title, cells, align }: ReadColumn,
  header: boolean,
  split: (text: string, isItem: boolean) => readonly string[],
  measure: MeasureWidth,
) {
  const body = cells.map((cell, row): readonly CellLine[] => {
    const style = styleOf(column, cell, rows[row]);
    const isItem = cell.length > 1;
    return cell.flatMap((text) => split(text, isItem).map((line) => ({ text: line, style })));
  });
  const head = split(title, false).map((text) => ({ text, style: 'bold' as const }));
  /** By row, the title first if it is shown. */
  const all = header ? [head, ...body] : body;
  const texts = all.flat().map(({ text }) => text);
  return { width: widest(texts, measure, 1), align, cells: all };
}

function styleOf({ paint }: Column, cell: readonly string[], row: Row = {}): PaintStyle | undefined {
  return cell.length === 0 ? undefined : paint?.(cell.join(' '), row);
}

/** The lines of the table: a row has as many as its highest cell. */
function linesOf(columns: readonly ShownColumn[]): CellLine[][] {
  return (columns[0]?.cells ?? []).flatMap((_, row) => {
    const height = Math.max(1, ...columns.map(({ cells }) => cells[row]?.length ?? 0));
    return Array.from({ length: height }, (_, index) =>
      columns.map(({ cells }) => cells[row]?.[index] ?? { text: '' }),
    );
  });
}

/** `FIELD: value` lines of one row. With a width, empty fields are left out, and values that are not fixed wrap. */
function recordLines(
  columns: readonly ReadColumn[],
  row: number,
  { measure, paint, width }: Pick<TableTools, 'measure' | 'paint'> & { width?: number },
): string[] {
  const labelWidth = widest(
    columns.map(({ title }) => title),
    measure,
    0,
  );
  const lead = ' '.repeat(labelWidth + 2);
  return columns.flatMap(({ column, rows, title, cells }) => {
    const cell = cells[row] ?? [];
    const label = `${paint('bold', `${title}:`)}${' '.repeat(labelWidth - measure(title) + 1)}`;
    if (cell.length === 0) return width === undefined ? [paint('bold', `${title}:`)] : [];
    const room = width === undefined || column.fixed === true ? undefined : width - lead.length;
    const lines = cell.flatMap((text) =>
      room === undefined ? [text] : wrapCell(text, room, cell.length > 1, measure),
    );
    const style = styleOf(column, cell, rows[row]);
    return lines.map((text, index) => {
      const value = style === undefined ? text : paint(style, text);
      return (index === 0 ? label : lead) + value;
    });
  });
}

function endLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
