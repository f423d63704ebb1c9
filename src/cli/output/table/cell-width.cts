/**
 * Stands in for string-width inside cli-table3 when the command line is bundled. `table.ts` gives cli-table3 only
 * texts in which each UTF-16 unit takes one column, so their length is their width, and the tables of emoji need not
 * be loaded. CommonJS, because cli-table3 requires it.
 */
function cellWidth(text: string): number {
  return text.length;
}

export = cellWidth;
