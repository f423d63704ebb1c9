import { isLoopback } from '../../config/settings.js';
import { type Handshake, HandshakeFailure, type HandshakeStep } from '../../system/inspector.js';
import type { Check } from './check.js';
import type { DoctorFacts } from './facts.js';
import { failed, isFault } from './fault.js';

const DAY_MS = 86_400_000;
/** A certificate that is renewed by itself is renewed before this. */
const EXPIRES_SOON_MS = 14 * DAY_MS;
/** What the header's whole seconds and a slow line may amount to. */
const SKEW_MAX_MS = 10_000;

/** Judges whoever answers at the base URL. */
export function serviceChecks(facts: DoctorFacts): Check[] {
  return [connection(facts), certificate(facts), service(facts), clock(facts)];
}

function connection({ connection: fact, proxy }: DoctorFacts): Check {
  const id = 'connection';
  if ('notAsked' in fact) return { id, state: 'skipped', finding: fact.notAsked };
  const { host, port, seen } = fact;
  const place = `${host} port ${String(port)}`;
  const by = typeof proxy === 'object' && 'address' in proxy ? proxy : undefined;
  const way = by === undefined ? '' : ` by the proxy ${by.address}`;
  const details = { host, port, proxy: by?.address ?? null, address: null };
  // Whoever shows no certificate, or a broken one, has answered all the same.
  if (seen instanceof HandshakeFailure && seen.step !== 'tls') {
    // The first that is looked up and spoken to is the proxy.
    const step = by === undefined ? seen.step : 'proxy';
    const finding = `${FAILURES[step](place)}${way}: ${seen.message}`;
    const remedy =
      by === undefined ? directRemedy(seen.step, host) : `correct ${by.from}, or name ${host} in NO_PROXY`;
    return { id, state: 'failed', finding, remedy, details };
  }
  if (seen instanceof HandshakeFailure || by !== undefined)
    return { id, state: 'ok', finding: `${place} answers${way}`, details };
  const { address } = seen;
  return { id, state: 'ok', finding: `${place} answers at ${address}`, details: { ...details, address } };
}

const FAILURES: Readonly<Record<HandshakeStep, (place: string) => string>> = {
  name: (place) => `the name of ${place} can't be resolved`,
  connection: (place) => `no connection to ${place}`,
  proxy: (place) => `nothing gets through to ${place}`,
  tls: (place) => `${place} does not speak TLS`,
};

const REMEDIES: Readonly<Record<HandshakeStep, string>> = {
  name: 'check the base URL and the resolvers: petstore config get baseUrl --show-origin',
  connection: 'check the network, or try without it: petstore pets list --mock',
  proxy: 'petstore help environment',
  tls: 'check the port of the base URL: petstore config get baseUrl --show-origin',
};

function directRemedy(step: HandshakeStep, host: string): string {
  if (step !== 'connection' || !isLoopback(host)) return REMEDIES[step];
  return 'start what is to listen there, such as petstore mock --port PORT, or correct the base URL';
}

function certificate(facts: DoctorFacts): Check {
  const { connection: fact, now } = facts;
  const id = 'certificate';
  if ('notAsked' in fact) return { id, state: 'skipped', finding: fact.notAsked };
  const { seen } = fact;
  if (seen instanceof HandshakeFailure) {
    if (seen.step !== 'tls') return { id, state: 'skipped', finding: 'there is no connection' };
    const finding = `${FAILURES.tls(`${fact.host} port ${String(fact.port)}`)}: ${seen.message}`;
    return { id, state: 'failed', finding, remedy: REMEDIES.tls };
  }
  const shown = seen.certificate;
  if (shown === undefined) return { id, state: 'skipped', finding: 'plain http to this machine has none' };
  const { issuer, distrust, validTo } = shown;
  const details = {
    issuer,
    protocol: seen.protocol ?? null,
    validTo: Number.isNaN(validTo) ? null : new Date(validTo).toISOString(),
    daysLeft: Number.isNaN(validTo) ? null : daysUntil(validTo, now),
    distrust: distrust ?? null,
  };
  if (distrust !== undefined) {
    const finding = `by ${issuer}, not trusted: ${distrust}`;
    return { id, state: 'failed', finding, remedy: distrustRemedy(distrust, facts), details };
  }
  if (facts.acceptsAnyCertificate) {
    const finding = 'NODE_TLS_REJECT_UNAUTHORIZED=0: the key goes to whoever answers';
    const remedy = 'unset NODE_TLS_REJECT_UNAUTHORIZED; --ca FILE names an authority of your own';
    return { id, state: 'failed', finding, remedy, details };
  }
  return { id, ...lifeOf(shown, seen.protocol, now), details };
}

