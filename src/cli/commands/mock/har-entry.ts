import { headerLines, type TransportRequest, type TransportResponse } from '../../../client/internal.js';
import { REDACTED, type ExchangeRedactor } from './redact-exchange.js';

/** A request that was forwarded, and its response. Times are in milliseconds since the epoch. */
export interface ForwardedExchange {
  request: TransportRequest;
  response: TransportResponse;
  startedAt: number;
  endedAt: number;
}

/** Creates an entry of HAR 1.2 without secrets. */
export function harEntry(
  { request, response, startedAt, endedAt }: ForwardedExchange,
  redactor: ExchangeRedactor,
): object {
  redactor.learn(request.headers);
  redactor.learn(response.headers);
  const [path = '', ...rest] = request.path.split('?');
  const query = redactor.query(rest.join('?'));
  const url = request.origin + redactor.text(path) + (query === '' ? '' : `?${query}`);
  const durationMs = Math.max(0, endedAt - startedAt);
  return {
    startedDateTime: new Date(startedAt).toISOString(),
    time: durationMs,
    request: {
      method: request.method,
      url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: headerList(request.headers, redactor),
      queryString: [...new URLSearchParams(query)].map(([name, value]) => ({ name, value })),
      ...(request.body === undefined || request.body === ''
        ? {}
        : {
            postData: { mimeType: request.headers['content-type'] ?? '', text: redactor.body(request.body) },
          }),
      headersSize: -1,
      bodySize: Buffer.byteLength(request.body ?? ''),
    },
    response: {
      status: response.status,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: headerList(response.headers, redactor),
      content: contentOf(response, redactor),
      redirectURL: redactor.text(response.headers.location ?? ''),
      headersSize: -1,
      bodySize: response.body.length,
    },
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
  };
}

function headerList(headers: Readonly<Record<string, string>>, redactor: ExchangeRedactor): object[] {
  return headerLines(headers).map(([name, value]) => ({ name, value: redactor.header(name, value) }));
}

function contentOf({ body, headers }: TransportResponse, redactor: ExchangeRedactor): object {
  const content = { size: body.length, mimeType: headers['content-type'] ?? '' };
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
    return { ...content, text: redactor.body(text) };
  } catch {
    const base64 = Buffer.from(body).toString('base64');
    const redacted = redactor.text(base64);
    return redacted === base64
      ? { ...content, text: base64, encoding: 'base64' }
      : { ...content, text: REDACTED };
  }
}
