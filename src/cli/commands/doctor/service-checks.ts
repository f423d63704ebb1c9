import { isLoopback } from '../../config/base-url.js';
import { variable } from '../../system/context.js';
import type { Context } from '../../system/context.js';
import type { ConnectionTls } from '../../system/connection.js';
import { endpointOf } from '../../system/endpoint.js';
import { type Check, failedCheck, isKnown, isProblem, isSkipped, skippedCheck } from './check.js';
import { counted } from '../../text/counted.js';
import type { AuthorityFile, ProxyFact } from './network-checks.js';
import type { RequestResult } from './request.js';
import type { Setup } from './setup.js';

/** What the checks of the service need, next to the result of the request. */
export interface ServiceFacts {
  setup: Setup;
  /** `undefined` for a direct connection. */
  proxy: Extract<ProxyFact, { address: string }> | undefined;
  authorities: readonly AuthorityFile[];
  context: Context;
}

/** Returns the checks that one request allows. */
export function serviceChecks(result: RequestResult, facts: ServiceFacts): Check[] {
  return [
    connectionCheck(result, facts),
    certificateCheck(result, facts),
    serviceCheck(result),
    clockCheck(result, facts.context),
  ];
}

function connectionCheck({ connection: result }: RequestResult, { setup, proxy }: ServiceFacts): Check {
  const id = 'connection';
  if (isSkipped(result)) return skippedCheck(id, result.skipped);
  const { baseUrl } = setup;
  if (!isKnown(baseUrl)) return skippedCheck(id, 'no base URL');
  const { host, port } = endpointOf(new URL(baseUrl.url));
  const target = `${host} port ${String(port)}`;
  const { established, failure } = result;
  const details = { host, port, proxy: proxy?.address ?? null, address: null };
  const isConnected = failure?.stage !== 'connect';
  if (isConnected && proxy !== undefined)
    return { id, state: 'ok', finding: `connected to ${target} through the proxy ${proxy.address}`, details };
  if (isConnected) {
    const address = established?.address ?? null;
    const at = address === null || address === host ? '' : ` at ${address}`;
    return { id, state: 'ok', finding: `connected to ${target}${at}`, details: { ...details, address } };
  }
  const { reason } = failure;
  if (proxy !== undefined) {
    const finding = `no connection to ${target} through the proxy ${proxy.address}: ${reason}`;
    return {
      id,
      state: 'failed',
      finding,
      remedy: `Correct ${proxy.from}, or add ${host} to NO_PROXY.`,
      details,
    };
  }
  if (reason === 'ENOTFOUND' || reason === 'EAI_AGAIN') {
    const finding = `host name ${host} not found: ${reason}`;
    return { id, state: 'failed', finding, remedy: 'petstore config get baseUrl --show-origin', details };
  }
  const remedy = isLoopback(host)
    ? 'Start the service, for example with "petstore mock --port PORT", or correct the base URL.'
    : 'Check the network. To work without it, use --mock.';
  return { id, state: 'failed', finding: `no connection to ${target}: ${reason}`, remedy, details };
}