function lifeOf(
  { issuer, validTo }: NonNullable<Handshake['certificate']>,
  protocol: string | undefined,
  now: number,
): Pick<Check, 'state' | 'finding' | 'remedy'> {
  const by = `${protocol === undefined ? '' : `${protocol}, `}by ${issuer}`;
  if (Number.isNaN(validTo)) return { state: 'ok', finding: `${by}, without an end that can be read` };
  const days = daysUntil(validTo, now);
  const left = `${String(days)} ${days === 1 ? 'day' : 'days'} left`;
  const finding = `${by}, valid until ${new Date(validTo).toISOString().slice(0, 10)}: ${left}`;
  if (validTo - now > EXPIRES_SOON_MS) return { state: 'ok', finding };
  return { state: 'warn', finding, remedy: 'tell whoever runs the service to renew it' };
}

function daysUntil(moment: number, now: number): number {
  return Math.floor((moment - now) / DAY_MS);
}

/** By OpenSSL's and Node's codes. */
function distrustRemedy(code: string, { authorities }: DoctorFacts): string {
  if (code === 'CERT_HAS_EXPIRED')
    return 'it is over: tell whoever runs the service, and check the clock of this machine';
  if (code === 'CERT_NOT_YET_VALID') return 'check the clock of this machine: its time has not come';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return 'it is for another name: check the host of the base URL';
  if (authorities.some(isFault)) return 'see to authorities first';
  const ways = 'pass --ca FILE, or export NODE_EXTRA_CA_CERTS=FILE';
  return code === 'DEPTH_ZERO_SELF_SIGNED_CERT'
    ? `it is signed by itself: if it is of your own service, ${ways} with that certificate`
    : `if its authority is your own or your company's, ${ways} with that authority's certificate`;
}

function service({ service: fact }: DoctorFacts): Check {
  const id = 'service';
  if ('notAsked' in fact) return { id, state: 'skipped', finding: fact.notAsked };
  if (isFault(fact)) return failed(id, fact, 'petstore pets list -v shows the exchange');
  if (!fact.isLimited) return { id, state: 'ok', finding: 'answers as a pet store' };
  const finding = 'answers, and its rate limit is used up';
  return { id, state: 'warn', finding, remedy: 'petstore limits tells when it resets' };
}

function clock({ service: fact, program: { platform } }: DoctorFacts): Check {
  const id = 'clock';
  if ('notAsked' in fact) return { id, state: 'skipped', finding: fact.notAsked };
  if (isFault(fact) || fact.skewMs === undefined)
    return { id, state: 'skipped', finding: 'the answer names no time' };
  const skewMs = Math.round(fact.skewMs);
  const seconds = Math.round(Math.abs(skewMs) / 1_000);
  const details = { behindByMs: skewMs };
  const direction = skewMs > 0 ? 'behind' : 'ahead of';
  if (Math.abs(skewMs) <= SKEW_MAX_MS) {
    const off = seconds === 0 ? 'to the second' : `but for ${String(seconds)} s ${direction} it`;
    return { id, state: 'ok', finding: `agrees with that of the service, ${off}`, details };
  }
  const finding = `${String(seconds)} s ${direction} that of the service`;
  const remedy = SET_CLOCK[platform] ?? 'set the clock by the network (NTP)';
  return { id, state: 'warn', finding, remedy, details };
}

const SET_CLOCK: Readonly<Record<string, string>> = {
  linux: 'sudo timedatectl set-ntp true',
  darwin: 'sudo sntp -sS time.apple.com',
  win32: 'w32tm /resync',
};
