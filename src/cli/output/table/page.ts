import type { Terminal } from '../terminal.js';
import { type PageColumn, setTable } from './page-table.js';
import { createPainter, type Painter, type PaintStyle } from '../text/style.js';
import { toTerminalLine } from '../text/terminal-text.js';
import { loadMeasure, type MeasureWidth } from '../text/text-width.js';
import { wrap, wrapCommand } from '../text/wrap.js';

/** What a page is set for. */
export interface PageStyle {
  stdout: Terminal['stdout'];
  /** Milliseconds since the epoch. */
  now: number;
}

/** A text for people, set line by line within the terminal's width. Nothing in it can drive the terminal. */
export interface Page {
  /** Whether symbols are shown. */
  readonly isTTY: boolean;
  /** An empty line, but never two, nor one at the top. */
  gap(): void;
  heading(text: string): void;
  /** A paragraph. What `style` paints is its first words, `lead`. */
  text(text: string, layout?: { first?: string; rest?: string; lead?: string; style?: PaintStyle }): void;
  command(command: string, indent: string): void;
  table(rows: readonly object[], columns: readonly PageColumn[], indent: string): void;
  toString(): string;
}

/** @param texts all that may come, as a sample of its characters: the measure depends on it. */
export async function createPage({ stdout }: PageStyle, texts: unknown): Promise<Page> {
  const { isTTY, width, colorLevel } = stdout;
  const measure: MeasureWidth = await loadMeasure([JSON.stringify(texts)]);
  const paint: Painter = await createPainter(colorLevel);
  const lines: string[] = [];
  const push = (more: readonly string[]): void => void lines.push(...more.map((line) => line.trimEnd()));
  const gap = (): void => {
    if (lines.length > 0 && lines.at(-1) !== '') lines.push('');
  };
  return {
    isTTY,
    gap,
    heading(text) {
      gap();
      const set = wrap(toTerminalLine(text), { width, first: '', rest: '  ', measure });
      push(set.map((line) => paint('bold', line)));
    },
    text(text, { first = '', rest = first, lead, style } = {}) {
      const set = wrap(toTerminalLine(text), { width, first, rest, measure });
      const start = lead === undefined ? '' : toTerminalLine(lead);
      // Painted afterwards, so that the colours are not counted as columns.
      if (style !== undefined && set[0] !== undefined && start !== '') {
        set[0] = set[0].replace(start, () => paint(style, start));
      }
      push(set);
    },
    command(command, indent) {
      const set = wrapCommand(toTerminalLine(command), {
        width,
        first: indent,
        rest: `${indent}  `,
        measure,
      });
      push(set.map((line) => paint('cyan', line)));
    },
    table(rows, columns, indent) {
      const set = setTable(rows, columns, { width: width - indent.length, measure, paint });
      push(set.map((line) => (line === '' ? '' : indent + line)));
    },
    toString: () => lines.map((line) => `${line}\n`).join(''),
  };
}
