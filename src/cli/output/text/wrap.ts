import type { MeasureWidth } from './text-width.js';

/** How a paragraph is set. */
export interface WrapOptions {
  /** Columns; a word that is wider stands alone, and whole. */
  width: number;
  /** Before the first line. */
  first: string;
  /** Before the others. */
  rest: string;
  measure: MeasureWidth;
}

const BLANKS = / +(?!(?<=\d )(?:ms|s|min|h|days?)(?![\p{L}\d]))/u;

/** Sets a text in lines. A number stays with its unit. */
export function wrap(text: string, options: WrapOptions): string[] {
  const words = text.split(BLANKS).filter((word) => word !== '');
  return fill(words, options, '');
}

/**
 * Breaks words that are wider than a line into parts. Each but the last fills a line, so that no two of them come to stand
 * on one.
 */
export function breakWords(text: string, width: number, measure: MeasureWidth): string {
  if (width < 1) return text;
  return text
    .split(' ')
    .flatMap((word) => (measure(word) <= width ? [word] : partsOf(word, width, measure)))
    .join(' ');
}

function partsOf(word: string, width: number, measure: MeasureWidth): string[] {
  const parts = [''];
  for (const character of word) {
    const longer = (parts.at(-1) ?? '') + character;
    if (measure(longer) <= width) parts[parts.length - 1] = longer;
    else parts.push(character);
  }
  return parts.filter((part) => part !== '');
}

/** Sets a command in lines that can be pasted together, with a backslash at the end of all but the last. */
export function wrapCommand(command: string, options: WrapOptions): string[] {
  const words = command.match(/(?:'[^']*'|[^\s'])+/g) ?? [];
  // A flag and its value stay together.
  const parts = words.reduce<string[]>((done, word) => {
    const last = done.at(-1);
    if (last !== undefined && /^--?[\w-]+$/.test(last) && !word.startsWith('-')) {
      return [...done.slice(0, -1), `${last} ${word}`];
    }
    return [...done, word];
  }, []);
  return fill(parts, options, ' \\');
}

function fill(
  words: readonly string[],
  { width, first, rest, measure }: WrapOptions,
  link: string,
): string[] {
  const lines: string[] = [];
  let line = '';
  words.forEach((word, index) => {
    const lead = lines.length === 0 ? first : rest;
    const joined = line === '' ? word : `${line} ${word}`;
    const reserve = index === words.length - 1 ? 0 : link.length;
    if (line !== '' && measure(lead) + measure(joined) + reserve > width) {
      lines.push(lead + line + link);
      line = word;
    } else {
      line = joined;
    }
  });
  if (line !== '') lines.push((lines.length === 0 ? first : rest) + line);
  return lines;
}
