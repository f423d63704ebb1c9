/** A term and what is said of it. */
export interface TopicRow {
  term: string;
  text: string;
}

/** The table in a topic's text: rows of two blanks, a term of one word, blanks and words that may go on, indented, below. */
export function topicRows(text: string): TopicRow[] {
  const rows: TopicRow[] = [];
  let isRow = false;
  for (const line of text.split('\n')) {
    const [, term, said] = /^ {2}(\S+) +(.*)$/.exec(line) ?? [];
    const last = isRow ? rows.at(-1) : undefined;
    isRow = /^ {2}/.test(line);
    if (term !== undefined) rows.push({ term, text: said ?? '' });
    else if (isRow && last !== undefined) last.text += ` ${line.trim()}`;
  }
  return rows;
}
