import type { Transport, TransportRequest } from '../../client/index.js';
import { parseJson } from '../../schema/json.js';
import { escapeJson, toJson, toTerminalLine } from '../output/index.js';
import { shellWord } from '../text/shell-word.js';

/** Holds requests back instead of sending them. */
export interface Recorder {
  readonly transport: Transport;
  /** What would have been sent, oldest first. */
  readonly requests: readonly TransportRequest[];
}

/** Stands for the key in everything that is shown. */
const KEY_STAND_IN = '$PETSTORE_API_KEY';

/** Makes a transport that notes each request and fails it. It sees the very request that would be sent. */
export function createRecorder(): Recorder {
  const requests: TransportRequest[] = [];
  return {
    requests,
    transport: {
      send(request) {
        requests.push(request);
        return {
          response: Promise.reject(new Error('held back')),
          sent: false,
          abort: () => undefined,
        };
      },
      close: () => Promise.resolve(),
    },
  };
}

/** The requests that were held back, as --curl or --dry-run show them. */
export function showRequests(
  requests: readonly TransportRequest[],
  style: { curl: boolean; json: boolean; indent: boolean; caFile?: string | undefined },
): string {
  if (style.curl) return requests.map((request) => showCurl(request, style.caFile)).join('');
  if (!style.json) return requests.map(showRequest).join('\n');
  return requests.map((request) => toJson(requestAsData(request), { indent: style.indent })).join('');
}

/** The request as text: request line, headers, body. */
function showRequest(request: TransportRequest): string {
  const headers = Object.entries(shownHeaders(request)).map(([name, value]) => `${name}: ${value}`);
  const body = request.body === undefined ? [] : ['', request.body];
  return [`${request.method} ${urlOf(request)}`, ...headers, ...body]
    .map((line) => `${toTerminalLine(line)}\n`)
    .join('');
}

/** The request as data. The client sends JSON and nothing else. */
function requestAsData(request: TransportRequest): Record<string, unknown> {
  const { method, body } = request;
  return {
    method,
    url: urlOf(request),
    headers: shownHeaders(request),
    ...(body === undefined ? {} : { body: parseJson(body) }),
  };
}

/** A curl command that sends the same request, to paste into a POSIX shell. */
function showCurl(request: TransportRequest, caFile: string | undefined): string {
  const authorities = caFile === undefined ? [] : ['--cacert', shellWord(caFile)];
  const words = ['curl', ...authorities, ...methodWords(request), shellWord(urlOf(request))];
  for (const [name, value] of Object.entries(shownHeaders(request))) {
    // Without --compressed curl would print the compressed bytes.
    if (name === 'Accept-Encoding') continue;
    // Double quotes for the one header that the shell is to fill in; the rest is taken literally.
    const header = `${name}: ${value}`;
    words.push('-H', value.includes(KEY_STAND_IN) ? `"${header}"` : shellWord(header));
  }
  if (request.body !== undefined) words.push('--data-raw', shellWord(escapeJson(request.body)));
  return `${words.join(' ')}\n`;
}

/** With a body curl would POST, and with `-X HEAD` it would wait for a body that never comes. */
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
    shown[titleCase(name)] = name === 'authorization' ? `Bearer ${KEY_STAND_IN}` : value;
  }
  return shown;
}

function titleCase(name: string): string {
  return name.replace(/(?:^|-)[a-z]/g, (initial) => initial.toUpperCase());
}
