import { expect, test } from 'vitest';
import type { RequestEvent } from '../../../src/mock/index.js';
import { OPEN_API } from '../../../src/mock/service/openapi.js';
import { createExchangeCheck, type OpenApi } from '../../support/contract/check-exchange.js';

/** The check that every mock of the tests has (test/support/contract). */
const check = createExchangeCheck(JSON.parse(JSON.stringify(OPEN_API)) as OpenApi);

const REX = '{"id":9007199254740993,"name":"Rex","categoryId":-1,"status":"sold"}';
const RATE_HEADERS = { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '7' };

interface Exchange {
  method?: string;
  path?: string;
  query?: string;
  request?: string;
  status?: number;
  headers?: Record<string, string>;
  body?: string;
}

function eventOf({
  method = 'GET',
  path = '/pets',
  query = '',
  request,
  ...response
}: Exchange): RequestEvent {
  const { status = 200, headers = RATE_HEADERS, body = `[${REX}]` } = response;
  return {
    type: 'request',
    entry: {
      sequence: 1,
      at: new Date(0),
      method,
      target: path,
      path,
      query,
      headers: {},
      ...(request === undefined ? {} : { body: request }),
    },
    response: { status, headers, body },
    delayMs: 0,
  };
}

test.each<[Exchange, string]>([
  [{ status: 204 }, 'GET /pets, 204: the status is not described'],
  [{ headers: {} }, 'the header X-RateLimit-Limit is not a whole number'],
  [{ status: 429, body: '{"code":"a","message":"b","status":429}' }, 'the header Retry-After'],
  [{ body: '[{"id":1}]' }, "the response: data/0 must have required property 'name'"],
  [{ body: `[${REX.replace('sold', 'gone')}]` }, 'data/0/status must be equal to one of the allowed values'],
  [{ path: '/pets/7', body: `[${REX}]` }, 'the response: data must be object'],
  [{ status: 400, body: '{}' }, "must have required property 'code'"],
  [{ query: 'limit=101' }, 'limit: data must be <= 100'],
  [{ query: 'status=gone' }, 'status: data must be equal to one of the allowed values'],
  [{ method: 'POST', request: '{"name":""}', status: 201, body: REX }, 'the request: data must have'],
])('rejects %j', (exchange, problem) => {
  expect(check(eventOf(exchange)).join('\n')).toContain(problem);
});
