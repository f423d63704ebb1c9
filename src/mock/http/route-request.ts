import type { MockRequest } from '../service/message.js';
import type { Account } from '../world/account.js';
import type { Accounts } from '../world/accounts.js';
import { ROUTES, type Route } from './routes.js';

/** The prefix of every path (interface specification, "Versioning"). */
export const BASE_PATH = '/v1';

/** Not below `/v1` and without a key, for tools that can't send one. */
const DESCRIPTION_PATH = '/openapi.json';

/** A request with its account and its route. */
export interface RoutedRequest {
  request: MockRequest;
  /** Absent without a valid key, and for the description, which needs none. */
  account: Account | undefined;
  /** Encoded, without the query. */
  path: string;
  query: string;
  /** Whether the path contains an invalid percent-encoding. */
  isMalformed: boolean;
  route: Route | undefined;
  /** Whether it is for the mock's description of the service, and thus not for the service. */
  isDescription: boolean;
  /** The decoded path parameter, empty for a route without one. */
  parameter: string;
  /** The paths that match the `route` of a fault. */
  paths: readonly string[];
  /** Decoded and below `/v1`. As sent if it is malformed or does not start with `/v1`. */
  shownPath: string;
}

/** Finds the account and the route of a request. Never throws. */
export function routeRequest(accounts: Accounts, request: MockRequest): RoutedRequest {
  const { path, query } = splitTarget(request.url);
  const decoded = decodePath(path);
  const routePath =
    decoded?.startsWith(`${BASE_PATH}/`) === true ? decoded.slice(BASE_PATH.length) : undefined;
  let route: Route | undefined;
  let parameter = '';
  if (routePath !== undefined) {
    for (const candidate of ROUTES) {
      const match = candidate.pattern.exec(routePath);
      if (match === null) continue;
      route = candidate;
      parameter = match[1] ?? '';
      break;
    }
  }
  const shownPath = routePath ?? path;
  const isDescription = path === DESCRIPTION_PATH;
  return {
    request,
    account: isDescription ? undefined : accounts.withKey(bearerToken(request.headers.authorization)),
    path,
    query,
    isMalformed: decoded === undefined,
    route,
    isDescription,
    parameter,
    paths: route === undefined ? [shownPath] : [route.path, shownPath],
    shownPath,
  };
}

/** Returns '' without a bearer token. No key is empty. */
function bearerToken(authorization: string | undefined): string {
  // RFC 9110, section 11.1: the scheme is case-insensitive.
  return /^bearer +([^\s,]+)$/i.exec(authorization ?? '')?.[1] ?? '';
}

function splitTarget(url: string): { path: string; query: string } {
  const target = url.startsWith('/') ? url : url.replace(/^[a-z][\w+.-]*:\/\/[^/?#]*/i, '');
  const [beforeFragment = ''] = target.split('#', 1);
  const queryAt = beforeFragment.indexOf('?');
  const path = queryAt < 0 ? beforeFragment : beforeFragment.slice(0, queryAt);
  return { path: path === '' ? '/' : path, query: queryAt < 0 ? '' : beforeFragment.slice(queryAt + 1) };
}

/** Decodes a path, apart from `%2F`: as data of a segment it must not become a separator (RFC 3986, section 2.2). */
function decodePath(path: string): string | undefined {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path.replace(/%2f/gi, '%252F'));
  } catch {
    return undefined;
  }
}
