import { expect, test } from 'vitest';
import { probeFailureOf } from '../../../src/domain/probe/probe-failure.js';

test.each<[string, string, string]>([
  ['ECONNREFUSED', 'refused', 'connection refused'],
  ['ECONNRESET', 'refused', 'connection closed'],
  ['ETIMEDOUT', 'unreachable', 'connection timed out'],
  ['EHOSTUNREACH', 'unreachable', 'host unreachable'],
  ['ENETUNREACH', 'no-route', 'no route from this machine'],
  ['EADDRNOTAVAIL', 'no-route', 'no route from this machine'],
  ['EPERM', 'no-route', 'not permitted on this machine'],
  ['HPE_HEADER_OVERFLOW', 'refused', 'more than 16 KiB of headers'],
  ['HPE_INVALID_CONSTANT', 'refused', 'the server does not use HTTP'],
  ['ERR_SSL_UNSUPPORTED_PROTOCOL', 'refused', 'the server supports only TLS versions before 1.2'],
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'refused', 'the server supports only TLS versions before 1.2'],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'refused', 'the server requires a client certificate'],
  ['EODD', 'refused', 'EODD'],
])('%s', (code, kind, detail) =>
  expect(probeFailureOf(Object.assign(new Error('a text of the system'), { code }))).toEqual({
    kind,
    detail,
  }),
);

test("uses OpenSSL's reason, made printable", () => {
  const error = Object.assign(new Error('40:error:0A00:ssl.c:1'), {
    code: 'ERR_SSL_X',
    reason: 'tlsv1 \u001b[31malert',
  });
  expect(probeFailureOf(error).detail).toBe('tlsv1 ^[[31malert');
});

test('uses the message of an error without a code', () =>
  expect(probeFailureOf(new Error('odd'))).toEqual({ kind: 'refused', detail: 'odd' }));
