import { isPetStoreError } from '../../../errors.js';
import { proxyOf } from '../../session/session-failure.js';
import { TimeLimitError } from '../../system/time-limit.js';
import { isLoopback } from '../../config/base-url.js';
import { variable } from '../../system/context.js';
import type { Context } from '../../system/context.js';
import type { ConnectionTls } from '../../system/connection.js';
import { endpointOf } from '../../system/endpoint.js';
import { describeProblem, type Result, Skipped, type Step } from './check.js';
import { counted } from '../../text/counted.js';
import type { RequestResult } from './request.js';
import type { ProxyFact, Setup } from './setup.js';

/** What the checks of the service need, next to the result of the request. */
export interface ServiceFacts {
  setup: Setup;
  isAuthorityInvalid: boolean;
  context: Context;
}

const CORRECT_BASE_URL =
  'Correct the base URL. To see where it is set, run: petstore config get baseUrl --show-origin';
const VERBOSE = 'petstore pets list -v';

/** The checks that one request allows. */
export function serviceSteps(result: RequestResult, facts: ServiceFacts): readonly Step[] {
  return [
    { id: 'connection', run: () => checkConnection(result, facts.setup) },
    { id: 'certificate', run: () => checkCertificate(result, facts) },
    { id: 'service', remedy: VERBOSE, run: () => checkService(result, facts) },
    { id: 'clock', run: () => checkClock(result, facts.context) },
  ];
}

async function checkConnection({ connection }: RequestResult, setup: Setup): Promise<Result> {
  const { established, failure } = connection();
  const { host, port, target, proxy } = await targetOf(setup);
  const details = { host, port, proxy: proxy?.address ?? null, address: null };
  const isConnected = failure?.stage !== 'connect';
  if (isConnected && proxy !== undefined)
    return { state: 'ok', finding: `connected to ${target} through the proxy ${proxy.address}`, details };
  if (isConnected) {
    const address = established?.address ?? null;
    const at = address === null || address === host ? '' : ` at ${address}`;
    return { state: 'ok', finding: `connected to ${target}${at}`, details: { ...details, address } };
  }
  const { reason } = failure;
  if (proxy !== undefined) {
    const finding = `no connection to ${target} through the proxy ${proxy.address}: ${reason}`;
    return {
      state: 'failed',
      finding,
      remedy: `Correct ${proxy.from}, or add ${host} to NO_PROXY.`,
      details,
    };
  }
  if (reason === 'ENOTFOUND' || reason === 'EAI_AGAIN') {
    const finding = `host name ${host} not found: ${reason}`;
    return { state: 'failed', finding, remedy: CORRECT_BASE_URL, details };
  }
  const remedy = isLoopback(host)
    ? 'Start the service, for example with "petstore mock --port PORT", or correct the base URL.'
    : 'Check the network. To work without it, use --mock.';
  return { state: 'failed', finding: `no connection to ${target}: ${reason}`, remedy, details };
}

async function targetOf(
  setup: Setup,
): Promise<{ host: string; port: number; target: string; proxy?: UsedProxy | undefined }> {
  const { url } = await setup.baseUrl.need();
  const decided = await setup.proxy.need();
  const { host, port } = endpointOf(new URL(url));
  const proxy = decided !== undefined && 'address' in decided ? decided : undefined;
  return { host, port, target: `${host} port ${String(port)}`, proxy };
}

type UsedProxy = Extract<ProxyFact, { address: string }>;

async function checkCertificate({ connection }: RequestResult, facts: ServiceFacts): Promise<Result> {
  const { established, failure } = connection();
  const { url } = await facts.setup.baseUrl.need();
  if (!url.startsWith('https:')) throw new Skipped('not used for plain http');
  const tls = established?.tls;
  const { context } = facts;
  const details = {
    issuer: tls?.issuer ?? null,
    protocol: tls?.protocol ?? null,
    ...(tls === undefined || Number.isNaN(tls.validTo)
      ? { validTo: null, daysLeft: null }
      : { validTo: new Date(tls.validTo).toISOString(), daysLeft: daysLeft(tls, context) }),
    distrust: null,
  };
  if (failure?.stage === 'certificate') {
    const { reason } = failure;
    const by = tls === undefined ? '' : `issued by ${tls.issuer}, `;
    const finding = `${by}not trusted: ${reason}`;
    const remedy = distrustRemedy(reason, facts);
    return { state: 'failed', finding, remedy, details: { ...details, distrust: reason } };
  }
  if (failure?.stage === 'tls') {
    const finding = `the service does not use TLS on this port: ${failure.reason}`;
    return { state: 'failed', finding, remedy: CORRECT_BASE_URL };
  }
  if (variable(context, 'NODE_TLS_REJECT_UNAUTHORIZED') === '0') {
    const finding = 'not checked: NODE_TLS_REJECT_UNAUTHORIZED is 0, so the key may be sent to any server';
    const remedy = 'Unset NODE_TLS_REJECT_UNAUTHORIZED. Use --ca FILE for an authority of your own.';
    return { state: 'failed', finding, remedy, details };
  }
  if (tls === undefined) throw new Skipped('no connection');
  return { ...validity(tls, context), details };
}

