import { suggest } from '../../options/suggest.js';

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
