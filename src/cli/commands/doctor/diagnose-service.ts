import { type Handshake, HandshakeFailure, type HandshakeStep } from '../../inspector.js';
import type { Check } from './check.js';
import type { DoctorFacts } from './facts.js';

const DAY_MS = 86_400_000;
/** A certificate that is renewed by itself is renewed before this. */
const EXPIRES_SOON_MS = 14 * DAY_MS;
/** What the header's whole seconds and a slow line may amount to. */
const SKEW_MAX_MS = 10_000;

/** Judges what the network told. */
export function serviceChecks(facts: DoctorFacts): Check[] {
  return [connection(facts), certificate(facts), service(facts), clock(facts)];
}

function connection({ connection: fact, proxy }: DoctorFacts): Check {
  const id = 'connection';
  if ('notAsked' in fact) return { id, state: 'skipped', finding: fact.notAsked };
  const { host, port, seen } = fact;
  const place = `${host} port ${String(port)}`;
  const way = typeof proxy === 'object' && 'address' in proxy ? ` by the proxy ${proxy.address}` : '';
  // Whoever shows no certificate, or a broken one, has answered all the same.
  if (seen instanceof HandshakeFailure && seen.step !== 'tls') {
    return {
      id,
      state: 'failed',
      finding: `${FAILURES[seen.step](place)}${way}: ${seen.message}`,
      remedy: REMEDIES[seen.step],
    };
  }
  const at = seen instanceof HandshakeFailure || way !== '' ? '' : ` at ${seen.address}`;
  return { id, state: 'ok', finding: `${place} answers${at}${way}` };
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
  proxy: 'correct HTTPS_PROXY, or name the host in NO_PROXY: petstore help environment',
  tls: 'check the port of the base URL: petstore config get baseUrl --show-origin',
};

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
  const days = Math.floor((shown.validTo - now) / DAY_MS);
  if (shown.distrust !== undefined) return distrusted(shown, shown.distrust, facts);
  const loose = looseTrust(facts);
  if (loose !== undefined) return { id, ...loose };
  const until = `by ${shown.issuer}, valid until ${new Date(shown.validTo).toISOString().slice(0, 10)}`;
  if (shown.validTo - now > EXPIRES_SOON_MS) return { id, state: 'ok', finding: until };
  const finding = `${until}: ${String(days)} ${days === 1 ? 'day' : 'days'} left`;
  return { id, state: 'warn', finding, remedy: 'tell whoever runs the service to renew it' };
}

function distrusted(
  { issuer, validTo }: NonNullable<Handshake['certificate']>,
  code: string,
  { extraAuthorities, now }: DoctorFacts,
): Check {
  const unread =
    extraAuthorities?.fault === undefined
      ? ''
      : `; NODE_EXTRA_CA_CERTS names ${extraAuthorities.file}, which can't be read (${extraAuthorities.fault})`;
  const isOver = validTo < now;
  return {
    id: 'certificate',
    state: 'failed',
    finding: `by ${issuer}, not trusted: ${code}${unread}`,
    remedy: isOver
      ? 'it is over: tell whoever runs the service, and check the clock of this machine'
      : 'if the authority is your own: --ca FILE, or export NODE_EXTRA_CA_CERTS=FILE',
  };
}

/** What makes trust weaker, or other, than it looks. */
function looseTrust({ acceptsAnyCertificate, extraAuthorities }: DoctorFacts): Omit<Check, 'id'> | undefined {
  if (acceptsAnyCertificate) {
    return {
      state: 'failed',
      finding: 'NODE_TLS_REJECT_UNAUTHORIZED=0: the key goes to whoever answers',
      remedy: 'unset NODE_TLS_REJECT_UNAUTHORIZED; --ca FILE names an authority of your own',
    };
  }
  if (extraAuthorities?.fault === undefined) return undefined;
  const { file, fault } = extraAuthorities;
  return {
    state: 'warn',
    finding: `NODE_EXTRA_CA_CERTS names ${file}, which can't be read (${fault})`,
    remedy: 'correct the path, or unset NODE_EXTRA_CA_CERTS',
  };
}

function service({ service: fact }: DoctorFacts): Check {
  const id = 'service';
  if ('notAsked' in fact) return { id, state: 'skipped', finding: fact.notAsked };
  if ('fault' in fact) {
    const { fault, hint = 'petstore pets list -v shows the exchange' } = fact.fault;
    return { id, state: 'failed', finding: fault, remedy: hint };
  }
  if (!fact.isLimited) return { id, state: 'ok', finding: 'answers as a pet store' };
  const finding = 'answers, and its rate limit is used up';
  return { id, state: 'warn', finding, remedy: 'petstore limits tells when it resets' };
}

function clock({ service: fact, program: { platform } }: DoctorFacts): Check {
  const id = 'clock';
  if ('notAsked' in fact) return { id, state: 'skipped', finding: fact.notAsked };
  if ('fault' in fact || fact.skewMs === undefined)
    return { id, state: 'skipped', finding: 'the answer names no time' };
  const seconds = Math.round(Math.abs(fact.skewMs) / 1_000);
  if (Math.abs(fact.skewMs) <= SKEW_MAX_MS)
    return { id, state: 'ok', finding: 'agrees with that of the service' };
  const finding = `${String(seconds)} s ${fact.skewMs > 0 ? 'behind' : 'ahead of'} that of the service`;
  return { id, state: 'warn', finding, remedy: SET_CLOCK[platform] ?? 'set the clock by the network (NTP)' };
}

const SET_CLOCK: Readonly<Record<string, string>> = {
  linux: 'sudo timedatectl set-ntp true',
  darwin: 'sudo sntp -sS time.apple.com',
  win32: 'w32tm /resync',
};
