import { bodyParts } from './body-parts.js';
import type { Handler } from './handler.js';
import type { MockOutcome, MockRequest } from '../service/message.js';

/** Wraps an exchange as a Web `fetch`. Loads the Web classes on the first call, because loading them is slow. */
export function createFetch(
  exchange: (request: MockRequest, signal: AbortSignal) => Promise<MockOutcome>,
  wait: Handler['wait'],
): (input: string | URL | Request, init?: RequestInit) => Promise<Response> {
  return async (input, init) => {
    const request = new Request(input, init);
    const { signal } = request;
    const outcome = await exchange(await toMockRequest(request), signal);
    return toResponse(outcome, (pauseMs) => wait(outcome, signal, pauseMs), signal);
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
 * @param pause waits between the parts of a slow body.
 * @param signal ends a slow body.
 * @throws TypeError `fetch failed` with `cause.code` if the connection closed without a response.
 */
export function toResponse(
  outcome: MockOutcome,
  pause: (pauseMs: number) => Promise<void>,
  signal: AbortSignal,
): Response {
  if (outcome.kind === 'reset') {
    throw new TypeError('fetch failed', { cause: socketError('ECONNRESET', 'read ECONNRESET') });
  }
  const { status, headers, body: text } = outcome.response;
  const body = outcome.response.bytes?.slice() ?? text;
  const isWhole = outcome.kind === 'response';
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    value.split('\n').map((line): [string, string] => [name, line]),
  );
  const init = { status, headers: lines };
  if (isWhole && (body === '' || outcome.bytesPerSecond === undefined))
    return new Response(body === '' ? null : body, init);
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const parts = bodyParts(isWhole ? bytes : bytes.subarray(0, outcome.bytes), outcome.bytesPerSecond);
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = parts.next();
      if (next.done !== true) {
        if (next.value.pauseMs > 0) await pause(next.value.pauseMs);
        if (signal.aborted) controller.error(signal.reason);
        else controller.enqueue(next.value.part);
      } else if (isWhole) controller.close();
      else {
        const cause = socketError('UND_ERR_SOCKET', 'other side closed');
        controller.error(new TypeError('terminated', { cause }));
      }
    },
  });
  return new Response(stream, init);
}

function socketError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
