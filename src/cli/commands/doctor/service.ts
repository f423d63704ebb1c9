import { AuthenticationError, isPetStoreError, RateLimitError } from '../../../errors.js';
import { namedProxy } from '../../settings/network/proxy.js';
import type { Session } from '../../session/session.js';
import { proxyOf } from '../../session/session-failure.js';
import { type Context, Interruption, variable } from '../../system/context.js';
import { TimeLimitError, withTimeLimit } from '../../system/time-limit.js';
import { describeProblem, type Result, Skipped, type Step } from './check.js';
import type { Setup } from './setup.js';

const REQUEST_TIMEOUT_MS = 10_000;

/** Returns the outcome of the one request. @throws Skipped if none was sent. */
export type RequestOutcome = () => {
  /** Why it failed. */
  error: unknown;
  /** Of any response, also of an error. */
  headers: Readonly<Record<string, string>> | undefined;
  /** Between request and response, in milliseconds since the epoch. */
  sentAt: number;
};

/** @param reason why no request was sent. */
export function skipped(reason: string): RequestOutcome {
  return () => {
    throw new Skipped(reason);
  };
}

/**
 * Sends one request as every command does, if there is a key that may be sent to this host.
 *
 * @throws Interruption; with --dry-run and --curl the error that ends the command.
 */
export async function sendRequest(setup: Setup, session: Session): Promise<RequestOutcome> {
  const { global, recorder, context } = session;
  if (!global.mock && recorder === undefined) {
    try {
      await setup.destination.need();
    } catch (reason) {
      return skipped((reason as Error).message);
    }
  }
  const { clock } = context;
  const startedAt = clock.now();
  let headers: Readonly<Record<string, string>> | undefined;
  const send = async (signal: AbortSignal): Promise<void> => {
    const store = await session.client({ once: true, mayPrompt: false });
    ({ headers } = (await store.pets.list({ limit: 1 }, { signal }).withResponse()).response);
  };
  let error: unknown;
  try {
    // The embedded mock needs no network, so no limit.
    await (global.mock ? send(context.signal) : withTimeLimit(REQUEST_TIMEOUT_MS, context, send));
  } catch (thrown) {
    error = context.signal.aborted ? context.signal.reason : thrown;
    if (recorder !== undefined || error instanceof Interruption) throw thrown;
    if (isPetStoreError(error)) ({ headers } = error.response ?? {});
    // Without a 429 the limit was known beforehand, and nothing was sent.
    if (error instanceof RateLimitError && error.outcome !== 'refused')
      return skipped('the rate limit is used up: petstore limits');
  }
  const sentAt = (startedAt + clock.now()) / 2;
  return () => ({ error, headers, sentAt });
}

/** Whether the service accepts the key; `null` without a response that shows it. */
export function keyVerdict(outcome: RequestOutcome): 'accepted' | 'rejected' | null {
  try {
    const { error } = outcome();
    if (error instanceof AuthenticationError) return 'rejected';
    return error === undefined || error instanceof RateLimitError ? 'accepted' : null;
  } catch {
    return null;
  }
}

/** The checks that one request allows. */
export function serviceSteps(outcome: RequestOutcome, session: Session): readonly Step[] {
  const { context, global } = session;
  return [
    {
      id: 'connection',
      run() {
        if (global.mock) throw new Skipped('not needed with --mock');
        return checkConnection(outcome().error, session.baseUrl, context);
      },
    },
    { id: 'service', remedy: 'petstore pets list -v', run: () => checkService(outcome().error) },
    { id: 'clock', run: () => checkClock(outcome(), context) },
  ];
}

function hasResponse(error: unknown): boolean {
  return error === undefined || (isPetStoreError(error) && error.response !== undefined);
}

function checkConnection(error: unknown, baseUrl: string, context: Context): Result {
  const { protocol, host } = new URL(baseUrl);
  const proxy = namedProxy(baseUrl, context);
  const target = `${host}${proxy === undefined ? '' : ` through the proxy ${proxy.address} (${proxy.from})`}`;
  if (!hasResponse(error)) {
    const { problem, hint } = describeProblem(error, proxyOf(error, context));
    return {
      state: 'failed',
      finding: error instanceof TimeLimitError ? `${problem} from ${target}` : problem,
      remedy: hint,
    };
  }
  if (protocol === 'https:' && variable(context, 'NODE_TLS_REJECT_UNAUTHORIZED') === '0') {
    const finding = 'NODE_TLS_REJECT_UNAUTHORIZED is 0, so the key may be sent to any server';
    const remedy = 'Unset NODE_TLS_REJECT_UNAUTHORIZED. Use --ca FILE for an authority of your own.';
    return { state: 'failed', finding, remedy };
  }
  return { state: 'ok', finding: `connected to ${target}` };
}

function checkService(error: unknown): Result {
  if (!hasResponse(error)) throw new Skipped('no connection');
  if (error instanceof RateLimitError)
    return { state: 'warn', finding: 'responds, but the rate limit is used up', remedy: 'petstore limits' };
  if (error !== undefined && !(error instanceof AuthenticationError)) throw error as Error;
  return { state: 'ok', finding: 'responds as a pet store' };
}

/** Allows for the whole seconds of the header and a slow connection. */
const SKEW_MAX_MS = 10_000;

function checkClock({ headers, sentAt }: ReturnType<RequestOutcome>, { platform }: Context): Result {
  const date = Date.parse(headers?.date ?? '');
  if (Number.isNaN(date)) throw new Skipped('no response with a Date header');
  // The header has whole seconds: on average it is half a second early.
  const skewMs = date + 500 - sentAt;
  const seconds = Math.round(Math.abs(skewMs) / 1_000);
  const difference = `${String(seconds)} s ${skewMs > 0 ? 'behind' : 'ahead of'} the service`;
  if (Math.abs(skewMs) <= SKEW_MAX_MS)
    return { state: 'ok', finding: seconds === 0 ? 'same time as the service' : difference };
  const remedy = SET_CLOCK[platform] ?? 'Synchronize the clock (NTP).';
  return { state: 'warn', finding: difference, remedy };
}

const SET_CLOCK: Readonly<Record<string, string>> = {
  linux: 'sudo timedatectl set-ntp true',
  darwin: 'sudo sntp -sS time.apple.com',
  win32: 'w32tm /resync',
};
