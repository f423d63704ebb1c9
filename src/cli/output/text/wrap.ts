import { estimateWidth, type MeasureWidth } from './text-width.js';

/** How a paragraph is wrapped. */
export interface WrapOptions {
  /** Columns of the terminal. A longer word gets a line of its own and stays whole. */
  width: number;
  /** Starts the first line. Default: nothing. */
  first?: string;
  /** Starts the other lines. Default: nothing. */
  rest?: string;
  /** Default: the estimate, which needs no loading. */
  measure?: MeasureWidth;
  /** Breaks words that are longer than a line. Default: false. */
  breaksWords?: boolean;
}

/** Blanks, except between a number and its unit. */
const WORD_GAP = / +(?!(?<=\d )(?:ms|s|min|h|days?)(?![\p{L}\d]))/u;

/** Wraps a text between words. */
export function wrap(text: string, options: WrapOptions): string[] {
  const { width, rest = '', measure = estimateWidth, breaksWords = false } = options;
  const words = text.split(WORD_GAP).filter((word) => word !== '');
  const room = width - measure(rest);
  return fill(
    breaksWords && room > 0 ? words.flatMap((word) => breakWord(word, room, measure)) : words,
    options,
  );
}

/** Wraps a command. All lines but the last end in a backslash, so that they can be pasted together. */
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

function breakWord(word: string, width: number, measure: MeasureWidth): string[] {
  if (measure(word) <= width) return [word];
  const parts = [''];
  for (const character of word) {
    const longer = (parts.at(-1) ?? '') + character;
    if (measure(longer) <= width) parts[parts.length - 1] = longer;
    else parts.push(character);
  }
  return parts.filter((part) => part !== '');
}

function fill(words: readonly string[], options: WrapOptions, lineEnd = ''): string[] {
  const { width, first = '', rest = '', measure = estimateWidth } = options;
  const lines: string[] = [];
  let line = '';
  words.forEach((word, index) => {
    const start = lines.length === 0 ? first : rest;
    const joined = line === '' ? word : `${line} ${word}`;
    const reserved = index === words.length - 1 ? 0 : lineEnd.length;
    if (line !== '' && measure(start) + measure(joined) + reserved > width) {
      lines.push(start + line + lineEnd);
      line = word;
    } else {
      line = joined;
    }
  });
  if (line !== '') lines.push((lines.length === 0 ? first : rest) + line);
  return lines;
}
