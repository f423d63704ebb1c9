import type { OutputFormat, RenderOptions } from './view.js';

/** Whether a format holds every field of the data. Other formats have rows of the declared columns. */
export function isDocumentFormat(format: OutputFormat): boolean {
  return format === 'json' || format === 'ndjson' || format === 'yaml';
}

/** Whether a format has rows and columns. */
export function isTabularFormat(format: OutputFormat): boolean {
  return format === 'table' || format === 'tsv' || format === 'csv';
}

/** Whether a format prints a single text without quotes. */
export function isBareTextFormat(format: OutputFormat): boolean {
  return format === 'table' || format === 'tsv';
}

/** Returns the first given flag that selects or sorts fields. */
export function reshapingFlag(
  options: Pick<RenderOptions, 'fields' | 'fieldsFlag' | 'query' | 'sort'>,
): '--fields' | '--json' | '--query' | '--sort' | undefined {
  if (options.fields !== undefined) return options.fieldsFlag ?? '--fields';
  if (options.query !== undefined) return '--query';
  return options.sort === undefined ? undefined : '--sort';
}
