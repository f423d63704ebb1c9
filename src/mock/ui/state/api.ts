import { parseJson, stringifyJson } from '../../../schema/json.js';

/** Sends a request to the control API. */
export interface Api {
  /**
   * @param path below `/__mock`.
   * @throws ResponseError with the message of the response. Error if the mock does not respond.
   */
  send(method: string, path: string, body?: object): Promise<unknown>;
}

/** A response with an error. */
export class ResponseError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export function createApi(fetch: typeof globalThis.fetch): Api {
  return {
    async send(method, path, body) {
      const response = await fetch(`/__mock${path}`, {
        method,
        ...(body === undefined
          ? {}
          : { body: stringifyJson(body), headers: { 'content-type': 'application/json' } }),
      }).catch(() => {
        throw new Error('The mock does not respond');
      });
      const result: unknown = parseJson(await response.text());
      if (response.ok) return result;
      const { status } = response;
      throw new ResponseError(status, (result as { message?: string }).message ?? `Status ${String(status)}`);
    },
  };
}

/**
 * Adds a query to a path.
 *
 * @param tenant number of the selected key; `undefined` for all keys.
 */
export function withQuery(
  path: string,
  tenant: number | undefined,
  query: Readonly<Record<string, string>> = {},
): string {
  const all = { ...query, ...(tenant === undefined ? {} : { tenant: String(tenant) }) };
  const text = new URLSearchParams(all).toString();
  return text === '' ? path : `${path}?${text}`;
}
