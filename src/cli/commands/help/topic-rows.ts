/** A term and what is said of it. */
export interface TopicRow {
  term: string;
  text: string;
}

/** The table in a topic's text: rows of two blanks, a term, blanks and words that may go on, indented, below. */
export function topicRows(text: string): TopicRow[] {
  const rows: TopicRow[] = [];
  let isRow: boolean = false;
  for (const line of text.split('\n')) {
    const [, term, said] = /^ {2}(\S+(?: [a-z-]+)?) {2,}(.*)$/.exec(line) ?? [];
    const more: string | undefined = isRow ? /^ {4,}(\S.*)$/.exec(line)?.[1] : undefined;
    const last = rows.at(-1);
    isRow = term !== undefined || more !== undefined;
    if (term !== undefined) rows.push({ term, text: said ?? '' });
    else if (more !== undefined && last !== undefined) last.text += ` ${more}`;
  }
  return rows;
}
