/** How many columns of a terminal a text takes. */
export type MeasureWidth = (text: string) => number;

const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;
const ELLIPSIS = '…';

/**
 * Gives the measure that these texts need: their length where all are printable ASCII, else string-width, which is
 * loaded only then (it costs as much start-up as the whole of Node's own).
 */
export async function loadMeasure(texts: Iterable<string>): Promise<MeasureWidth> {
  for (const text of texts) {
    if (!PRINTABLE_ASCII.test(text)) {
      const { default: stringWidth } = await import('string-width');
      return (measured) => (PRINTABLE_ASCII.test(measured) ? measured.length : stringWidth(measured));
    }
  }
  return (measured) => measured.length;
}

/**
 * Cuts a text to a width, between grapheme clusters, with `…` as its last column where something was cut.
 *
 * @param width columns, at least 1. The result may be one column narrower where a wide character did not fit.
 */
export function cutToWidth(text: string, width: number, measure: MeasureWidth): string {
  if (measure(text) <= width) return text;
  if (PRINTABLE_ASCII.test(text)) return text.slice(0, width - 1).trimEnd() + ELLIPSIS;
  let kept = '';
  let used = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    used += measure(segment);
    if (used > width - 1) break;
    kept += segment;
  }
  return kept.trimEnd() + ELLIPSIS;
}
