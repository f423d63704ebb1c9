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
  const indent = termWidth + 2;
  return rows
    .flatMap(({ term, text }) =>
      wrapped(text, WIDTH - indent).map((line, at) =>
        at === 0 ? `  ${term.padEnd(termWidth)}${line}` : ' '.repeat(indent) + line,
      ),
    )
    .join('\n');
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
