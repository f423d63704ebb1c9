import type { Painter, PaintStyle } from '../text/color.js';
import { PRINTABLE_ASCII } from '../../../schema/control-characters.js';
import type { MeasureWidth } from '../text/text-width.js';

/** One line of a cell. */
export interface CellLine {
  text: string;
  style?: PaintStyle | undefined;
}

/** Width and alignment of a column that is shown. */
export interface ColumnLayout {
  width: number;
  align: 'left' | 'right';
}

/** Draws lines of cells in columns, without borders or trailing blanks. */
export type DrawTable = (
  lines: readonly (readonly CellLine[])[],
  columns: readonly ColumnLayout[],
) => string[];

/** Blanks between two columns. */
export const GAP = '  ';

const BORDERLESS = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: GAP,
};
/** cli-table3 takes quadratic time, so a long table is drawn in parts with the same widths. */
const ROWS_PER_TABLE = 50;

/** Loads cli-table3. It only pads cells here: its own wrapping and truncation split characters and break long words. */
export async function loadDrawTable(measure: MeasureWidth, paint: Painter): Promise<DrawTable> {
  const [{ default: Table }, { default: utils }] = await Promise.all([
    import('cli-table3'),
    import('cli-table3/src/utils.js'),
  ]);
  // cli-table3 measures with string-width 4, which counts e.g. Thai vowel signs and zero-width joiners as columns.
  const excessWidth = (text: string): number =>
    PRINTABLE_ASCII.test(text) ? 0 : utils.strlen(text) - measure(text);

  return (lines, columns) => {
    const parts: { colWidths: number[]; rows: string[][] }[] = [];
    for (const line of lines) {
      const row = line.map(({ text, style }) =>
        style === undefined || text === '' ? text : paint(style, text),
      );
      const colWidths = columns.map(({ width }, index) => width + excessWidth(line[index]?.text ?? ''));
      const last = parts.at(-1);
      const isSame = last !== undefined && String(last.colWidths) === String(colWidths);
      if (isSame && last.rows.length < ROWS_PER_TABLE) last.rows.push(row);
      else parts.push({ colWidths, rows: [row] });
    }
    return parts.flatMap(({ colWidths, rows }) => {
      const table = new Table({
        chars: BORDERLESS,
        colWidths,
        colAligns: columns.map(({ align }) => align),
        style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
      });
      table.push(...rows);
      return table
        .toString()
        .split('\n')
        .map((line) => line.trimEnd());
    });
  };
}
