import type { ServerResponse } from 'node:http';
import type { Mock } from '../world/mock.js';
import type { World } from '../world/account.js';
import { suggestionFor } from '../../options/suggest.js';
import { findJsonError } from '../../schema/json-inspect.js';
import { parseJson } from '../../schema/json.js';
import type { Schema } from './schemas.js';

/** What the control API needs of a mock behind an HTTP server. */
export interface ControlledHost {
  mock: Mock;
  /** Whether the page at `/__mock/` is served. */
  ui: boolean;
  /** See `ListenOptions.controlHost`. */
  controlHost: string | undefined;
  /** The certificate of the authority of the web servers, in PEM, if they are open. */
  authority(): string | undefined;
}

/** A request to the control API, after its checks. */
export interface ControlCall {
  host: ControlledHost;
  mock: Mock;
  /** The selected key, or the whole mock without one. */
  world: World;
  /** The key in `Authorization`, or the one with the number in the parameter `tenant`. Absent without both. */
  key?: string;
  /** The last part of the path, for a path with one. */
  parameter: string;
  query: URLSearchParams;
  /** The parsed body, an empty object without one. */
  body: unknown;
  signal: AbortSignal;
}

/** One method of a path of the control API, with its documentation. */
export interface Operation {
  id: string;
  summary: string;
  /** Status on success. @default 200 */
  status?: number;
  /** Media type of the response. @default 'application/json' */
  mediaType?: string;
  /** Query parameters with their descriptions. */
  query?: Readonly<Record<string, string>>;
  request?: { schema: Schema; example: object };
  /** The body of a successful response. Default: a text. */
  response?: Schema;
  /** More of the body of an error, by status. */
  errors?: Readonly<Record<number, Schema>>;
  /** Returns what is sent as JSON, a text, or a function that writes a stream. */
  run(call: ControlCall): object | Promise<object>;
}

/** A response that is not JSON. */
export class TextResponse {
  constructor(
    readonly text: string,
    readonly headers: Readonly<Record<string, string>>,
  ) {}
}

/** Writes server-sent events until the client disconnects. */
export type EventStream = (response: ServerResponse) => void;

/** Operations by method and path below `/__mock`, such as `GET /state`. */
export type Operations = Readonly<Record<string, Operation>>;

/** An error of the control API with its own status. */
export class ControlError extends Error {
  /** More fields of the body. */
  readonly details: object | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    { details, headers = {} }: { details?: object; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(message);
    this.details = details;
    this.headers = headers;
  }
}

/** @throws TypeError if the body is not a JSON object. */
export function objectOf(body: unknown): Record<string, unknown> {
  if (typeof body === 'object' && body !== null && !Array.isArray(body))
    return body as Record<string, unknown>;
  throw new TypeError('The body is not a JSON object');
}

/**
 * Returns the key with this number, as it is in a query.
 *
 * @throws ControlError if there is none.
 */
export function keyByNumber(mock: Mock, number: string): string {
  const key = mock.keys.find((each) => String(mock.forKey(each).number) === number);
  if (key === undefined) throw new ControlError(404, 'not_found', `No key has the number ${number}`);
  return key;
}

/**
 * Returns the key that a request selects.
 *
 * @param tenant the number of a key.
 * @throws ControlError if the key or the number is unknown, or both are given and differ.
 */
export function selectedKey(
  mock: Mock,
  authorization: string | undefined,
  tenant: string | null,
): string | undefined {
  const key = /^bearer +([^\s,]+)$/i.exec(authorization ?? '')?.[1];
  if (authorization !== undefined && (key === undefined || !mock.keys.includes(key)))
    throw new ControlError(401, 'unauthorized', 'The header Authorization has no valid key of the mock');
  if (tenant === null) return key;
  const numbered = keyByNumber(mock, tenant);
  if (key !== undefined && key !== numbered)
    throw new ControlError(
      400,
      'bad_request',
      'Authorization and the parameter tenant select different keys',
    );
  return numbered;
}

/** Reads a whole number of 0 or more from a query. @throws TypeError if it is another value. */
export function numberParameter({ query }: ControlCall, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (!/^\d+$/.test(text)) throw new TypeError(`The parameter ${name} must be a whole number of 0 or more`);
  return Number(text);
}

/**
 * Returns why a request may not use the control API, or `undefined` if it may. The API is open to programs on this
 * machine. `Host`, `Origin` and `Sec-Fetch-Site` exclude web pages of other sites in a browser on this machine, also
 * those that use DNS rebinding.
 *
 * @param peer IP address of the client.
 * @param controlHost also opens the API to other machines, by this host or a loopback address in `Host`.
 */
export function whyForbidden(
  headers: Readonly<Record<string, string>>,
  peer: string | undefined,
  controlHost?: string,
): string | undefined {
  const { host = '', origin } = headers;
  if (controlHost === undefined && !LOOPBACK_ADDRESS.test(peer ?? ''))
    return 'The control API is open to this machine only; see --control-host';
  const name = host.replace(/:\d+$/, '').toLowerCase();
  if (!LOOPBACK_HOST.test(host) && name !== controlHost?.toLowerCase())
    return controlHost === undefined
      ? 'The header Host is not a loopback address; see --control-host'
      : `The header Host is neither ${controlHost} nor a loopback address`;
  if (origin !== undefined && origin !== `http://${host}`) return 'The header Origin names another origin';
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    return 'The header Sec-Fetch-Site names another site';
  return undefined;
}

const LOOPBACK_ADDRESS = /^(?:::1|(?:::ffff:)?127\.\d+\.\d+\.\d+)$/;
const LOOPBACK_HOST = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i;

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
  const { properties = {}, additionalProperties } = operation.request?.schema ?? {
    additionalProperties: false,
  };
  // An operation rejects a list itself.
  if (additionalProperties !== false || typeof body !== 'object' || body === null || Array.isArray(body))
    return body;
  const known = Object.keys(properties);
  const unknown = Object.keys(body).find((name) => !known.includes(name));
  if (unknown === undefined) return body;
  const advice = known.length === 0 ? 'This request needs no body.' : suggestionFor(unknown, known);
  throw invalid(`Unknown property ${JSON.stringify(unknown)} of the body. ${advice}`);
}

function parseBody(text: string, { request }: Operation): unknown {
  const error = findJsonError(text);
  if (error === undefined) return parseJson(text);
  const { found, line, column } = error;
  const advice =
    request === undefined
      ? 'This request needs no body.'
      : `Send JSON, such as ${JSON.stringify(request.example)}`;
  throw new ControlError(
    400,
    'invalid_json',
    `The body is not JSON: found ${found} in line ${String(line)}, column ${String(column)}. ${advice}`,
  );
}

function invalid(message: string): ControlError {
  return new ControlError(400, 'bad_request', message);
}
