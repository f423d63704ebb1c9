/**
 * The mock as handlers for msw.
 *
 * @module petstore/mock/msw
 */
import { http, HttpResponse } from 'msw';
import { type Checks, findProblem, mustBe, mustHaveMethods, problemError } from '../options/check-options.js';
import { toMockRequest, toResponse } from './http/fetch.js';
import type { MockOutcome } from './service/message.js';
import type { Mock } from './world/mock.js';

/**
 * Creates msw request handlers (msw 2 and 3) that send everything below `baseUrl` to a mock.
 *
 * After the faults `truncate` and `cut`, reading the body fails, as over HTTP. With msw 3, `fetch` already fails.
 *
 * @param options.baseUrl the base URL of the client under test, such as `https://pets.example/v1`.
 * @throws TypeError if `mock` is no mock, if `baseUrl` is not a URL, or for an unknown option.
 * @example
 * ```ts
 * const server = setupServer(...handlers(createMock(), { baseUrl: 'https://pets.example/v1' }));
 * server.listen();
 * ```
 */
export function handlers(mock: Mock, options: { baseUrl: string }): ReturnType<typeof http.all>[] {
  const problem =
    mustBeMock(mock, 'mock') ?? findProblem(options, CHECKS) ?? CHECKS.baseUrl(options.baseUrl, 'baseUrl');
  if (problem !== undefined) throw problemError(problem);
  const base = new URL(options.baseUrl);
  const prefix = base.origin + base.pathname.replace(/(?<!\/)\/+$/, '');
  const everythingBelow = new RegExp(`^${prefix.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}(?:[/?#]|$)`);
  return [
    http.all(everythingBelow, async ({ request }) => {
      const outcome = await exchange(mock, request, prefix);
      if (outcome === undefined || outcome.kind === 'reset') return HttpResponse.error();
      const pause = (pauseMs: number): Promise<void> =>
        new Promise((resolve) => {
          mock.clock.setTimeout(resolve, pauseMs);
        });
      return toResponse(outcome, pause, request.signal);
    }),
  ];
}

/** Returns `undefined` if the client has aborted the request: msw would print what a handler throws. */
async function exchange(mock: Mock, request: Request, prefix: string): Promise<MockOutcome | undefined> {
  try {
    const plain = await toMockRequest(request);
    const url = `/v1${plain.url.slice(prefix.length)}`;
    return await mock.exchange({ ...plain, url }, request.signal);
  } catch (error) {
    if (request.signal.aborted) return undefined;
    throw error;
  }
}

const mustBeMock = mustHaveMethods('the result of createMock()', 'exchange');

const CHECKS = {
  baseUrl: mustBe('a URL, such as https://pets.example/v1', (value) => URL.canParse(value as string)),
} satisfies Checks;
