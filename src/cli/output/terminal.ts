import type { ColorLevel } from './text/color.js';

/** What the output streams can show, after flags and environment are applied. Widths are in columns. */
export interface Terminal {
  stdout: { isTTY: boolean; width: number; colorLevel: ColorLevel };
  stderr: { isTTY: boolean; colorLevel: ColorLevel };
}
