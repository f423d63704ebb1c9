import { AuthenticationError, ConnectionError, isPetStoreError, RateLimitError } from '../../../errors.js';
import { causesOf } from '../../../foreign-error.js';
import { TransportFailure } from '../../../client/index.js';
import { isTlsFailure, isUntrustedCertificate } from '../../../security/tls-codes.js';
import { networkSettings } from '../../network/proxy.js';
import type { Session } from '../../session/action.js';
import type { Connection } from '../../system/connection.js';
import { Interruption } from '../../system/context.js';
import { TimeLimitError, withTimeLimit } from '../../system/time-limit.js';
import { Skipped } from './check.js';
import type { Setup } from './setup.js';

const REQUEST_TIMEOUT_MS = 10_000;

/** The outcome of the one request. All functions throw if there is none. */
export interface RequestResult {
  connection: () => { established: Connection | undefined; failure: ConnectionFailure | undefined };
  response: () => ServiceResponse;
  /** The service's clock minus this machine's, in milliseconds; `undefined` if the response has no date. */
  skewMs: () => number | undefined;
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
}

/**
 * Sends one request as every command does. If there is no key, or it may not be sent to this host, sends a request
 * without a key, to check the connection and the certificate.
 *
 * @param established returns the connection of the request, once there is one.
 * @throws Interruption; with --dry-run and --curl the error that ends the command.
 */
export async function sendRequest(
  setup: Setup,
  session: Session,
  established: () => Connection | undefined,
): Promise<RequestResult> {
  const { global, recorder } = session;
  if (global.mock) return { ...(await sendWithKey(session)), connection: throws('not needed with --mock') };
  if (recorder === undefined) {
    let url: string;
    try {
      ({ url } = await setup.baseUrl.need('no base URL'));
      await setup.proxy.need();
    } catch (error) {
      return { connection: throws(error), response: throws(error), skewMs: throws('no request') };
    }
    try {
      await setup.key.need('no key to send');
      await setup.destination.need('not confirmed that the key may be sent there');
    } catch (reason) {
      const error = await attemptRequest(session, (signal) => sendWithoutKey(url, session, signal));
      const connection = (): ConnectionResult => connectionResult(error, established());
      return { connection, response: throws(reason), skewMs: throws(reason) };
    }
  }
  const { error, ...received } = await sendWithKey(session);
  const connection = connectionResult(error, established());
  const isConnected = connection.failure === undefined;
  return {
    connection: () => connection,
    ...(isConnected ? received : { response: throws('no connection'), skewMs: throws('no connection') }),
  };
}

/** @param reason the error, or why something was not checked. */
export function throws(reason: unknown): () => never {
  return () => {
    throw typeof reason === 'string' ? new Skipped(reason) : reason;
  };
}

/** Whether the service accepts the key; `null` without a response. */
export function verdictOf({ response }: RequestResult): ServiceResponse['key'] | null {
  try {
    return response().key;
  } catch {
    return null;
  }
}

async function sendWithKey(
  session: Session,
): Promise<Pick<RequestResult, 'response' | 'skewMs'> & { error: unknown }> {
  const { clock } = session.context;
  const startedAt = clock.now();
  let headers: Readonly<Record<string, string>> = {};
  const error = await attemptRequest(session, async (signal) => {
    const store = await session.client({ once: true, mayPrompt: false });
    ({ headers } = (await store.pets.list({ limit: 1 }, { signal }).withResponse()).response);
  });
  const midpoint = (startedAt + clock.now()) / 2;
  return {
    error,
    response: () => responseFrom(error),
    skewMs: () => skewIn(error === undefined ? headers : headersOf(error), midpoint),
  };
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

type ConnectionResult = ReturnType<RequestResult['connection']>;

/** Errors after the connection are no failure of it. */
function connectionResult(error: unknown, established: Connection | undefined): ConnectionResult {
  const reason = reasonOf(error);
  if (reason === undefined) return { established, failure: undefined };
  if (isUntrustedCertificate(reason)) return { established, failure: { stage: 'certificate', reason } };
  if (isTlsFailure(reason)) return { established, failure: { stage: 'tls', reason } };
  return { established, failure: established === undefined ? { stage: 'connect', reason } : undefined };
}

function reasonOf(error: unknown): string | undefined {
  if (error instanceof TimeLimitError) return error.message;
  if (!(error instanceof ConnectionError || error instanceof TransportFailure)) return undefined;
  const { code } = error;
  // The message of a proxy error names the status.
  return code === undefined || code.startsWith('ERR_PROXY_') ? causeOf(error).message : code;
}

/** @throws the error, unless it is a response too. */
function responseFrom(error: unknown): ServiceResponse {
  if (error === undefined) return { key: 'accepted', isLimited: false };
  const isLimited = error instanceof RateLimitError;
  if (!isLimited && !(error instanceof AuthenticationError)) throw error as Error;
  if (isPredicted(error)) throw new Skipped(LIMIT_USED_UP);
  return { key: isLimited ? 'accepted' : 'rejected', isLimited };
}

const LIMIT_USED_UP = 'the rate limit is used up: petstore limits';

/** Without a 429 the limit was known beforehand, and nothing was sent. */
function isPredicted(error: unknown): boolean {
  return error instanceof RateLimitError && error.outcome !== 'refused';
}

/** Every response has them, also one that is an error or no list of pets. */
function headersOf(error: unknown): Readonly<Record<string, string>> {
  if (isPredicted(error)) throw new Skipped(LIMIT_USED_UP);
  if (isPetStoreError(error) && error.response !== undefined) return error.response.headers;
  throw new Skipped('no response');
}

function skewIn(headers: Readonly<Record<string, string>>, midpoint: number): number | undefined {
  const date = Date.parse(headers.date ?? '');
  // The header has whole seconds: on average it is half a second early.
  return Number.isNaN(date) ? undefined : date + 500 - midpoint;
}

function causeOf(error: Error): Error {
  return causesOf(error).findLast((cause) => cause instanceof Error) ?? error;
}
