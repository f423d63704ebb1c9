import type { KeyMask } from '../system/context.js';
import type { Transport, TransportRequest } from '../../client/internal.js';
import { escapeJson, rewriteJson, toJson, toTerminalLine } from '../output/index.js';
import { shellWord } from '../errors/shell-word.js';

/** Records requests instead of sending them. */
export type Recorder = ReturnType<typeof createRecorder>;

/** Replaces the key in printed requests. */
const KEY_PLACEHOLDER = '$PETSTORE_API_KEY';

/** Creates a transport that records each request and rejects it. */
export function createRecorder() {
  const requests: TransportRequest[] = [];
  const transport: Transport = {
    send(request) {
      requests.push(request);
      return {
        response: Promise.reject(new Error('Recorded, not sent')),
        sent: false,
        abort: () => undefined,
      };
    },
    close: () => Promise.resolve(),
  };
  /** `requests`: oldest first. */
  return { requests: requests as readonly TransportRequest[], transport };
}

/**
 * Formats recorded requests for --curl or --dry-run.
 *
 * @param style `keyMask` finds keys that the user put into a header, query or body.
 */
export function showRequests(
  requests: readonly TransportRequest[],
  style: { curl: boolean; json: boolean; indent: boolean; isTTY?: boolean } & CurlStyle,
): string {
  if (style.curl) return requests.map((request) => showCurl(request, style)).join('');
  if (!style.json) return requests.map(showRequest).join('\n');
  return requests.map((request) => showData(request, style)).join('');
}

/** Formats a request as text: request line, headers, body. */
function showRequest(request: TransportRequest): string {
  const headers = Object.entries(shownHeaders(request)).map(([name, value]) => `${name}: ${value}`);
  const head = [`${request.method} ${urlOf(request)}`, ...headers];
  const body = request.body === undefined ? '' : `\n${harmlessJson(request.body).trimEnd()}\n`;
  return head.map((line) => `${toTerminalLine(line)}\n`).join('') + body;
}

/** Formats a request as JSON. The client sends only JSON bodies, and a parsed one could have other numbers. */
function showData(request: TransportRequest, style: { indent: boolean; isTTY?: boolean }): string {
  const { method, body } = request;
  const fields = { method, url: urlOf(request), headers: shownHeaders(request) };
  if (body === undefined) return toJson(fields, style);
  const onOneLine = rewriteJson(body, { between: (text) => text.replace(/[ \t\r\n]+/g, '') });
  const shown = escapeJson(onOneLine, style.isTTY);
  return toJson({ ...fields, body: null }, style).replace(/null(?=\s*\}\s*$)/, () => shown);
}

/** Escapes what a terminal interprets, which JSON allows in strings. Between the tokens it allows a carriage return. */
function harmlessJson(body: string): string {
  return rewriteJson(body, {
    string: (string) => escapeJson(string, true),
    between: (text) => text.replace(/\r\n?/g, '\n'),
  });
}

interface CurlStyle {
  caFile?: string | undefined;
  keyMask?: Pick<KeyMask, 'split'> | undefined;
}

/** Formats a curl command that sends the same request, for bash, dash, zsh and fish. */
function showCurl(request: TransportRequest, { caFile, keyMask }: CurlStyle): string {
  // Escaped after the split, which would not find a key that is written with such an escape.
  const wordOf = (text: string, escape = (part: string): string => part): string =>
    wordWithKey((keyMask?.split(text) ?? [text]).map(escape));
  const authorities = caFile === undefined ? [] : ['--cacert', shellWord(caFile)];
  const url = urlOf(request);
  // Otherwise curl expands {a,b} and [1-3] to several requests.
  const globoff = /[{}[\]]/.test(url) ? ['--globoff'] : [];
  // Otherwise curl prints the compressed bytes.
  const compressed = request.headers['accept-encoding'] === undefined ? [] : ['--compressed'];
  const words = [
    'curl',
    // First, because only there it keeps ~/.curlrc from changing the request.
    '--disable',
    ...compressed,
    ...globoff,
    ...authorities,
    ...methodWords(request),
    wordOf(url),
  ];
  for (const [name, value] of Object.entries(shownHeaders(request))) {
    if (name === 'Authorization') {
      words.push('-H', `"${name}: ${value}"`);
      continue;
    }
    // curl removes a header without a value, unless it ends in a semicolon.
    words.push('-H', wordOf(value === '' ? `${name};` : `${name}: ${value}`));
  }
  const { input, data } = bodyWords(request, wordOf);
  return `${[...input, ...words, ...data].join(' ')}\n`;
}

/** Linux limits one argument of a program to 128 KiB; printf is part of the shell and has no limit. */
const ARGUMENT_MAX = 100_000;
/** curl waits for "100 Continue" before it sends a larger body. The client does not. */
const EXPECT_MIN = 2 ** 20;
/** Methods whose requests have no Content-Length without a body (RFC 9110, section 8.6). */
const WITHOUT_CONTENT = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE']);

/** Quotes the parts around the key as one word. Only the variable is in double quotes, so that the shell expands it. */
function wordWithKey(parts: readonly string[]): string {
  if (parts.length === 1) return parts.map(shellWord).join('');
  if (!parts.some((part) => /[\\"$`!]/.test(part))) return `"${parts.join(KEY_PLACEHOLDER)}"`;
  return parts.map((part) => (part === '' ? '' : shellWord(part))).join(`"${KEY_PLACEHOLDER}"`);
}

function bodyWords(
  { method, body }: TransportRequest,
  wordOf: (text: string, escape: (part: string) => string) => string,
): Record<'input' | 'data', readonly string[]> {
  if (body === undefined) {
    // curl sends no length after -X without data, and some services then respond with 411.
    return { input: [], data: WITHOUT_CONTENT.has(method) ? [] : ['-H', shellWord('Content-Length: 0')] };
  }
  const word = wordOf(harmlessJson(body), escapeForShells);
  const bytes = Buffer.byteLength(word);
  if (bytes <= ARGUMENT_MAX) return { input: [], data: ['--data-raw', word] };
  const expect = bytes < EXPECT_MIN ? [] : ['-H', shellWord('Expect:')];
  return { input: ['printf', '%s', word, '|'], data: [...expect, '--data-binary', '@-'] };
}

/** Writes the characters of a JSON text that shells read differently, also in quotes, as escapes that all leave alone. */
function escapeForShells(json: string): string {
  return json.replace(/\\(.)|!/g, (found, escaped?: string) => {
    if (found === '!') return '\\u0021';
    return escaped === '\\' ? '\\u005c' : found;
  });
}

/** curl sends POST if there is a body, and waits for a body after `-X HEAD`. */
function methodWords({ method, body }: TransportRequest): readonly string[] {
  if (method === 'HEAD' && body === undefined) return ['--head'];
  return method === 'GET' && body === undefined ? [] : ['-X', shellWord(method)];
}

function urlOf({ origin, path }: TransportRequest): string {
  return origin + path;
}

function shownHeaders(request: TransportRequest): Record<string, string> {
  const shown: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    shown[titleCase(name)] = name === 'authorization' ? `Bearer ${KEY_PLACEHOLDER}` : value;
  }
  return shown;
}

function titleCase(name: string): string {
  return name.replace(/(?:^|-)[a-z]/g, (initial) => initial.toUpperCase());
}
