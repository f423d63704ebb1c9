import type { Transport, TransportRequest } from '../../client/index.js';
import { parseJson } from '../../schema/json.js';
import { escapeJson, toJson, toTerminalLine } from '../output/index.js';
import { shellWord } from '../text/shell-word.js';

/** Records requests instead of sending them. */
export interface Recorder {
  readonly transport: Transport;
  /** The recorded requests, oldest first. */
  readonly requests: readonly TransportRequest[];
}

/** Replaces the key in printed requests. */
const KEY_PLACEHOLDER = '$PETSTORE_API_KEY';

/** Creates a transport that records each request and rejects it. */
export function createRecorder(): Recorder {
  const requests: TransportRequest[] = [];
  return {
    requests,
    transport: {
      send(request) {
        requests.push(request);
        return {
          response: Promise.reject(new Error('Recorded, not sent')),
          sent: false,
          abort: () => undefined,
        };
      },
      close: () => Promise.resolve(),
    },
  };
}

/** Formats recorded requests for --curl or --dry-run. */
export function showRequests(
  requests: readonly TransportRequest[],
  style: { curl: boolean; json: boolean; indent: boolean; caFile?: string | undefined },
): string {
  if (style.curl) return requests.map((request) => showCurl(request, style.caFile)).join('');
  if (!style.json) return requests.map(showRequest).join('\n');
  return requests.map((request) => toJson(requestAsData(request), { indent: style.indent })).join('');
}

/** Formats a request as text: request line, headers, body. */
function showRequest(request: TransportRequest): string {
  const headers = Object.entries(shownHeaders(request)).map(([name, value]) => `${name}: ${value}`);
  const body = request.body === undefined ? [] : ['', request.body];
  return [`${request.method} ${urlOf(request)}`, ...headers, ...body]
    .map((line) => `${toTerminalLine(line)}\n`)
    .join('');
}

/** Converts a request to data. The client sends only JSON bodies. */
function requestAsData(request: TransportRequest): Record<string, unknown> {
  const { method, body } = request;
  return {
    method,
    url: urlOf(request),
    headers: shownHeaders(request),
    ...(body === undefined ? {} : { body: parseJson(body) }),
  };
}

/** Formats a curl command that sends the same request, for a POSIX shell. */
function showCurl(request: TransportRequest, caFile: string | undefined): string {
  const authorities = caFile === undefined ? [] : ['--cacert', shellWord(caFile)];
  const url = urlOf(request);
  // Otherwise curl expands {a,b} and [1-3] to several requests.
  const globoff = /[{}[\]]/.test(url) ? ['--globoff'] : [];
  const words = ['curl', ...globoff, ...authorities, ...methodWords(request), shellWord(url)];
  for (const [name, value] of Object.entries(shownHeaders(request))) {
    // Without --compressed curl would print the compressed bytes.
    if (name === 'Accept-Encoding') continue;
    // Double quotes only for the header with the variable, so that the shell expands it.
    // curl removes a header without a value, unless it ends in a semicolon.
    const header = value === '' ? `${name};` : `${name}: ${value}`;
    words.push('-H', value.includes(KEY_PLACEHOLDER) ? `"${header}"` : shellWord(header));
  }
  if (request.body !== undefined) words.push('--data-raw', shellWord(escapeJson(request.body)));
  return `${words.join(' ')}\n`;
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