function certificateCheck({ connection: result }: RequestResult, facts: ServiceFacts): Check {
  const id = 'certificate';
  if (isSkipped(result)) return skippedCheck(id, result.skipped);
  const { baseUrl } = facts.setup;
  if (!isKnown(baseUrl)) return skippedCheck(id, 'no base URL');
  if (!baseUrl.url.startsWith('https:')) return skippedCheck(id, 'not used for plain http');
  const { established, failure } = result;
  const tls = established?.tls;
  const { context } = facts;
  const details = {
    issuer: tls?.issuer ?? null,
    protocol: tls?.protocol ?? null,
    validTo: tls === undefined || Number.isNaN(tls.validTo) ? null : new Date(tls.validTo).toISOString(),
    daysLeft: tls === undefined || Number.isNaN(tls.validTo) ? null : daysLeft(tls, context),
    distrust: null,
  };
  if (failure?.stage === 'certificate') {
    const { reason } = failure;
    const by = tls === undefined ? '' : `issued by ${tls.issuer}, `;
    const finding = `${by}not trusted: ${reason}`;
    return {
      id,
      state: 'failed',
      finding,
      remedy: distrustRemedy(reason, facts),
      details: { ...details, distrust: reason },
    };
  }
  if (failure?.stage === 'tls') {
    const finding = `the service does not use TLS on this port: ${failure.reason}`;
    return { id, state: 'failed', finding, remedy: 'petstore config get baseUrl --show-origin' };
  }
  if (variable(context, 'NODE_TLS_REJECT_UNAUTHORIZED') === '0') {
    const finding = 'not checked: NODE_TLS_REJECT_UNAUTHORIZED is 0, so the key may be sent to any server';
    const remedy = 'Unset NODE_TLS_REJECT_UNAUTHORIZED. Use --ca FILE for an authority of your own.';
    return { id, state: 'failed', finding, remedy, details };
  }
  return tls === undefined ? skippedCheck(id, 'no connection') : { id, ...validity(tls, context), details };
}

/** Automatic renewal normally happens earlier. */
const EXPIRES_SOON_DAYS = 14;
const DAY_MS = 86_400_000;

function validity(tls: ConnectionTls, context: Context): Pick<Check, 'state' | 'finding' | 'remedy'> {
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

function distrustRemedy(code: string, { authorities }: ServiceFacts): string {
  if (code === 'CERT_HAS_EXPIRED')
    return 'The certificate has expired. Inform the operator of the service, and check the clock of this machine.';
  if (code === 'CERT_NOT_YET_VALID')
    return 'Check the clock of this machine: the certificate is not valid yet.';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return 'The certificate is for another name. Check the host of the base URL.';
  if (authorities.some(isProblem)) return 'Fix the check "authorities" first.';
  const flags = '--ca FILE or NODE_EXTRA_CA_CERTS=FILE';
  return code === 'DEPTH_ZERO_SELF_SIGNED_CERT'
    ? `The certificate is self-signed. If it is your own, trust it with ${flags}.`
    : `If its certificate authority is your own or your company's, trust it with ${flags}.`;
}

function serviceCheck({ response }: RequestResult): Check {
  const id = 'service';
  if (isSkipped(response)) return skippedCheck(id, response.skipped);
  if (isProblem(response)) return failedCheck(id, response, 'petstore pets list -v');
  if (!response.isLimited) return { id, state: 'ok', finding: 'responds as a pet store' };
  return { id, state: 'warn', finding: 'responds, but the rate limit is used up', remedy: 'petstore limits' };
}

/** Allows for the whole seconds of the header and a slow connection. */
const SKEW_MAX_MS = 10_000;

function clockCheck({ response }: RequestResult, { platform }: Context): Check {
  const id = 'clock';
  if (isSkipped(response)) return skippedCheck(id, response.skipped);
  if (isProblem(response) || response.skewMs === undefined)
    return skippedCheck(id, 'no response with a Date header');
  const skewMs = Math.round(response.skewMs);
  const seconds = Math.round(Math.abs(skewMs) / 1_000);
  const details = { behindByMs: skewMs };
  const difference = `${String(seconds)} s ${skewMs > 0 ? 'behind' : 'ahead of'} the service`;
  if (Math.abs(skewMs) <= SKEW_MAX_MS)
    return { id, state: 'ok', finding: seconds === 0 ? 'same time as the service' : difference, details };
  const remedy = SET_CLOCK[platform] ?? 'Synchronize the clock (NTP).';
  return { id, state: 'warn', finding: difference, remedy, details };
}

const SET_CLOCK: Readonly<Record<string, string>> = {
  linux: 'sudo timedatectl set-ntp true',
  darwin: 'sudo sntp -sS time.apple.com',
  win32: 'w32tm /resync',
};
