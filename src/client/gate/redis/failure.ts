/**
 * Why a Redis could not be used, in words of our own. A server's error may quote what it was sent, the password among
 * it, so none of its text is passed on, and neither is the error as a cause.
 */
class RedisFailure extends Error {
  override readonly name = 'RedisFailure';
}

/** No answer in time. */
export class TimeLimit extends Error {
  constructor(readonly timeoutMs: number) {
    super('no answer in time');
  }
}

/** By what a server's error begins with. */
const REPLIES: Readonly<Record<string, string>> = {
  BUSY: 'it is busy with a script',
  CLUSTERDOWN: 'its cluster is down',
  ERR: 'it refused the command',
  LOADING: 'it is still loading its data',
  MASTERDOWN: 'it is a replica that has lost its master',
  MISCONF: 'it can not write its data to disk',
  MOVED: 'it is a node of a cluster: hand in a client of your own for that',
  NOAUTH: 'it wants a password',
  NOPERM: 'its user may not run EVAL, EVALSHA, GET, SET and TIME on the keys of the gate',
  NOREPLICAS: 'it has lost its replicas',
  OOM: 'its memory is full',
  READONLY: 'it is a replica, which takes no writes',
  UNKILLABLE: 'it is busy with a script',
  WRONGPASS: 'user name or password is wrong',
  WRONGTYPE: "something else than the gate's state is kept under its key",
};

const UNTRUSTED = 'its certificate is not trusted: NODE_EXTRA_CA_CERTS can name its CA';

/** By the code of an error of the system, of TLS or of DNS. */
const CODES: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  EAI_AGAIN: 'its name could not be looked up',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection broke',
  EHOSTUNREACH: 'it can not be reached',
  ENETUNREACH: 'it can not be reached',
  ENOTFOUND: 'there is no host of its name',
  EPIPE: 'the connection broke',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not speak TLS there',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS there',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
  ETIMEDOUT: 'it can not be reached',
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
};

/** Makes of whatever a client threw what may be shown. `shown` is the server's address without credentials. */
export function redisFailure(thrown: unknown, shown: string): Error {
  return thrown instanceof RedisFailure ? thrown : new RedisFailure(`${shown}: ${wordsFor(thrown)}`);
}

/** Whether a server has not seen a script yet. */
export function isUnknownScript(thrown: unknown): boolean {
  return replyCode(thrown) === 'NOSCRIPT';
}

const UNKNOWN = 'the connection broke, or its answer is none of Redis';

function wordsFor(thrown: unknown): string {
  if (thrown instanceof TimeLimit) return `no answer within ${String(thrown.timeoutMs)} ms`;
  if (!(thrown instanceof Error)) return UNKNOWN;
  const known = CODES[String((thrown as NodeJS.ErrnoException).code)] ?? REPLIES[replyCode(thrown) ?? ''];
  return known ?? UNKNOWN;
}

function replyCode(thrown: unknown): string | undefined {
  return thrown instanceof Error ? /^[A-Z]+(?= |$)/.exec(thrown.message)?.[0] : undefined;
}
