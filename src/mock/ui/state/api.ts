import { parseJson, stringifyJson } from '../../../schema/json.js';

/** Sends a request to the control API. */
export interface Api {
  /**
   * @param path below `/__mock`.
   * @throws Error with the message of the response, or if the mock does not respond.
   */
  send(method: string, path: string, body?: object): Promise<unknown>;
}

export const api: Api = {
  async send(method, path, body) {
    const response = await fetch(`/__mock${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { body: stringifyJson(body), headers: { 'content-type': 'application/json' } }),
    }).catch(() => {
      throw new Error('The mock does not respond');
    });
    const result = parseJson(await response.text()) as { message?: string };
    if (!response.ok) throw new Error(result.message ?? `Status ${String(response.status)}`);
    return result;
  },
};

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
