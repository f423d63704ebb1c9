import { wrap } from '../../output/text/wrap.js';

/** A term and what is said of it. */
export interface TopicRow {
  term: string;
  text: string;
}

const WIDTH = 80;

/**
 * The rows of a topic, in columns: a row each, of which what is longer than the page goes on below.
 *
 * @param gap blanks between the longest term and the texts.
 */
export function topicRows(rows: readonly TopicRow[], gap = 2): string {
  const termWidth = Math.max(...rows.map(({ term }) => term.length)) + gap;
  const rest = ' '.repeat(termWidth + 2);
  return rows
    .flatMap(({ term, text }) =>
      wrap(text, {
        width: WIDTH,
        first: `  ${term.padEnd(termWidth)}`,
        rest,
        measure: ({ length }) => length,
      }),
    )
    .join('\n');
}
