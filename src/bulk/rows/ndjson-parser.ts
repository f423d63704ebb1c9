import { quote } from '../../schema/control-characters.js';
import { scanJson } from '../../schema/json-scanner.js';
import { checkRow, plainName } from './check-row.js';
import { excerpt } from './excerpt.js';
import { parseRecord } from './json-record.js';
import { AS_ARRAY, type Parsed, RECORD_MAX, type RecordParser, type RowError } from './row.js';

const ON_LINES = 'Write each row on one line (jq --compact-output), or all rows as one array: [{…}, {…}].';

/** What the input is, by its format or its name. */
export interface NdjsonOptions {
  /** Whether the name ends in `.json`. One object in such a file is no list of rows. */
  isNamedJson?: boolean;
  /** Whether the input must be an array. Then the parser only finds out what it is instead. */
  isArray?: boolean;
}

/** Reads one JSON object per line. Skips blank lines. */
export class NdjsonParser implements RecordParser {
  hasFailed = false;
  readonly #options: NdjsonOptions;
  #line = 1;
  #rest = '';
  /** Lines that are not blank. */
  #rows = 0;
  #firstLine = 1;
  #first: Parsed | undefined;
  /** The text from the first line on, if its object continues on the next line. */
  #document: string | undefined;

  constructor(options: NdjsonOptions = {}) {
    this.#options = options;
  }

