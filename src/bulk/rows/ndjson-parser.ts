import { quote } from '../../schema/control-characters.js';
import { scanJson } from '../../schema/json-scanner.js';
import { plainName } from './check-row.js';
import { excerpt } from './excerpt.js';
import { parseRecord } from './json-record.js';
import { AS_ARRAY, type Parsed, RECORD_MAX, type RecordParser, type RowError } from './row.js';

const ON_LINES = 'Write each row on one line (jq --compact-output), or all rows as one array: [{…}, {…}].';

/** Reads one JSON object per line. Skips blank lines. */
export class NdjsonParser implements RecordParser {
  hasFailed = false;
  readonly #isNamedJson: boolean;
  #line = 1;
  #rest = '';
  /** Lines that are not blank. */
  #rows = 0;
  #firstLine = 1;
  #isFirstObject = false;

  /** @param isNamedJson whether the name ends in `.json`. One object in such a file is no list of rows. */
  constructor(isNamedJson = false) {
    this.#isNamedJson = isNamedJson;
  }

  push(text: string): Parsed[] {
    const lines = text.split('\n');
    lines[0] = this.#rest + (lines[0] ?? '');
    this.#rest = lines.pop() ?? '';
    const parsed: Parsed[] = [];
    for (const line of lines) {
      if (this.hasFailed) break;
      parsed.push(...this.#read(line, true));
    }
    if (this.hasFailed || this.#rest.length <= RECORD_MAX) return parsed;
    this.hasFailed = true;
    const error = { line: this.#line, message: 'Line is longer than 1 MiB' };
    return [...parsed, { kind: 'error', error, isRow: true }];
  }

  end(): Parsed[] {
    const parsed = this.#read(this.#rest, false);
    if (!this.#isNamedJson || this.#rows !== 1 || this.hasFailed || !this.#isFirstObject) return parsed;
    const error = { line: this.#firstLine, message: ONE_OBJECT, hint: AS_ARRAY, isOneObject: true } as const;
    return [...parsed, { kind: 'error', error, isRow: false }];
  }

  /** @param hasEnd whether the line has a line break. Without one, it may be cut off. */
  #read(text: string, hasEnd: boolean): Parsed[] {
    const line = this.#line;
    this.#line += 1;
    if (text.trim() === '') return [];
    this.#rows += 1;
    const parsed = explainMore(parseRecord(text, line), text);
    if (this.#rows > 1) return [parsed];
    this.#firstLine = line;
    this.#isFirstObject = parsed.kind === 'record';
    const problem = explainDocument(parsed, text, hasEnd);
    if (problem === undefined) return [parsed];
    this.hasFailed = true;
    return [{ kind: 'error', error: { line, column: text.search(/\S/) + 1, ...problem }, isRow: false }];
  }
}

const ONE_OBJECT = 'The file is one JSON object, not a list of rows';

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

/** Explains a first line that shows that the file is another kind of JSON: then every line would be an error. */
function explainDocument(
  parsed: Parsed,
  text: string,
  hasEnd: boolean,
): Pick<RowError, 'message' | 'hint' | 'isOneObject'> | undefined {
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
  if (/^\s*\[/.test(text))
    return {
      message: 'The file begins with a JSON array, not with an object on a line',
      hint: 'Name the file with .json, or choose the format json.',
    };
  if (!hasEnd || !/^\s*\{/.test(text) || !isIncomplete(text)) return undefined;
  const [, list] = /^\s*\{\s*"([^"\\]*)"\s*:\s*\[/.exec(text) ?? [];
  if (list !== undefined && plainName(list) !== 'name') return rowsInside(list);
  return {
    message: 'The JSON object that begins here continues on the next line',
    hint: `${ON_LINES} If the rows are in an array inside of the object, save only this array.`,
    isOneObject: true,
  };
}

/** Whether a text is JSON that only lacks its end. */
function isIncomplete(text: string): boolean {
  return scanJson(text, {}) === text.length;
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

function rowsInside(field: string): Pick<RowError, 'message' | 'hint'> {
  return {
    message: `The rows are inside of the field ${quote(excerpt(field))}`,
    hint: 'Save only the rows, as an array: [{…}, {…}].',
  };
}
