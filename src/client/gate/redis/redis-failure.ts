import { isNoTls, isUntrustedCertificate } from '../../../security/tls-codes.js';

/**
 * An error of a Redis server with a message of our own. The server's message may quote the password, so neither the
 * message nor the original error is included.
 */
class RedisFailure extends Error {
  override readonly name = 'RedisFailure';
}

/** A step took longer than its time limit. */
export class TimeoutFailure extends Error {
  constructor(readonly timeoutMs: number) {
    super('Timed out');
  }
}

/** Reasons by the first word of an error reply. */
const REPLIES: Readonly<Record<string, string>> = {
  BUSY: 'the server is busy with a script',
  CLUSTERDOWN: 'the cluster is down',
  ERR: 'the server rejected the command',
  LOADING: 'the server is still loading its data',
  MASTERDOWN: 'the server is a replica without a master',
  MISCONF: "the server can't write its data to disk",
  MOVED: 'the server is part of a cluster, which needs a client of your own',
  NOAUTH: 'a password is required',
  NOPERM: 'the user may not run EVAL, EVALSHA, GET, SET and TIME on the keys of the gate',
  NOREPLICAS: 'the server has lost its replicas',
  OOM: 'the server has no memory left',
  READONLY: 'the server is a read-only replica',
  UNKILLABLE: 'the server is busy with a script',
  WRONGPASS: 'wrong user name or password',
  WRONGTYPE: 'the key of the gate holds other data',
};

/** Reasons by the code of an error of the system, TLS or DNS. */
const CODES: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'the certificate has expired',
  EAI_AGAIN: 'the DNS lookup failed',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  ENOTFOUND: 'host not found',
  EPIPE: 'connection reset',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host',
  ETIMEDOUT: 'connection timed out',
};

/**
 * Converts an error of a Redis client to one without credentials.
 *
 * @param displayUrl names the server in the message.
 */
export function redisFailure(thrown: unknown, displayUrl: string): Error {
  return new RedisFailure(`${displayUrl}: ${reasonFor(thrown) ?? 'connection lost, or invalid reply'}`);
}

/** Checks whether the server does not know the digest of a script. */
export function isUnknownScript(thrown: unknown): boolean {
  return thrown instanceof Error && replyCode(thrown) === 'NOSCRIPT';
}

function reasonFor(thrown: unknown): string | undefined {
  if (thrown instanceof TimeoutFailure) return `no response within ${String(thrown.timeoutMs)} ms`;
  if (!(thrown instanceof Error)) return undefined;
  const code = String((thrown as NodeJS.ErrnoException).code);
  const known = CODES[code] ?? REPLIES[replyCode(thrown)];
  if (known !== undefined) return known;
  if (isNoTls(code)) return 'the port does not use TLS';
  if (isUntrustedCertificate(code))
    return 'the certificate is not trusted (set NODE_EXTRA_CA_CERTS to its CA)';
  return undefined;
}

function replyCode({ message }: Error): string {
  return /^[A-Z]+(?= |$)/.exec(message)?.[0] ?? '';
}
