import { type Command, Option } from 'commander';
import { headerLines, type RequestInput, type ResponseInfo } from '../../../client/index.js';
import { ApiError } from '../../../errors.js';
import { carriedOutHint } from '../../session/after-response.js';
import { addExamples } from '../../help/examples.js';
import { quoted } from '../../command-line/flag-values.js';
import { parseJsonInput, readInput } from '../../files/input-file.js';
import { type Column, toTerminalLine, type View } from '../../output/index.js';
import type { Bind, Session } from '../../session/action.js';
import { isJsonFormat } from '../../session/terminal.js';
import { UsageError } from '../../errors/usage-error.js';
import { checkFields, type Field, fieldsToObject, type FieldValue, readField } from './fields.js';
import { readHeader } from './headers.js';

/** Options of `api`. */
export interface ApiOptions {
  method: string;
  /** The path below the base URL, or a whole URL that starts with it. */
  path: string;
  fields: readonly Field[];
  /** A JSON file to send, or `-` for stdin. Fields then become the query. */
  input?: string;
  /** Added to those of the client. Names are in lower case. */
  headers: Readonly<Record<string, string>>;
  /** Print the status line and the headers first. */
  include: boolean;
}

const METHOD = /^[A-Za-z]+$/;

export function registerApi(program: Command, bind: Bind): void {
  const fields: Field[] = [];
  const headers: Record<string, string> = {};
  const collect = (flag: '-F' | '-f') => (text: string) => {
    fields.push(readField(flag, text));
  };
  const command = program
    .command('api')
    .description('Send any request to the service, with the key, pacing and retries of other commands.')
    .argument('<method-or-path>', 'Method (default GET; POST with fields or --input), or the path')
    .argument('[path]', 'Path such as /pets')
    .option('-X, --method <method>', 'Method of the request')
    .option(
      '-F, --field <key=value>',
      'Typed field: true, false, null, a whole number, @FILE, @- for stdin; repeatable',
      collect('-F'),
    )
    .option('-f, --raw-field <key=value>', 'String field; repeatable', collect('-f'))
    .option('-H, --header <header>', "Header as 'name: value'; repeatable", (text: string) => {
      const [name, value] = readHeader(text);
      if (Object.hasOwn(headers, name))
        throw new UsageError(`-H sets ${name} twice`, 'Pass each header once.');
      headers[name] = value;
    })
    .option('--input <file>', 'Send this JSON file; - for stdin')
    .option('-i, --include', 'Print the status and the headers first')
    // Users of gh may try this flag, so it gets an error of its own.
    .addOption(new Option('--paginate').hideHelp())
    .usage('[METHOD] PATH [flags]')
    .action((first: string, second: string | undefined, flags: Record<string, unknown>) =>
      bind(
        sendRequest,
        readApiOptions(second === undefined ? [first] : [first, second], { fields, headers }, flags),
      ),
    );
  addExamples(
    command,
    [
      'petstore api /pets',
      'petstore api GET /pets -f status=sold -F limit=5',
      'petstore api /pets -f name=Rex -F categoryId=7',
      'petstore api -X POST /pets --input rex.json -i',
      "petstore api /pets -H 'x-request-id: 42' -v",
    ],
    'Fields:\n- With GET or --input they become the query.\n- Otherwise they become the JSON body.',
  );
}

function readApiOptions(
  words: readonly string[],
  { fields, headers }: Pick<ApiOptions, 'fields' | 'headers'>,
  flags: Readonly<Record<string, unknown>>,
): ApiOptions {
  if (flags.paginate === true) {
    throw new UsageError(
      '--paginate is not possible: the API has no pages',
      'Run "petstore pets list --all" for all pets that can be listed.',
    );
  }
  const [first = '', second] = words;
  const lastWord = second ?? first;
  if (lastWord === '') throw new UsageError('The path is empty', 'For example: petstore api /pets');
  const methodFlag = typeof flags.method === 'string' ? flags.method : undefined;
  if (second !== undefined && methodFlag !== undefined) {
    throw new UsageError('Two methods given', 'Use the argument or -X, not both.');
  }
  const input = typeof flags.input === 'string' ? flags.input : undefined;
  const method = second === undefined ? methodFlag : first;
  if (method !== undefined && !METHOD.test(method)) {
    throw new UsageError(`Invalid method ${quoted(method)}`, 'Use a method such as GET or POST.');
  }
  const path = lastWord;
  if (second === undefined && /^[A-Z]+$/.test(path)) {
    throw new UsageError(`Missing path after ${path}`, `For example: petstore api ${path} /pets`);
  }
  checkFields(fields, input);
  return {
    method: (method ?? (fields.length > 0 || input !== undefined ? 'POST' : 'GET')).toUpperCase(),
    path,
    fields,
    headers,
    ...(input === undefined ? {} : { input }),
    include: flags.include === true,
  };
}

async function sendRequest(options: ApiOptions, session: Session): Promise<undefined> {
  const { context } = session;
  const store = await session.client();
  const path = pathBelow(session.baseUrl, options.path);
  const input = await requestInput(options, session);
  const { data, response } = await store
    .request(options.method, path, input, { signal: context.signal, headers: options.headers })
    .withResponse()
    .catch((error: unknown) => {
      showErrorHead(error, options, session);
      throw error;
    });
  const head = options.include ? headText(response) : '';
  // JSON by default, because the response of an unknown endpoint has no fixed columns.
  const format = session.settings.format ?? 'json';
  const body = data === undefined ? '' : await session.render(viewOf(data), format);
  context.stdout.write(head + body, isRead(options.method) ? undefined : carriedOutHint(idOf(data)));
}

/** Prints the head of -i to stderr, because stdout stays empty on failure. Skipped if the error is a line of JSON. */
function showErrorHead(error: unknown, { include }: ApiOptions, { settings, context }: Session): void {
  if (!include || !(error instanceof ApiError) || isJsonFormat(settings.format)) return;
  if (error.response !== undefined) context.stderr.write(headText(error.response));
}

async function requestInput(options: ApiOptions, { context }: Session): Promise<RequestInput> {
  const fields = await fieldsToObject(options.fields, context);
  if (options.input !== undefined) {
    const { text, source } = await readInput(options.input, context);
    return { body: parseJsonInput(text, source), query: asQuery(fields) };
  }
  if (options.fields.length === 0) return {};
  return isRead(options.method) ? { query: asQuery(fields) } : { body: fields };
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

function columnsOf(rows: readonly Record<string, unknown>[]): Column[] {
  const fields = new Set(rows.flatMap((row) => Object.keys(row)));
  return [...fields].map((field) => ({ field, header: field }));
}

function isRow(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
