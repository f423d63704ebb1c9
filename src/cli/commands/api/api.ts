import { headerLines, JsonText, type RequestInput, type ResponseInfo } from '../../../client/internal.js';
import { ApiError, BadRequestError } from '../../../errors.js';
import { findJsonDuplicate } from '../../../schema/json-inspect.js';
import { carriedOutHint, noteQueryResult } from '../../session/after-response.js';
import { quoted } from '../../command-line/flag-values.js';
import { parseJsonInput, readInput } from '../../system/files/input-file.js';
import { type Column, isRow, type Row, toTerminalLine, type View } from '../../output/index.js';
import {
  anyText,
  argument,
  type GivenFlag,
  offering,
  option,
  repeatable,
  toggle,
  type ValuesOf,
} from '../../command-line/flag.js';
import type { Session } from '../../session/session.js';
import { defineCommand } from '../../session/command.js';
import { isJsonFormat } from '../../session/terminal.js';
import { UsageError } from '../../errors/usage-error.js';
import {
  checkBodyFields,
  type Field,
  fieldsToObject,
  type FieldValue,
  readField,
  readHeaderFlag,
} from './body-fields.js';

/** Not CONNECT and TRACE, which concern the connection. */
const METHOD = /^(?!(?:connect|trace)$)[a-z]+$/i;

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'];

const ARGUMENTS = {
  first: argument('<method-or-path>', 'Method (default GET; POST with fields or --input), or the path'),
  second: argument('[path]', 'Path such as /pets'),
};

const FLAGS = {
  method: option('-X, --method <method>', 'Method of the request', offering(METHODS, anyText)),
  typedFields: repeatable(
    '-F, --field <key=value>',
    'Typed field: true, false, null, a whole number, @FILE, @- for stdin; repeatable',
    (text) => readField('-F', text),
  ),
  rawFields: repeatable('-f, --raw-field <key=value>', 'String field; repeatable', (text) =>
    readField('-f', text),
  ),
  headers: repeatable('-H, --header <header>', "Header as 'name: value'; repeatable", readHeaderFlag),
  input: option('--input <file>', 'Send this JSON file as it is; - for stdin'),
  include: toggle('-i, --include', 'Print the status and the headers first'),
};

type ApiOptions = ValuesOf<typeof ARGUMENTS> & ValuesOf<typeof FLAGS>;

export const api = defineCommand({
  word: 'api',
  description: 'Send any request to the service, with the key, pacing and retries of other commands.',
  arguments: ARGUMENTS,
  flags: FLAGS,
  usage: '[METHOD] PATH [flags]',
  examples: [
    'petstore api /pets',
    'petstore api GET /pets -f status=sold -F limit=5',
    'petstore api /pets -f name=Rex -F categoryId=7',
    'petstore api -X POST /pets --input rex.json -i',
    "petstore api /pets -H 'x-request-id: 42' -v",
  ],
  notes: `Fields:
- With GET or --input they become the query.
- Otherwise they become the JSON body.
- The API's name of the category is categoryId.
- Fields without a method make a POST. To filter a list, write GET first.`,
  check(options, given) {
    readRequest(options, given);
  },
  run: (options, session) => sendRequest(readRequest(options, session.given), session),
});

/** A request, from the arguments and flags. */
type ApiRequest = ReturnType<typeof readRequest>;

/** @throws UsageError if arguments or flags contradict each other. */
function readRequest(options: ApiOptions, given: readonly GivenFlag[]) {
  const { first, second, method: methodFlag, input } = options;
  const path = second ?? first;
  if (second !== undefined && methodFlag !== undefined)
    throw new UsageError('Two methods given', 'Use the argument or -X, not both.');
  const method = second === undefined ? methodFlag : first;
  if (method !== undefined && !METHOD.test(method))
    throw new UsageError(`Invalid method ${quoted(method)}`, 'Use a method such as GET or POST.');
  if (second === undefined && /^[A-Z]+$/.test(path))
    throw new UsageError(`Missing path after ${path}`, `For example: petstore api ${path} /pets`);
  const fields = inOrder(options, given);
  const hasBody = fields.length > 0 || input !== undefined;
  const verb = (method ?? (hasBody ? 'POST' : 'GET')).toUpperCase();
  const search = input !== undefined || isRead(verb) ? /\?.*/s.exec(path)?.[0] : '';
  checkBodyFields(fields, input, new URLSearchParams(search).keys());
  return {
    method: verb,
    path,
    fields,
    headers: headersOf(options),
    input,
    include: options.include,
    /** Whether the fields made this a POST, because no method was given. */
    isImpliedPost: method === undefined && fields.length > 0 && input === undefined,
  };
}

/** The fields of both flags in the order of the line. */
function inOrder({ typedFields, rawFields }: ApiOptions, given: readonly GivenFlag[]): Field[] {
  const [typed, raw] = [typedFields.values(), rawFields.values()];
  return given.flatMap(({ name }) => {
    const next = name === '--field' ? typed.next() : name === '--raw-field' ? raw.next() : undefined;
    return next?.done === false ? [next.value] : [];
  });
}

