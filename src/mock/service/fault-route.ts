import { suggest, suggestionFor } from '../../options/suggest.js';
import { belowVersion, type RequestMatch } from './journal-filter.js';

/** Returns whether a fault matches a request with this method and any of these paths. */
export type RouteMatcher = (method: string, paths: readonly string[]) => boolean;

/** The operations of the service, as paths below `/v1` and their methods. `GET` includes HEAD. */
export const FAULT_ROUTES: Readonly<Record<string, readonly string[]>> = {
  '/pets': ['GET', 'POST'],
  '/pets/{petId}': ['GET'],
  '/openapi.json': ['GET'],
};

/**
 * Parses the `route` of a fault.
 *
 * @throws TypeError if it is invalid or matches no request to the service. The message suggests the nearest route.
 */
export function routeMatcher(route: string | undefined): RouteMatcher {
  if (route === undefined) return () => true;
  const [, method, pathAfterMethod, pathAlone] = ROUTE.exec(route) ?? [];
  const path = pathAfterMethod ?? pathAlone;
  if ((method === undefined && path === undefined) || !matchesAny(method, path)) throw unknownRoute(route);
  return (requestMethod, paths) =>
    (method === undefined || method === (requestMethod === 'HEAD' ? 'GET' : requestMethod)) &&
    (path === undefined || paths.includes(path));
}

const ROUTE = /^(?:([A-Z]+)(?: (\/\S*))?|(\/\S*))$/;

function matchesAny(method: string | undefined, path: string | undefined): boolean {
  return Object.entries(FAULT_ROUTES).some(
    ([known, methods]) =>
      (method === undefined || methods.includes(method)) &&
      (path === undefined ||
        path === known ||
        (known === '/pets/{petId}' && /^\/pets\/[^/{}:<>]+$/.test(path))),
  );
}

/**
 * Rejects a filter that matches no request to the service: the expectation that there is none would always hold. A method
 * can be any of HTTP, because a client may send one that the service does not have.
 *
 * @throws TypeError with the nearest method or path.
 */
export function checkReachable({ method, path }: RequestMatch): void {
  if (method !== undefined && !HTTP_METHODS.includes(method.toUpperCase()))
    throw neverMatches('method', method, suggestionFor(method, HTTP_METHODS));
  if (path === undefined) return;
  const hasParameter = /^\/pets\/[{:<]/.test(belowVersion(path));
  if (hasParameter || !matchesAny(undefined, belowVersion(path)))
    throw neverMatches('path', path, hasParameter ? 'Use an id, such as /pets/5.' : pathHint(path));
}

const HTTP_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'QUERY'];
const PATHS = ['/pets', '/pets/5', '/openapi.json'];

function pathHint(path: string): string {
  const [withoutQuery = ''] = path.split('?');
  return withoutQuery === path
    ? suggestionFor(belowVersion(path), PATHS)
    : `Use the path without the query, such as ${withoutQuery}.`;
}

function neverMatches(field: string, value: string, hint: string): TypeError {
  return new TypeError(
    `No request to the service has the ${field} ${value}, so 0 requests always hold. ${hint}`,
  );
}

function unknownRoute(route: string): TypeError {
  const paths = Object.keys(FAULT_ROUTES);
  const known = [
    ...Object.entries(FAULT_ROUTES).flatMap(([path, methods]) =>
      methods.map((method) => `${method} ${path}`),
    ),
    ...paths,
    'GET',
    'POST',
  ];
  const withoutPrefix = route
    .replace(/^([A-Za-z]+ )?(?:[a-z]+:\/\/[^/]*)?\/v1(?=\/)/, '$1')
    .replace(/^HEAD/, 'GET');
  // A path with another name for its parameter, such as /pets/:id.
  const nearest =
    suggest(withoutPrefix.replace(/(\/pets\/)(?:[{:<].*)$/, '$1{petId}'), known) ??
    suggest(withoutPrefix.replace(/^\S+ /, ''), known);
  const hint =
    nearest === undefined ? `valid: "GET /pets", "POST", "/pets/{petId}"` : `did you mean "${nearest}"?`;
  return new TypeError(`Invalid route: ${route} matches no request to the service (${hint})`);
}