/** Automatic renewal normally happens earlier. */
const EXPIRES_SOON_DAYS = 14;
const DAY_MS = 86_400_000;

function validity(tls: ConnectionTls, context: Context): Result {
  const by = `${tls.protocol}, issued by ${tls.issuer}`;
  if (Number.isNaN(tls.validTo)) return { state: 'ok', finding: `${by}, end of validity unknown` };
  const days = daysLeft(tls, context);
  const end = new Date(tls.validTo).toISOString().slice(0, 10);
  const finding = `${by}, valid until ${end} (${counted(days, 'day')} left)`;
  if (days >= EXPIRES_SOON_DAYS) return { state: 'ok', finding };
  return { state: 'warn', finding, remedy: 'Ask the operator of the service to renew it.' };
}

function daysLeft({ validTo }: ConnectionTls, { clock }: Context): number {
  return Math.floor((validTo - clock.now()) / DAY_MS);
}

function distrustRemedy(code: string, { isAuthorityInvalid }: ServiceFacts): string {
  if (code === 'CERT_HAS_EXPIRED')
    return 'The certificate has expired. Inform the operator of the service, and check the clock of this machine.';
  if (code === 'CERT_NOT_YET_VALID')
    return 'Check the clock of this machine: the certificate is not valid yet.';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return 'The certificate is for another name. Check the host of the base URL.';
  if (isAuthorityInvalid) return 'Fix the check "authorities" first.';
  const flags = '--ca FILE or NODE_EXTRA_CA_CERTS=FILE';
  return code === 'DEPTH_ZERO_SELF_SIGNED_CERT'
    ? `The certificate is self-signed. If it is your own, trust it with ${flags}.`
    : `If its certificate authority is your own or your company's, trust it with ${flags}.`;
}

async function checkService({ response }: RequestResult, { setup, context }: ServiceFacts): Promise<Result> {
  let isLimited: boolean;
  try {
    ({ isLimited } = response());
  } catch (error) {
    if (error instanceof TimeLimitError) {
      const { target, proxy } = await targetOf(setup);
      const finding = `${error.message} from ${target}${proxy === undefined ? '' : ` through the proxy ${proxy.address}`}`;
      return { state: 'failed', finding, remedy: 'Allow more time with --timeout.' };
    }
    if (!isPetStoreError(error)) throw error;
    const { problem, hint = VERBOSE } = describeProblem(error, proxyOf(error, context));
    return { state: 'failed', finding: problem, remedy: hint };
  }
  if (!isLimited) return { state: 'ok', finding: 'responds as a pet store' };
  return { state: 'warn', finding: 'responds, but the rate limit is used up', remedy: 'petstore limits' };
}

/** Allows for the whole seconds of the header and a slow connection. */
const SKEW_MAX_MS = 10_000;

function checkClock(result: RequestResult, { platform }: Context): Result {
  const exactMs = result.skewMs();
  if (exactMs === undefined) throw new Skipped('no response with a Date header');
  const skewMs = Math.round(exactMs);
  const seconds = Math.round(Math.abs(skewMs) / 1_000);
  const details = { behindByMs: skewMs };
  const difference = `${String(seconds)} s ${skewMs > 0 ? 'behind' : 'ahead of'} the service`;
  if (Math.abs(skewMs) <= SKEW_MAX_MS)
    return { state: 'ok', finding: seconds === 0 ? 'same time as the service' : difference, details };
  const remedy = SET_CLOCK[platform] ?? 'Synchronize the clock (NTP).';
  return { state: 'warn', finding: difference, remedy, details };
}

const SET_CLOCK: Readonly<Record<string, string>> = {
  linux: 'sudo timedatectl set-ntp true',
  darwin: 'sudo sntp -sS time.apple.com',
  win32: 'w32tm /resync',
};