function headersOf({ headers }: ApiOptions): Record<string, string> {
  const byName: Record<string, string> = {};
  for (const [name, value] of headers) {
    if (Object.hasOwn(byName, name)) throw new UsageError(`-H sets ${name} twice`, 'Pass each header once.');
    byName[name] = value;
  }
  return byName;
}

async function sendRequest(options: ApiRequest, session: Session): Promise<undefined> {
  const { context } = session;
  const store = await session.client();
  const path = pathBelow(session.baseUrl, options.path);
  const input = await requestInput(options, session);
  const { data, response } = await store
    .request(options.method, path, input, { signal: context.signal, headers: options.headers })
    .withResponse()
    .catch((error: unknown) => {
      showErrorHead(error, options, session);
      throw error instanceof BadRequestError && options.isImpliedPost
        ? Object.assign(error, { hint: IMPLIED_POST_HINT })
        : error;
    });
  const head = options.include ? headText(response) : '';
  // JSON by default, because the response of an unknown endpoint has no fixed columns.
  const format = session.settings.format ?? 'json';
  const view = viewOf(data);
  const body = data === undefined ? '' : await session.render(view, format);
  const carriedOut = isRead(options.method) ? undefined : carriedOutHint(idOf(data));
  context.stdout.write(head + body, carriedOut);
  noteQueryResult(body, session, carriedOut);
}

const IMPLIED_POST_HINT =
  'The fields made this a POST. To send them as the query, write GET before the path. Otherwise correct the values.';

/** Prints the head of -i to stderr, because stdout stays empty on failure. Skipped if the error is a line of JSON. */
function showErrorHead(error: unknown, { include }: ApiRequest, { settings, context }: Session): void {
  if (!include || !(error instanceof ApiError) || isJsonFormat(settings.format)) return;
  if (error.response !== undefined) context.stderr.write(headText(error.response));
}

async function requestInput(options: ApiRequest, { context }: Session): Promise<RequestInput> {
  const fields = await fieldsToObject(options.fields, context);
  if (options.input !== undefined) {
    const { text, source } = await readInput(options.input, context);
    checkJson(text, source);
    return { body: new JsonText(text), query: asQuery(fields) };
  }
  if (options.fields.length === 0) return {};
  return isRead(options.method) ? { query: asQuery(fields) } : { body: fields };
}

/**
 * Checks that a text is JSON that every service reads alike: of two fields with one name, some use the first.
 *
 * @throws UsageError
 */
function checkJson(text: string, source: string): void {
  parseJsonInput(text, source);
  const duplicate = findJsonDuplicate(text);
  if (duplicate === undefined) return;
  const { line, column, name } = duplicate;
  throw new UsageError(
    `${source}, line ${String(line)}, column ${String(column)}: duplicate field ${quoted(name)}`,
    'Remove one of the two.',
  );
}

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

function idOf(data: unknown): unknown {
  return typeof data === 'object' && data !== null && 'id' in data ? data.id : undefined;
}

function asQuery(
  fields: Readonly<Record<string, FieldValue>>,
): Record<string, string | number | bigint | boolean> {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, value ?? 'null']));
}

/** Returns the path below the base URL. A whole URL must start with the base URL: the key is sent nowhere else. */
function pathBelow(baseUrl: string, given: string): string {
  if (!/^[a-z][a-z\d+.-]*:/i.test(given)) return given.startsWith('/') ? given : `/${given}`;
  const base = baseUrl.replace(/(?<!\/)\/+$/, '');
  const whole = URL.canParse(given) ? new URL(given) : undefined;
  if (
    whole?.username === '' &&
    whole.password === '' &&
    `${whole.origin}${whole.pathname}/`.startsWith(`${base}/`)
  ) {
    return `${whole.origin}${whole.pathname}${whole.search}`.slice(base.length) || '/';
  }
  throw new UsageError(
    'The URL is not below the base URL, and the key is sent nowhere else',
    'Use a path such as /pets, or select the service with --base-url.',
  );
}

function headText(response: Pick<ResponseInfo, 'status' | 'headers'>): string {
  const lines = headerLines(response.headers).map(([name, value]) => toTerminalLine(`${name}: ${value}`));
  return `${[`HTTP ${String(response.status)}`, ...lines].join('\n')}\n\n`;
}

function viewOf(data: unknown): View {
  if (isRow(data)) return { kind: 'record', row: data, columns: columnsOf([data]) };
  if (!Array.isArray(data) || !data.every(isRow)) return { kind: 'value', value: data };
  return { kind: 'list', rows: data, columns: columnsOf(data) };
}

function columnsOf(rows: readonly Row[]): Column[] {
  const fields = new Set(rows.flatMap((row) => Object.keys(row)));
  // As in the tables of pets.
  const title = (field: string): string =>
    field === 'categoryId' && !fields.has('category') ? 'category' : field;
  return [...fields].map((field) => ({ field, header: title(field) }));
}
