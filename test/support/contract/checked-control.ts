import { handleControlRequest as handle } from '../../../src/mock/control/control.js';
import { controlOpenApi } from '../../../src/mock/control/control-openapi.js';
import { OPERATIONS } from '../../../src/mock/control/operations.js';
import { CONTROL_PATH } from '../../../src/mock/service/message.js';
import { createExchangeCheck, type OpenApi } from './check-exchange.js';
import { deviations } from './deviations.js';

export * from '../../../src/mock/control/control.js';

let check: ReturnType<typeof createExchangeCheck> | undefined;

/** Compares the exchange with `/__mock/openapi.json`. `vitest.config.ts` puts this in place of the real one. */
export async function handleControlRequest(
  ...parameters: Parameters<typeof handle>
): ReturnType<typeof handle> {
  const [, { method, url, body }] = parameters;
  const response = await handle(...parameters);
  if (typeof response === 'function' || response.headers['content-type'] !== 'application/json')
    return response;
  check ??= createExchangeCheck(JSON.parse(JSON.stringify(controlOpenApi(OPERATIONS))) as OpenApi);
  const [path = '', query = ''] = url.slice(CONTROL_PATH.length).split('?', 2);
  const entry = { sequence: 1, at: new Date(0), method, target: url, path, query, headers: {} };
  const sent = body === undefined ? entry : { ...entry, body };
  deviations.push(...check({ type: 'request', entry: sent, response, delayMs: 0 }));
  return response;
}
