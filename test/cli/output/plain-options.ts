import type { RenderOptions } from '../../../src/cli/output/rows/view.js';

/** Options of a pipe, with a header. */
export const PLAIN = {
  format: 'tsv',
  header: true,
  colorLevel: 0,
  width: 80,
  csvRaw: false,
  isTTY: false,
} as const satisfies RenderOptions;
