import { AuthenticationError, causesOf, ConnectionError, RateLimitError } from '../../../errors.js';
import { TransportFailure } from '../../../client/index.js';
import { isTlsFailure, isUntrustedCertificate } from '../../../security/tls-codes.js';
import { networkSettings } from '../../network/proxy.js';
import type { Session } from '../../session/action.js';
import type { Connection } from '../../system/connection.js';
import { type Context, Interruption } from '../../system/context.js';
import { TimeLimitError, withTimeLimit } from '../../system/time-limit.js';
import { describeProblem, isKnown, isProblem, type Problem, type Skipped } from './check.js';
import type { Setup } from './setup.js';

const REQUEST_TIMEOUT_MS = 10_000;

/** The outcome of the one request. */
export interface RequestResult {
  connection: { established?: Connection; failure?: ConnectionFailure } | Skipped;
  response: ServiceResponse | Problem | Skipped;
}

/** Why the service could not be reached. */
export interface ConnectionFailure {
  /** What failed: the connection, the TLS handshake, or the verification of the certificate. */
  stage: 'connect' | 'tls' | 'certificate';
  /** A code such as `ECONNREFUSED`, or a message without one. */
  reason: string;
}

export interface ServiceResponse {
  key: 'accepted' | 'rejected';
  isLimited: boolean;
  /** The service's clock minus this machine's, in milliseconds. */
  skewMs?: number;
}

/**
 * Sends one request as every command does. If there is no key, or it may not be sent to this host, sends a request
 * without a key, to check the connection and the certificate.
 *
 * @param proxy nothing is sent if it is invalid.
 * @param established returns the connection of the request, once there is one.
 * @throws Interruption; with --dry-run and --curl the error that ends the command.
 */
export async function sendRequest(
  setup: Setup,
  proxy: unknown,
  session: Session,
  established: () => Connection | undefined,
): Promise<RequestResult> {
  const { global, recorder, context } = session;
  const { baseUrl } = setup;
  if (recorder === undefined && !global.mock) {
    if (!isKnown(baseUrl)) return notSent('no base URL');
    if (isProblem(proxy)) return notSent('depends on proxy, which failed');
    const reason = whyWithoutKey(setup);
    if (reason !== undefined) {
      const error = await attemptRequest(session, (signal) => sendWithoutKey(baseUrl.url, session, signal));
      return { connection: connectionResult(error, established()), response: { skipped: reason } };
    }
  }
  const startedAt = context.clock.now();
  let headers: Readonly<Record<string, string>> = {};
  const error = await attemptRequest(session, async (signal) => {
    const store = await session.client({ once: true, mayPrompt: false });
    ({ headers } = (await store.pets.list({ limit: 1 }, { signal }).withResponse()).response);
  });
  const response = responseFrom(error, headers, startedAt, context);
  if (global.mock) return { connection: { skipped: 'not needed with --mock' }, response };
  const connection = connectionResult(error, established());
  return { connection, response: 'failure' in connection ? { skipped: 'no connection' } : response };
}

function notSent(reason: string): RequestResult {
  return { connection: { skipped: reason }, response: { skipped: reason } };
}

function whyWithoutKey({ key, destination }: Setup): string | undefined {
  if (!isKnown(key)) return 'no key to send';
  return isProblem(destination) ? 'not confirmed that the key may be sent there' : undefined;
}

/** @returns the error, if the request failed. */
async function attemptRequest(
  { context, recorder, global }: Session,
  send: (signal: AbortSignal) => Promise<void>,
): Promise<unknown> {
  try {
    // The embedded mock needs no network, so no limit.
    await (global.mock ? send(context.signal) : withTimeLimit(REQUEST_TIMEOUT_MS, context, send));
    return undefined;
  } catch (error) {
    const reason: unknown = context.signal.aborted ? context.signal.reason : error;
    if (recorder !== undefined || reason instanceof Interruption) throw error;
    return reason;
  }
}

async function sendWithoutKey(
  baseUrl: string,
  { global, context }: Session,
  signal: AbortSignal,
): Promise<void> {
  const transport = await context.network(await networkSettings(baseUrl, global.caFile, context));
  const { origin, pathname } = new URL(baseUrl);
  const exchange = transport.send({
    method: 'GET',
    origin,
    path: `${pathname.replace(/\/$/, '')}/pets?limit=1`,
    headers: { accept: 'application/json' },
    bodyMaxBytes: 65_536,
  });
  const stop = (): void => {
    exchange.abort();
    // The response may stay pending after `abort`.
    void transport.close();
  };
  signal.addEventListener('abort', stop, { once: true });
  try {
    await exchange.response;
  } finally {
    await transport.close();
  }
}

function connectionResult(error: unknown, established: Connection | undefined): RequestResult['connection'] {
  const failure = failureOf(error, established);
  return {
    ...(established === undefined ? {} : { established }),
    ...(failure === undefined ? {} : { failure }),
  };
}

/** Returns `undefined` for errors after the connection. */
function failureOf(error: unknown, established: Connection | undefined): ConnectionFailure | undefined {
  const reason = reasonOf(error);
  if (reason === undefined) return undefined;
  if (isUntrustedCertificate(reason)) return { stage: 'certificate', reason };
  if (isTlsFailure(reason)) return { stage: 'tls', reason };
  return established === undefined ? { stage: 'connect', reason } : undefined;
}

function reasonOf(error: unknown): string | undefined {
  if (error instanceof TimeLimitError) return error.message;
  if (!(error instanceof ConnectionError || error instanceof TransportFailure)) return undefined;
  const { code } = error;
  // The message of a proxy error names the status.
  return code === undefined || code.startsWith('ERR_PROXY_') ? causeOf(error).message : code;
}

function responseFrom(
  error: unknown,
  headers: Readonly<Record<string, string>>,
  startedAt: number,
  context: Context,
): RequestResult['response'] {
  if (error === undefined) return received('accepted', headers, startedAt, context);
  if (error instanceof AuthenticationError)
    return received('rejected', error.response?.headers ?? {}, startedAt, context);
  if (!(error instanceof RateLimitError)) return describeProblem(error);
  // Without a 429 the limit was known beforehand, and nothing was sent.
  if (error.outcome !== 'refused') return { skipped: 'the rate limit is used up: petstore limits' };
  return { ...received('accepted', error.response?.headers ?? {}, startedAt, context), isLimited: true };
}

function received(
  key: ServiceResponse['key'],
  headers: Readonly<Record<string, string>>,
  startedAt: number,
  { clock }: Context,
): ServiceResponse {
  const date = Date.parse(headers.date ?? '');
  const midpoint = (startedAt + clock.now()) / 2;
  // The header has whole seconds: on average it is half a second early.
  return { key, isLimited: false, ...(Number.isNaN(date) ? {} : { skewMs: date + 500 - midpoint }) };
}

function causeOf(error: Error): Error {
  return causesOf(error).findLast((cause) => cause instanceof Error) ?? error;
}
