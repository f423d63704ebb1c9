/** Checks whether an error code of OpenSSL or Node.js means a certificate that is not trusted. */
export function isUntrustedCertificate(code: string): boolean {
  return /^ERR_TLS_CERT|^CERT_|SELF_SIGNED|^UNABLE_TO_(?:VERIFY|GET)/.test(code);
}

/** Checks whether an error code of OpenSSL or Node.js means a failed TLS handshake. */
export function isTlsFailure(code: string): boolean {
  return /^(?:EPROTO$|ERR_SSL_)/.test(code);
}

/** Checks whether an error code means that the peer does not use TLS. An alert is no such code, because it is TLS. */
export function isNoTls(code: string): boolean {
  return /^(?:EPROTO|ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG)$/.test(code);
}
