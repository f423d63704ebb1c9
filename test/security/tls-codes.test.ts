import { expect, test } from 'vitest';
import { isNoTls, isTlsFailure, isUntrustedCertificate } from '../../src/security/tls-codes.js';

test.each([
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate'],
  ['CERT_HAS_EXPIRED', 'certificate'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'certificate'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate'],
  ['EPROTO', 'no TLS'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'no TLS'],
  ['ERR_SSL_PACKET_LENGTH_TOO_LONG', 'no TLS'],
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'handshake'],
  ['ECONNRESET', 'other'],
])('%s: %s', (code, kind) => {
  expect([isUntrustedCertificate(code), isTlsFailure(code), isNoTls(code)]).toEqual([
    kind === 'certificate',
    kind === 'no TLS' || kind === 'handshake',
    kind === 'no TLS',
  ]);
});
