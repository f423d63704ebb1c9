import type { Mock } from '../mock.js';
import type { World } from '../tenant.js';

/** A request to the control API, after its checks. */
export interface ControlCall {
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
  signal: AbortSignal | undefined;
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
  /** An example of the request body. */
  body?: object;
  /**
   * Names of the properties of the body; `any` if the operation checks them.
   *
   * @default those of the example
   */
  properties?: readonly string[] | 'any';
  run(call: ControlCall): unknown;
}

/** Operations by path below `/__mock` and method. */
export type Operations = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

/** An error of the control API with its own status. */
export class ControlError extends Error {
  readonly status: number;
  readonly code: string;
  /** More fields of the body. */
  readonly details: object | undefined;

  constructor(status: number, code: string, message: string, details?: object) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

/** @throws TypeError if the body is not a JSON object. */
export function objectOf(body: unknown): Record<string, unknown> {
  if (typeof body === 'object' && body !== null && !Array.isArray(body))
    return body as Record<string, unknown>;
  throw new TypeError('The body is not a JSON object');
}

/** Returns the key with this number, as it is in a query. */
export function keyByNumber(mock: Mock, number: string): string | undefined {
  return mock.keys.find((key) => String(mock.forKey(key).number) === number);
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
  if (numbered === undefined) throw new ControlError(404, 'not_found', `No key has the number ${tenant}`);
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
