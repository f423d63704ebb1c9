import type { MockOutcome, MockRequest } from '../service/message.js';

/** Makes a Web `fetch` of an exchange. Request and Response are first touched when it is called. */
export function createFetch(
  exchange: (request: MockRequest, signal: AbortSignal) => Promise<MockOutcome>,
): (input: string | URL | Request, init?: RequestInit) => Promise<Response> {
  return async (input, init) => {
    const request = new Request(input, init);
    return toResponse(await exchange(await toMockRequest(request), request.signal));
  };
}

/** Reads a Web Request. The body of a GET or HEAD is left alone: looking at it costs, and it has none. */
export async function toMockRequest(request: Request): Promise<MockRequest> {
  const { method, url } = request;
  const headers = Object.fromEntries(request.headers);
  if (method === 'GET' || method === 'HEAD') return { method, url, headers };
  return { method, url, headers, body: await request.text() };
}

/**
 * Plays an outcome as `fetch` would.
 *
 * @throws TypeError `fetch failed`, with `cause.code`, where the connection ended without an answer.
 */
export function toResponse(outcome: MockOutcome): Response {
  if (outcome.kind === 'reset') {
    throw new TypeError('fetch failed', { cause: socketError('ECONNRESET', 'read ECONNRESET') });
  }
  const { status, headers, body } = outcome.response;
  if (outcome.kind === 'response')
    return new Response(body === '' ? null : body, { status, headers: { ...headers } });
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
  return new Response(half, { status, headers: { ...headers } });
}

function socketError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
