import { http, HttpResponse } from 'msw';
import { toMockRequest, toResponse } from './http/fetch.js';
import type { Mock } from './mock.js';

/**
 * The mock as handlers for `setupServer` or `setupWorker` of msw 2 or 3: everything below `baseUrl` is answered by it.
 *
 * msw can end a connection before an answer, but not in the midst of one, so the fault `truncate` throws here; use
 * `mock.fetch` or `mock.listen` for that one.
 *
 * @param options.baseUrl what the client under test has as its base URL, such as `https://pets.example/v1`.
 */
export function handlers(mock: Mock, { baseUrl }: { baseUrl: string }): ReturnType<typeof http.all>[] {
  const base = new URL(baseUrl);
  const prefix = base.origin + base.pathname.replace(/\/+$/, '');
  const everythingBelow = new RegExp(`^${prefix.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}(?:[/?#]|$)`);
  return [
    http.all(everythingBelow, async ({ request }) => {
      const plain = await toMockRequest(request);
      const outcome = await mock.exchange(
        { ...plain, url: `/v1${plain.url.slice(prefix.length)}` },
        request.signal,
      );
      if (outcome.kind === 'reset') return HttpResponse.error();
      if (outcome.kind === 'truncated')
        throw new Error('petstore/mock: msw cannot play the fault "truncate"; use mock.listen');
      return toResponse(outcome);
    }),
  ];
}
