import type { Mock } from '../mock.js';

/** A request to the control API, after its checks. */
export interface ControlCall {
  mock: Mock;
  /** The key in `Authorization`. Absent without this header. */
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
  /** Query parameters with their descriptions. */
  query?: Readonly<Record<string, string>>;
  /** An example of the request body. */
  body?: object;
  run(call: ControlCall): unknown;
}

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

/** Reads a whole number from a query. @throws TypeError if it is another value. */
export function numberParameter({ query }: ControlCall, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (!/^\d+$/.test(text)) throw new TypeError(`The parameter ${name} must be a whole number`);
  return Number(text);
}
