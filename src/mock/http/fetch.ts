import type { MockOutcome, MockRequest, MockResponse } from '../service/message.js';

/** Wraps an exchange as a Web `fetch`. Loads the Web classes on the first call, because loading them is slow. */
export function createFetch(
  exchange: (request: MockRequest, signal: AbortSignal) => Promise<MockOutcome>,
): (input: string | URL | Request, init?: RequestInit) => Promise<Response> {
  return async (input, init) => {
    const request = new Request(input, init);
    return toResponse(await exchange(await toMockRequest(request), request.signal));
  };
}

/** Converts a Web Request. Does not read the body of a GET or HEAD: that is slow, and they have none. */
export async function toMockRequest(request: Request): Promise<MockRequest> {
  const { method, url } = request;
  const headers = Object.fromEntries(request.headers);
  if (method === 'GET' || method === 'HEAD') return { method, url, headers };
  return { method, url, headers, ...bodyOf(new Uint8Array(await request.arrayBuffer())) };
}

/** Decodes a body, and notes whether it is not UTF-8. */
export function bodyOf(bytes: Uint8Array): Pick<MockRequest, 'body' | 'isBodyMalformed'> {
  const decode = (fatal: boolean): string =>
    new TextDecoder('utf-8', { fatal, ignoreBOM: true }).decode(bytes);
  try {
    return { body: decode(true) };
  } catch {
    return { body: decode(false), isBodyMalformed: true };
  }
}

/**
 * Converts an outcome to what `fetch` would return.
 *
 * @throws TypeError `fetch failed` with `cause.code` if the connection closed without a response.
 */
export function toResponse(outcome: MockOutcome): Response {
  if (outcome.kind === 'reset') {
    throw new TypeError('fetch failed', { cause: socketError('ECONNRESET', 'read ECONNRESET') });
  }
  const { status, headers, body } = outcome.response;
  if (outcome.kind === 'response')
    return new Response(body === '' ? null : body, { status, headers: headerLines(headers) });
  const bytes = new TextEncoder().encode(body);
  let sent = false;
  const half = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent) {
        const cause = socketError('UND_ERR_SOCKET', 'other side closed');
        controller.error(new TypeError('terminated', { cause }));
        return;
      }
      sent = true;
      controller.enqueue(bytes.subarray(0, bytes.length >> 1));
    },
  });
  return new Response(half, { status, headers: headerLines(headers) });
}

function headerLines(headers: MockResponse['headers']): [name: string, value: string][] {
  return Object.entries(headers).flatMap(([name, value]) => {
    const values = name === 'set-cookie' ? value.split('\n') : [value];
    return values.map((each): [string, string] => [name, each]);
  });
}

function socketError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
