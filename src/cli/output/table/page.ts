import type { Terminal } from '../rows/view.js';
import type { PaintStyle } from '../text/color.js';
import { withLocalTimes } from '../text/local-time.js';
import { toTerminalLine } from '../text/terminal-text.js';
import { wrap, wrapCommand } from '../text/wrap.js';
import type { Column } from '../rows/view.js';
import { loadTableTools, pageTable } from './table.js';

/** How a page is formatted. */
export interface PageStyle {
  stdout: Terminal['stdout'];
  /** Milliseconds since the epoch. */
  now: number;
}

interface ParagraphStyle {
  first?: string;
  rest?: string;
  lead?: string;
  style?: PaintStyle;
}

export type Page = Awaited<ReturnType<typeof createPage>>;

/**
 * Creates a text for people, wrapped to the terminal's width. Control characters in it are shown, never sent.
 *
 * @param texts all data that the page may show: its characters decide which width function is loaded.
 */
export async function createPage({ stdout, now }: PageStyle, texts: unknown) {
  const { isTTY, width, colorLevel } = stdout;
  const tools = await loadTableTools([JSON.stringify(texts)], colorLevel);
  const { measure, paint } = tools;
  const lines: string[] = [];
  const push = (more: readonly string[]): void => void lines.push(...more.map((line) => line.trimEnd()));
  /** Adds an empty line, except at the top or after another one. */
  const gap = (): void => {
    if (lines.length > 0 && lines.at(-1) !== '') lines.push('');
  };
  return {
    /** Whether symbols are shown. */
    isTTY,
    gap,
    heading(text: string): void {
      gap();
      const wrapped = wrap(toTerminalLine(text), { width, rest: '  ', measure });
      push(wrapped.map((line) => paint('bold', line)));
    },
    /** Adds a paragraph. Shows UTC times in it as local times. `style` applies to its first words, `lead`. */
    text(text: string, { first = '', rest = first, lead, style }: ParagraphStyle = {}): void {
      const wrapped = wrap(toTerminalLine(withLocalTimes(text, now)), { width, first, rest, measure });
      const start = lead === undefined ? '' : toTerminalLine(lead);
      // Painted after wrapping, so that colour codes are not counted as columns.
      if (style !== undefined && wrapped[0] !== undefined && start !== '') {
        wrapped[0] = wrapped[0].replace(start, () => paint(style, start));
      }
      push(wrapped);
    },
    command(command: string, indent: string): void {
      const rest = `${indent}  `;
      const wrapped = wrapCommand(toTerminalLine(command), { width, first: indent, rest, measure });
      push(wrapped.map((line) => paint('cyan', line)));
    },
    table(rows: readonly object[], columns: readonly Column[], indent: string): void {
      const drawn = pageTable(rows, columns, width - indent.length, tools);
      push(drawn.map((line) => (line === '' ? '' : indent + line)));
    },
    /** Replaces the UTC times in the text of a cell by local times. */
    localTimes: (text: string): string => withLocalTimes(text, now),
    toString: (): string => lines.map((line) => `${line}\n`).join(''),
  };
}
