import { cellText } from './cell-text.js';
import { toTerminalLine } from './text/terminal-text.js';

/**
 * Formats one line of tab-separated values, without quotes or truncation. A tab or line break in a value is shown as
 * `^I` or `^J`, so that a tab always separates and a line is always a row.
 */
export function toTsvLine(values: readonly unknown[]): string {
  return `${values.map((value) => toTerminalLine(cellText(value))).join('\t')}\n`;
}
