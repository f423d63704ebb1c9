import type { ColorLevel } from './text/color.js';

/** What the two output streams can show, as the flags and the environment decide. Widths are in columns. */
export interface Terminal {
  stdout: { isTTY: boolean; width: number; colorLevel: ColorLevel };
  stderr: { isTTY: boolean; colorLevel: ColorLevel };
}
