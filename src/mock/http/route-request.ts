import type { Ledger, MockPlan } from '../service/limits.js';
import type { Store } from '../service/store.js';
import type { MockRequest } from '../service/message.js';
import { ROUTES, type Route } from './routes.js';

/** What belongs to one key. */
export interface Tenant {
  /** 1 for the first. */
  number: number;
  plan: MockPlan;
  store: Store;
  ledger: Ledger;
}

/** The prefix of every path (interface specification, "Versioning"). */
export const BASE_PATH = '/v1';

/** A request, taken apart. */
export interface RoutedRequest {
  request: MockRequest;
  tenant: Tenant | undefined;
  /** Undecoded, without the query. */
  path: string;
  query: string;
  /** Whether an escape in the path is. */
  isMalformed: boolean;
  route: Route | undefined;
  parameter: string;
  /** What faults know this request's path by. */
  paths: readonly string[];
  /** Decoded and below `/v1`; as sent where it is elsewhere or malformed. */
  shownPath: string;
}

/** Finds out whose request it is, and which route it is for. Never fails. */
export function routeRequest(tenants: ReadonlyMap<string, Tenant>, request: MockRequest): RoutedRequest {
  const { path, query } = splitTarget(request.url);
  const decoded = decodePath(path);
  const routePath =
    decoded?.startsWith(`${BASE_PATH}/`) === true ? decoded.slice(BASE_PATH.length) : undefined;
  let route: Route | undefined;
  let parameter = '';
  if (routePath !== undefined) {
    for (const candidate of ROUTES) {
      const found = candidate.pattern.exec(routePath);
      if (found === null) continue;
      route = candidate;
      parameter = found[1] ?? '';
      break;
    }
  }
  const shownPath = routePath ?? path;
  return {
    request,
    tenant: tenants.get(bearerToken(request.headers.authorization)),
    path,
    query,
    isMalformed: decoded === undefined,
    route,
    parameter,
    paths: route === undefined ? [shownPath] : [route.path, shownPath],
    shownPath,
  };
}

/** @returns an empty text where there is no bearer token; no key is empty. */
function bearerToken(authorization: string | undefined): string {
  // RFC 9110 section 11.1: the scheme is case-insensitive.
  return /^bearer +([^\s,]+)$/i.exec(authorization ?? '')?.[1] ?? '';
}

function splitTarget(url: string): { path: string; query: string } {
  const target = url.startsWith('/') ? url : url.replace(/^[a-z][\w+.-]*:\/\/[^/?#]*/i, '');
  const [beforeHash = ''] = target.split('#', 1);
  const mark = beforeHash.indexOf('?');
  const path = mark < 0 ? beforeHash : beforeHash.slice(0, mark);
  return { path: path === '' ? '/' : path, query: mark < 0 ? '' : beforeHash.slice(mark + 1) };
}

function decodePath(path: string): string | undefined {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
