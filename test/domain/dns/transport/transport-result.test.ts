import { expect, test } from 'vitest';
import { queryFailure, socketFailure } from '../../../../src/domain/dns/transport-result.js';

test.each([
  ['ECONNREFUSED', 'connection refused'],
  ['ENETUNREACH', 'no route to the network'],
  ['CERT_HAS_EXPIRED', 'connection failed (CERT_HAS_EXPIRED)'],
  [undefined, 'connection failed (unknown)'],
])('the socket error %s means unreachable', (code, detail) => {
  expect(socketFailure(Object.assign(new Error('x'), { code }))).toEqual({
    ...queryFailure('unreachable', detail),
    ...(code === 'ENETUNREACH' && { isWithoutRoute: true }),
  });
});
