import { estimateWidth, type MeasureWidth } from './text-width.js';

/** How a paragraph is wrapped. */
export interface WrapOptions {
  /** Columns of the terminal. A longer word gets a line of its own and stays whole. */
  width: number;
  /** Prefix of the first line. @default '' */
  first?: string;
  /** Prefix of the other lines. @default '' */
  rest?: string;
  /** @default estimateWidth, which loads nothing */
  measure?: MeasureWidth;
  /** Whether to break words that are longer than a line. @default false */
  breaksWords?: boolean;
}

const WIDTH_DEFAULT = 80;
/** The text of a row is not made narrower than this. */
const ROW_TEXT_MIN = 24;
/** Spaces, except between a number and its unit. Avoids `\p{L}`, which is slow to compile. */
const WORD_GAP = / +(?!(?<=\d )(?:ms|s|min|h|days?)(?![A-Za-z\d\u0080-\uffff]))/;

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

/** Wraps text for stderr, line by line, if its width is known. Continuation lines are indented. */
export function wrapForTerminal(
  text: string,
  { env, stderr }: { env: Environment; stderr: { isTTY: boolean; columns: number | undefined } },
): string {
  const width = forcedColumns(env) ?? (stderr.isTTY ? (stderr.columns ?? WIDTH_DEFAULT) : Infinity);
  return text
    .split('\n')
    .flatMap((line) => {
      const first = indentOf(line);
      const fits = isCode(line) || estimateWidth(line) <= width;
      if (fits) return [line];
      // A line break would end a pasted command: it runs another one. So commands stay whole.
      const joined = line.replace(COMMAND_IN_TEXT, (command) => command.replaceAll(' ', JOINED_BLANK));
      const lines = wrap(joined, { width, first, rest: `${first}  ` });
      return lines.map((each) => each.replaceAll(JOINED_BLANK, ' '));
    })
    .join('\n');
}

/** Stands for a blank at which no line is broken. Text for a terminal has no such character. */
const JOINED_BLANK = '\0';
const SHELL_WORD = `(?:'[^']*'|"[^"]*"|[^\\s'"])+`;
/** A command to run, up to the end of the sentence, and one in quotes. */
const COMMAND_IN_TEXT = new RegExp(
  `(?:(?<=(?:[Rr]un|with): )${SHELL_WORD}|(?<=: )(?:COMMAND \\| )?petstore)(?: ${SHELL_WORD})*?(?:(?<=[.;])(?= [A-Za-z])|$)|"petstore [^"]*"`,
  'g',
);

/**
 * Wraps plain text with paragraphs, headings, `- ` bullets and rows of two columns. Lines of one paragraph are joined
 * first. Lines indented by four or more stay as they are; commands (`  petstore …`) stay ready to be pasted.
 */
export function wrapText(text: string, width: number): string {
  return readBlocks(text)
    .flatMap((block) => wrapBlock(block, width))
    .join('\n');
}

/** Wraps a term and the text to its right. If there is little room, or a word is too long, the text goes below the term. */
export function wrapRow(term: string, text: string, textColumn: number, width: number): string[] {
  if (text === '') return [term];
  const wordMax = Math.max(...text.split(WORD_GAP).map((word) => estimateWidth(word)));
  if (width - textColumn >= Math.max(ROW_TEXT_MIN, wordMax))
    return wrap(text, { width, first: term.padEnd(textColumn), rest: ' '.repeat(textColumn) });
  const indent = `${indentOf(term)}    `;
  return [term, ...wrap(text, { width, first: indent, rest: indent })];
}

/** Wraps a command. All lines but the last end in a backslash, so that they can be pasted together. */
export function wrapCommand(command: string, options: WrapOptions): string[] {
  const words = command.match(/(?:'[^']*'|"(?:[^"\\]|\\.)*"|[^\s'"])+/g) ?? [];
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

interface Block {
  kind: 'code' | 'command' | 'text';
  /** Starts the first line: an indent, a bullet, or the term of a row. */
  first: string;
  /** The indent of the other lines. */
  hang: number;
  text: string;
}

const BULLET = /^ *(?:- |\d+\. )/;
const ROW = /^( *\S+(?: \S+)*)( {2,})(\S.*)$/;
const COMMAND = /^ {2}petstore /;

function readBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  let open: Block | undefined;
  for (const line of text.split('\n')) {
    const indent = indentOf(line).length;
    const block = readBlock(line, indent, open?.hang);
    if (block === undefined && open !== undefined) {
      open.text += ` ${line.trim()}`;
      continue;
    }
    if (block !== undefined) blocks.push(block);
    const canContinue = block?.kind === 'text' && block.text !== '' && !block.text.endsWith(':');
    open = canContinue ? block : undefined;
  }
  return blocks;
}

/** @returns `undefined` for a line that continues the open block. */
function readBlock(line: string, indent: number, openHang: number | undefined): Block | undefined {
  const bullet = BULLET.exec(line)?.[0];
  if (COMMAND.test(line)) return { kind: 'command', first: '  ', hang: 6, text: line.trim() };
  if (bullet !== undefined && indent < CODE_INDENT)
    return { kind: 'text', first: bullet, hang: bullet.length, text: line.slice(bullet.length) };
  if (line.trim() !== '' && indent === openHang) return undefined;
  if (isCode(line)) return { kind: 'code', first: '', hang: 0, text: line };
  const [, term = '', gap = '', rowText = ''] = ROW.exec(line) ?? [];
  if (term !== '') return { kind: 'text', first: term + gap, hang: term.length + gap.length, text: rowText };
  return { kind: 'text', first: indentOf(line), hang: indent, text: line.trim() };
}

function wrapBlock({ kind, first, hang, text }: Block, width: number): string[] {
  if (text === '') return [''];
  if (kind === 'code') return [text];
  const rest = ' '.repeat(hang);
  if (kind === 'command') return wrapCommand(text, { width, first, rest });
  const isRow = first.trim() !== '' && !BULLET.test(first);
  return isRow ? wrapRow(first.trimEnd(), text, hang, width) : wrap(text, { width, first, rest });
}

const CODE_INDENT = 4;

function isCode(line: string): boolean {
  return indentOf(line).length >= CODE_INDENT;
}

function indentOf(line: string): string {
  return /^ */.exec(line)?.[0] ?? '';
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

type Environment = Readonly<Record<string, string | undefined>>;

/** The width that `PETSTORE_FORCE_TTY` sets, for screenshots and tests; `undefined` if it is not set or invalid. */
export function forcedColumns({ PETSTORE_FORCE_TTY: text }: Environment): number | undefined {
  const columns = Number(text);
  return Number.isInteger(columns) && columns > 0 ? columns : undefined;
}

/** Longer lines are hard to read. */
const WIDTH_MAX = 100;

/** The width of help. @param columns of the terminal, if known. */
export function pageWidth(columns: number | undefined): number {
  return Math.min(columns ?? WIDTH_DEFAULT, WIDTH_MAX);
}
