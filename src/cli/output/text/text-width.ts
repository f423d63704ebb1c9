import { PRINTABLE_ASCII } from './control-characters.js';

/** How many columns of a terminal a text takes. */
export type MeasureWidth = (text: string) => number;

// Characters whose width is their own affair: letters of Latin, Greek and Cyrillic, and dashes, quotes and dots take
// one column; kana, ideographs and Hangul syllables two. None of them joins its neighbour.
const NARROW = '\\x20-\\x7e\\u00a1-\\u00ac\\u00ae-\\u02ff\\u0370-\\u0482\\u048a-\\u052f\\u2010-\\u2027';
const WIDE = '\\u3041-\\u3096\\u30a1-\\u30fa\\u3400-\\u4dbf\\u4e00-\\u9fff\\uac00-\\ud7a3';
const SIMPLE = new RegExp(`^[${NARROW}${WIDE}]*$`);
const WIDE_ONES = new RegExp(`[${WIDE}]`, 'g');
const ELLIPSIS = '…';

/**
 * Gives the measure that these texts need. Emoji, accents set on a letter and the like need string-width, which is
 * loaded only then: its first use costs as much start-up as all the rest of a command.
 */
export async function loadMeasure(texts: readonly string[]): Promise<MeasureWidth> {
  if (texts.every((text) => SIMPLE.test(text))) return simpleWidth;
  const { default: stringWidth } = await import('string-width');
  return (text) => (SIMPLE.test(text) ? simpleWidth(text) : stringWidth(text));
}

/**
 * Cuts a text to a width, between grapheme clusters, with `…` as its last column where something was cut.
 *
 * @param width columns, at least 1. The result may be one column narrower where a wide character did not fit.
 */
export function cutToWidth(text: string, width: number, measure: MeasureWidth): string {
  if (measure(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const cluster of clusters(text)) {
    used += measure(cluster);
    if (used > width - 1) break;
    kept += cluster;
  }
  return kept.trimEnd() + ELLIPSIS;
}

function simpleWidth(text: string): number {
  return PRINTABLE_ASCII.test(text) ? text.length : text.length + (text.match(WIDE_ONES)?.length ?? 0);
}

function clusters(text: string): Iterable<string> {
  if (SIMPLE.test(text)) return text;
  return Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
}
