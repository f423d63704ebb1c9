import { suggestionFor } from '../../options/suggest.js';
import { findJsonError } from '../../schema/json-inspect.js';
import { parseJson } from '../../schema/json.js';
import { ControlError, type Operation } from './operation.js';

/**
 * Returns why a request may not use the control API, or `undefined` if it may. The API is open to programs on this
 * machine. `Host`, `Origin` and `Sec-Fetch-Site` exclude web pages of other sites in a browser on this machine, also
 * those that use DNS rebinding.
 *
 * @param peer IP address of the client.
 */
export function whyForbidden(
  headers: Readonly<Record<string, string>>,
  peer: string | undefined,
): string | undefined {
  const { host = '', origin } = headers;
  if (!isLoopbackAddress(peer ?? '')) return 'The control API is open to this machine only';
  if (!isLoopbackHost(host)) return 'The header Host is not a loopback address';
  if (origin !== undefined && origin !== `http://${host}`) return 'The header Origin names another origin';
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    return 'The header Sec-Fetch-Site names another site';
  return undefined;
}

function isLoopbackAddress(address: string): boolean {
  return address === '::1' || /^(?:::ffff:)?127\.\d+\.\d+\.\d+$/.test(address);
}

function isLoopbackHost(host: string): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i.test(host);
}

/** The query parameter of every operation, which selects a key. */
export const TENANT_PARAMETER = { tenant: 'Number of a key; like Authorization' };

/**
 * Rejects a parameter that the operation does not have: without an effect, a mistyped filter returns wrong requests.
 *
 * @throws ControlError with the nearest name, also if a parameter occurs more than once.
 */
export function checkQuery(query: URLSearchParams, operation: Pick<Operation, 'query'>): void {
  const known = Object.keys({ ...operation.query, ...TENANT_PARAMETER });
  const names = [...query.keys()];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw invalid(`Unknown parameter ${JSON.stringify(unknown)}. ${suggestionFor(unknown, known)}`);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw invalid(`The parameter ${repeated} occurs more than once`);
}

/**
 * Parses the body of a request, and rejects a property that the operation does not have.
 *
 * @returns an empty object without a body.
 * @throws ControlError if the body is not JSON, with the position of the error.
 */
export function readBody(text: string, operation: Operation): unknown {
  if (text.trim() === '') return {};
  const body = parseBody(text, operation);
  const { properties = operation.body === undefined ? [] : Object.keys(operation.body) } = operation;
  if (properties === 'any' || typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const unknown = Object.keys(body).find((name) => !properties.includes(name));
  if (unknown === undefined) return body;
  const advice = properties.length === 0 ? 'This request needs no body.' : suggestionFor(unknown, properties);
  throw invalid(`Unknown property ${JSON.stringify(unknown)} of the body. ${advice}`);
}

function parseBody(text: string, { body }: Operation): unknown {
  const error = findJsonError(text);
  if (error === undefined) return parseJson(text);
  const { found, line, column } = error;
  const advice =
    body === undefined ? 'This request needs no body.' : `Send JSON, such as ${JSON.stringify(body)}`;
  throw new ControlError(
    400,
    'invalid_json',
    `The body is not JSON: found ${found} in line ${String(line)}, column ${String(column)}. ${advice}`,
  );
}

function invalid(message: string): ControlError {
  return new ControlError(400, 'bad_request', message);
}
