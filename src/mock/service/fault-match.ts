import { suggest } from '../../options/suggest.js';
import { METHODS, pathPattern } from './openapi.js';

/** The part of a request that faults match. */
export interface MatchedRequest {
  method: string;
  /** The path below `/v1`, and the path of its route if it has one. */
  paths: readonly string[];
  /** Encoded, without the `?`. */
  query: string;
  body: string;
  /** A fault must name the path of any other request. */
  isToService: boolean;
}

/** The part of a `Fault` that selects requests. */
interface RequestPattern {
  route?: string | undefined;
  query?: string | undefined;
  body?: string | undefined;
}

/** Returns whether a fault matches a request. */
export type RequestMatcher = (request: MatchedRequest) => boolean;

/**
 * Parses `route`, `query` and `body` of a fault.
 *
 * @throws TypeError if the route is invalid or matches no request to the service. The message suggests the nearest route.
 */
export function requestMatcher({ route, query, body }: RequestPattern): RequestMatcher {
  const matchesRoute = routeMatcher(route);
  const names = (query ?? '').split('&').filter((pair) => pair !== '' && !pair.includes('='));
  const pairs = [...new URLSearchParams(query)].filter(([name]) => !names.includes(name));
  return (request) => {
    if (!matchesRoute(request) || (body !== undefined && !request.body.includes(body))) return false;
    if (query === undefined) return true;
    const given = new URLSearchParams(request.query);
    return (
      names.every((name) => given.has(name)) &&
      pairs.every(([name, value]) => given.getAll(name).includes(value))
    );
  };
}

function routeMatcher(route: string | undefined): RequestMatcher {
  if (route === undefined) return ({ isToService }) => isToService;
  const [, method, pathAfterMethod, pathAlone] = ROUTE.exec(route) ?? [];
  const path = pathAfterMethod ?? pathAlone;
  if ((method === undefined && path === undefined) || !matchesAny(method, path)) throw unknownRoute(route);
  return (request) =>
    (method === undefined || method === (request.method === 'HEAD' ? 'GET' : request.method)) &&
    (path === undefined ? request.isToService : request.paths.includes(path));
}

const ROUTE = /^(?:([A-Z]+)(?: (\/\S*))?|(\/\S*))$/;

function matchesAny(method: string | undefined, path: string | undefined): boolean {
  return Object.entries(METHODS).some(
    ([known, methods]) =>
      (method === undefined || methods.includes(method)) &&
      (path === undefined || path === known || pathPattern(known, '[^/{}:<>]+').test(path)),
  );
}

function unknownRoute(route: string): TypeError {
  const known = [
    ...Object.entries(METHODS).flatMap(([path, methods]) => [
      ...methods.map((method) => `${method} ${path}`),
      path,
    ]),
    ...Object.values(METHODS).flat(),
  ];
  // A path below /v1, a URL, HEAD, and another name for the parameter of a path, such as /pets/:id.
  const plain = route
    .replace(/^([A-Za-z]+ )?(?:[a-z]+:\/\/[^/]*)?\/v1(?=\/)/, '$1')
    .replace(/^HEAD/, 'GET')
    .replace(/(\/pets\/)[{:<].*$/, '$1{petId}');
  const nearest = suggest(plain, known) ?? suggest(plain.replace(/^\S+ /, ''), known);
  const hint =
    nearest === undefined ? `valid: "GET /pets", "POST", "/pets/{petId}"` : `did you mean "${nearest}"?`;
  return new TypeError(`Invalid route: ${route} matches no request to the service (${hint})`);
}
