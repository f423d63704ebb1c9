import { PRINTABLE_ASCII } from '../../../schema/control-characters.js';

/** Returns how many columns of a terminal a text takes. */
export type MeasureWidth = (text: string) => number;

// Characters that take one column (letters of Latin, Greek and Cyrillic, dashes, quotes, dots) or two (kana, ideographs,
// Hangul syllables); neighbours do not change this.
const NARROW = '\\x20-\\x7e\\u00a1-\\u00ac\\u00ae-\\u02ff\\u0370-\\u0482\\u048a-\\u052f\\u2010-\\u2027';
const WIDE = '\\u3041-\\u3096\\u30a1-\\u30fa\\u3400-\\u4dbf\\u4e00-\\u9fff\\uac00-\\ud7a3';
const SIMPLE = new RegExp(`^[${NARROW}${WIDE}]*$`);
const WIDE_CHARACTERS = new RegExp(`[${WIDE}]`, 'g');
const ELLIPSIS = '…';

/**
 * Loads the width function for these texts. It is string-width, unless the characters are simple: string-width takes
 * 45 ms to load, more than all other code of a command.
 */
export async function loadMeasure(texts: readonly string[]): Promise<MeasureWidth> {
  if (texts.every((text) => SIMPLE.test(text))) return estimateWidth;
  const { default: stringWidth } = await import('string-width');
  return (text) => (SIMPLE.test(text) ? estimateWidth(text) : stringWidth(splitClusters(text)));
}

/** Thai and Lao vowels AM. A terminal gives them a column, as wcwidth() does. */
const AM = /[\u0e33\u0eb3]/g;
/** Marks that join two consonants (viramas). A terminal gives each consonant a column. */
const VIRAMA = /[\u094d\u09cd\u0acd\u0b4d\u0c4d\u0d4d\u1039\u17d2](?!\u200d)/g;

/** Separates characters that string-width joins to the letter before, but terminals do not. */
function splitClusters(text: string): string {
  return text.replace(AM, '.').replace(VIRAMA, '$&\u200b');
}

/** Counts UTF-16 units, and wide characters twice. Exact for simple characters; others are an estimate. */
export function estimateWidth(text: string): number {
  return PRINTABLE_ASCII.test(text) ? text.length : text.length + (text.match(WIDE_CHARACTERS)?.length ?? 0);
}

/**
 * Truncates a text between grapheme clusters. The last column of a truncated text is `…`.
 *
 * @param width columns, at least 1. The result is one column narrower if a wide character does not fit.
 */
export function truncateToWidth(text: string, width: number, measure: MeasureWidth): string {
  if (measure(text) <= width) return text;
  let start = '';
  let used = 0;
  for (const cluster of clusters(text)) {
    used += measure(cluster);
    if (used > width - 1) break;
    start += cluster;
  }
  return start.trimEnd() + ELLIPSIS;
}

function clusters(text: string): Iterable<string> {
  if (SIMPLE.test(text)) return text;
  return Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
}
