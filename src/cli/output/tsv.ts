import { cellText } from './cell-text.js';
import { toTerminalLine } from './text/terminal-text.js';

/**
 * One line of tab-separated values, for `cut` and `awk`: no quotes, nothing shortened. A tab or line break inside a
 * value is shown as `^I` or `^J`, and other hidden characters as everywhere on a terminal, so that a tab always
 * separates and a line is always a row. Where the exact text matters, take json.
 */
export function toTsvLine(values: readonly unknown[]): string {
  return `${values.map((value) => toTerminalLine(cellText(value))).join('\t')}\n`;
}