  push(text: string): Parsed[] {
    if (this.#document !== undefined) return this.#continueDocument(text);
    const lines = text.split('\n');
    lines[0] = this.#rest + (lines[0] ?? '');
    this.#rest = lines.pop() ?? '';
    const parsed: Parsed[] = [];
    for (const [index, line] of lines.entries()) {
      if (this.hasFailed) break;
      parsed.push(...this.#read(line, true));
      if (this.#document !== undefined)
        return [...parsed, ...this.#continueDocument([...lines.slice(index + 1), this.#rest].join('\n'))];
    }
    if (this.hasFailed || this.#rest.length <= RECORD_MAX) return parsed;
    this.hasFailed = true;
    const error = { line: this.#line, message: 'Line is longer than 1 MiB' };
    return [...parsed, { kind: 'error', error, isRow: true }];
  }

  end(): Parsed[] {
    if (this.#document !== undefined) return this.#explainDocument(this.#document);
    const { isNamedJson = false, isArray = false } = this.#options;
    const parsed = this.#read(this.#rest, false);
    if (!(isNamedJson || isArray) || this.#rows !== 1 || this.hasFailed || this.#first?.kind !== 'record')
      return parsed;
    const error = {
      line: this.#firstLine,
      message: 'The file is one JSON object, not a list of rows',
      hint: AS_ARRAY,
      ...asOnePet(this.#first),
    };
    return [...parsed, { kind: 'error', error, isRow: false }];
  }

  /** @param hasEnd whether the line has a line break. Without one, it may be cut off. */
  #read(text: string, hasEnd: boolean): Parsed[] {
    const line = this.#line;
    this.#line += 1;
    if (text.trim() === '') return [];
    this.#rows += 1;
    const parsed = explainMore(parseRecord(text, line), text);
    if (this.#rows > 1) return this.#options.isArray === true ? this.#fail(NO_ARRAY) : [parsed];
    this.#firstLine = line;
    this.#first = parsed;
    if (parsed.kind === 'error' && hasEnd && isIncompleteObject(text)) {
      this.#document = `${text}\n`;
      return [];
    }
    const column = text.search(/\S/) + 1;
    const problem = explainFirst(parsed, text);
    if (problem !== undefined) return this.#fail(problem, column);
    if (this.#options.isArray !== true) return [parsed];
    return parsed.kind === 'error' ? this.#fail(parsed.error) : [];
  }

  #continueDocument(text: string): Parsed[] {
    const document = (this.#document ?? '') + text;
    this.#document = document;
    return document.length > RECORD_MAX ? this.#explainDocument(document) : [];
  }

  /** Explains an object over several lines. Its text may be incomplete, or begin another object. */
  #explainDocument(text: string): Parsed[] {
    const [, list] = /^\s*\{\s*"([^"\\]*)"\s*:\s*\[/.exec(text) ?? [];
    const isList = list !== undefined && plainName(list) !== 'name';
    const parsed = parseRecord(text, this.#firstLine);
    const problem = explainFirst(parsed, text) ?? (isList ? rowsInside(list) : CONTINUES);
    return this.#fail({ ...problem, ...asOnePet(parsed) }, text.search(/\S/) + 1);
  }

  #fail(error: Problem, column = 1): Parsed[] {
    this.hasFailed = true;
    return [{ kind: 'error', error: { line: this.#firstLine, column, ...error }, isRow: false }];
  }
}

type Problem = Partial<RowError> & Pick<RowError, 'message'>;

const NO_ARRAY = {
  message: 'Input must begin with [',
  hint: 'If each line is an object, choose the format ndjson.',
};

const CONTINUES = {
  message: 'The JSON object that begins here continues on the next line',
  hint: `${ON_LINES} If the rows are in an array inside of the object, save only this array.`,
};

/** Whether `pets create -f` accepts the object. */
function asOnePet(parsed: Parsed): Pick<RowError, 'isOneObject'> {
  return parsed.kind === 'record' && 'pet' in checkRow(parsed, 1) ? { isOneObject: true } : {};
}

/** Problems by the character after the object of a line. */
const AFTER_OBJECT: Readonly<Record<string, Pick<RowError, 'message' | 'hint'>>> = {
  '{': { message: 'A second object begins on this line', hint: ON_LINES },
  ',': {
    message: 'A comma follows the object',
    hint: 'Remove these commas, or write all rows as one array: [{…}, {…}].',
  },
};

function explainMore(parsed: Parsed, text: string): Parsed {
  if (parsed.kind !== 'error') return parsed;
  const at = scanJson(text, {}) ?? 0;
  if (!/^\s*\{/.test(text) || scanJson(text.slice(0, at), {}) !== undefined) return parsed;
  return { ...parsed, error: { ...parsed.error, ...AFTER_OBJECT[text.charAt(at)] } };
}

/** Explains a start that shows that the file is another kind of JSON: then every line would be an error. */
function explainFirst(parsed: Parsed, text: string): Problem | undefined {
  if (parsed.kind === 'record') {
    const { fields } = parsed;
    if (typeof fields.name === 'object' && fields.name !== null)
      return {
        message: 'The JSON has an object for each column, not for each row',
        hint: 'Write rows, such as with orient="records" in pandas.',
      };
    if (isRow(fields)) return undefined;
    const entries = Object.entries(fields);
    const [list] =
      entries.find(([, value]) => hasRows(value, false)) ??
      entries.find(([, value]) => hasRows(value, true)) ??
      [];
    return list === undefined ? undefined : rowsInside(list);
  }
  if (!/^\s*\[/.test(text)) return undefined;
  return {
    message: 'The file begins with a JSON array, not with an object on a line',
    hint: 'Name the file with .json, or choose the format json.',
  };
}

/** Whether a text is an object that only lacks its end. */
function isIncompleteObject(text: string): boolean {
  return /^\s*\{/.test(text) && scanJson(text, {}) === text.length;
}

/** @param isEmptyList whether a list without elements counts as one of rows. */
function hasRows(value: unknown, isEmptyList: boolean): boolean {
  if (Array.isArray(value)) return value.some(isObject) || (isEmptyList && value.length === 0);
  if (!isObject(value)) return false;
  return isRow(value) || Object.values(value).some((each) => hasRows(each, isEmptyList));
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isRow(value: object): boolean {
  return ['name', 'categoryId', 'category'].some((field) => field in value);
}

function rowsInside(field: string): Problem {
  return {
    message: `The rows are inside of the field ${quote(excerpt(field))}`,
    hint: 'Save only the rows, as an array: [{…}, {…}].',
  };
}
