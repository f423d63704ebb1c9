import type { DnsResponse } from './dns.js';
import type { QueryFailure } from './transport/transport-result.js';

/** The result of one attempt. */
export type QueryResult = { kind: 'response'; response: DnsResponse } | { kind: 'truncated' } | QueryFailure;

export function hasFailed(result: QueryResult, reason: QueryFailure['reason']): result is QueryFailure {
  return result.kind === 'failure' && result.reason === reason;
}

/** Whether there was no response. The server may respond to another attempt. */
export function isUnanswered(result: QueryResult): result is QueryFailure {
  return hasFailed(result, 'timeout') || hasFailed(result, 'unreachable');
}

/** Waits for the first response, or for both failures. */
export async function firstUsable(
  udp: Promise<QueryResult>,
  tcp: Promise<QueryResult>,
): Promise<[QueryResult | undefined, QueryResult | undefined]> {
  const results: [QueryResult | undefined, QueryResult | undefined] = [undefined, undefined];
  await new Promise<void>((resolve) => {
    [udp, tcp].forEach((pending, index) => {
      void pending.then((result) => {
        results[index] = result;
        if (!isUnanswered(result) || results.every((one) => one !== undefined)) resolve();
      });
    });
  });
  return results;
}

/** Combines a failure over UDP with the result over TCP. */
export function afterTcp(failed: QueryFailure, result: QueryResult): QueryResult {
  if (result.kind !== 'failure' || result.reason === 'aborted' || result.reason === 'malformed')
    return result;
  return { ...failed, detail: `${failed.detail}; over TCP: ${result.detail}` };
}
