import type { Mock } from '../mock.js';
import { CONTROL_PATH, type MockRequest, type MockResponse } from '../service/message.js';
import { whyForbidden } from './access.js';
import { problem } from './control.js';

/** Whether a request is for the page in the browser: `/__mock/`, also without the last slash. */
export function isPageRequest({ method, url }: MockRequest): boolean {
  const [path] = url.split('?', 1);
  return (method === 'GET' || method === 'HEAD') && (path === CONTROL_PATH || path === `${CONTROL_PATH}/`);
}

/**
 * Returns the page. It is one file, and may connect to its own origin only.
 *
 * @param peer IP address of the client.
 * @param hasPage whether the page is turned on.
 */
export async function respondWithPage(
  mock: Mock,
  { method, url, headers }: MockRequest,
  peer: string | undefined,
  hasPage: boolean,
): Promise<MockResponse> {
  const forbidden = whyForbidden(headers, peer);
  if (forbidden !== undefined) return problem(mock, 403, 'forbidden', forbidden);
  if (!hasPage)
    return problem(mock, 404, 'no_page', `The page is turned off; see ${CONTROL_PATH}/openapi.json`);
  if (!url.startsWith(`${CONTROL_PATH}/`)) {
    return { status: 308, headers: { location: `${CONTROL_PATH}/`, 'content-length': '0' }, body: '' };
  }
  // Loaded on demand: most mocks are never opened in a browser.
  const { html, contentSecurityPolicy } = await import('../ui/page.html');
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-length': String(Buffer.byteLength(html)),
      'cache-control': 'no-store',
      'content-security-policy': contentSecurityPolicy,
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-mock-instance': mock.instance,
    },
    body: method === 'HEAD' ? '' : html,
  };
}
