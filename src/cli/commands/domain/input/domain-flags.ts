import { hasValidDay } from '../../../../time/duration.js';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { parseDomainName, type ProbeOptions } from '../../../../domain/index.js';
import { readAuthorities } from '../../../settings/network/authorities.js';
import type { Context } from '../../../system/context.js';
import {
  between,
  oneOf,
  offering,
  option,
  type Reader,
  repeatable,
  toggle,
  type ValuesOf,
} from '../../../command-line/flag.js';
import type { Session } from '../../../session/session.js';
import { choice, quoted } from '../../../command-line/flag-values.js';
import { PLAN_NAMES } from '../../../settings/config/config-values.js';
import { UsageError } from '../../../errors/usage-error.js';

/** Rejects a user name and a password. The message does not repeat them. */
const withoutCredentials: Reader<string> = (word, flag) => {
  if (!word.includes('@')) return word;
  throw new UsageError(
    `${flag} contains a user name or password`,
    'Remove the part before the @, and the @.',
  );
};

const aPort = (example: number): Reader<number> => between(1, 65_535, example);

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * Reads an ISO 8601 time with a time zone.
 *
 * @returns milliseconds since the epoch.
 */
const aTime: Reader<number> = (word, flag) => {
  const isValid = TIME.test(word) && hasValidDay(word);
  const time = isValid ? Date.parse(word) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw new UsageError(
    `${flag}: ${quoted(word)} is not an ISO 8601 time with a time zone`,
    'Use a time such as 2026-11-21T14:00:00Z or 2026-11-21T15:00+01:00.',
  );
};

/** Labels of letters, digits, hyphens and underscores. A numeric last label would make it an IPv4 address. */
const HOST = /^(?:(?!-)[\w-]{1,63}(?<!-)\.)*(?!-|\d+\.?$)[\w-]{1,63}(?<!-)\.?$/;

const anAddress: Reader<string> = (value, flag) => {
  const word = withoutCredentials(value, flag);
  // A scoped address such as fe80::1%eth0 has no place in a URL.
  if ((isIP(withoutBrackets(word)) !== 0 && !word.includes('%')) || HOST.test(word)) return word;
  throw new UsageError(
    `${flag}: ${quoted(word)} is not an address or host`,
    'Use a value such as 127.0.0.1. Pass ports with --https-port and --http-port.',
  );
};

const anIssuer: Reader<string> = (word, flag) => {
  if (/^[\w-]+(\.[\w-]+)+$/.test(word)) return word.toLowerCase();
  throw new UsageError(
    `${flag}: ${quoted(word)} is not a CAA name of an authority`,
    'Use a name such as letsencrypt.org.',
  );
};

const DNS_FLAGS = {
  target: option('--target <host>', 'CNAME value that the dashboard shows'),
  apex: toggle('--apex', 'Treat the domain as an apex domain (overrides detection)'),
  subdomain: toggle('--subdomain', 'Treat the domain as a subdomain (overrides detection)'),
  resolvers: repeatable(
    '--resolver <host[:port]>',
    'Recursive resolver to query instead of the default ones; repeatable',
    withoutCredentials,
  ),
  doh: option('--doh <url>', 'DNS over HTTPS resolver to query (RFC 8484)', withoutCredentials),
  authoritativePort: option(
    '--authoritative-port <n>',
    'Port of the authoritative name servers (53)',
    aPort(53),
  ),
  usePublic: toggle('--no-public', 'Skip the public resolvers 1.1.1.1, 8.8.8.8 and 9.9.9.9'),
};

const PROBE_FLAGS = {
  connect: option(
    '--connect <host>',
    'Address to probe instead of the resolved ones; required for private addresses',
    anAddress,
  ),
  httpsPort: option('--https-port <n>', 'Port of https (443)', aPort(443)),
  httpPort: option('--http-port <n>', 'Port of http (80)', aPort(80)),
};

const VERIFIED_AT_FLAG = {
  verifiedAt: option(
    '--verified-at <time>',
    'Time of verification, such as 2026-11-21T14:00Z (default: the stored time)',
    aTime,
  ),
};

/** Goals of a check. */
const GOALS = ['verified', 'active'] as const;

/** The flags of each domain command. */
export const DOMAIN_FLAGS = {
  records: DNS_FLAGS,
  redirects: { ...DNS_FLAGS, ...PROBE_FLAGS },
  cert: { ...DNS_FLAGS, ...PROBE_FLAGS, ...VERIFIED_AT_FLAG },
  verify: {
    ...DNS_FLAGS,
    ...PROBE_FLAGS,
    ...VERIFIED_AT_FLAG,
    plan: option(
      '--plan <plan>',
      `Plan of the project: ${PLAN_NAMES.join(', ')}`,
      offering(PLAN_NAMES, (word, name) => choice(name, PLAN_NAMES, word.toLowerCase())),
    ),
    deployed: toggle('--deployed', 'Assert that the project has a successful deploy'),
    notDeployed: toggle('--not-deployed', 'Assert that the project has no successful deploy yet'),
    issuer: option(
      '--issuer <name>',
      "CAA name of the platform's authority; without it, CAA records only warn",
      anIssuer,
    ),
    certificate: toggle('--no-certificate', 'Skip the certificate and CAA'),
    thorough: toggle('--thorough', 'Query rare record types too, such as SRV and TLSA next to a CNAME'),
    probesPlatform: toggle('--probe', 'Compare the HTTPS responses of the domain and of the target'),
    wait: toggle('--wait', 'Check again until the goal is reached or --timeout (30m) ends'),
    until: option('--until <state>', `Goal: ${GOALS.join(' or ')}`, oneOf(GOALS), 'verified'),
    strict: toggle('--strict', 'Exit 1 also for warnings'),
  },
};

/** Flags for DNS. */
export type DnsOptions = ValuesOf<typeof DNS_FLAGS>;

/** Flags for probes of certificates and redirects. */
export type ProbeFlags = ValuesOf<typeof PROBE_FLAGS>;

/** Flags of `domain verify`. */
export type VerifyOptions = ValuesOf<(typeof DOMAIN_FLAGS)['verify']>;

/** @throws UsageError if flags contradict each other. */
export function checkKind({ apex, subdomain }: DnsOptions): void {
  if (apex && subdomain)
    throw new UsageError("--apex and --subdomain can't be combined", 'Use one of the two.');
}

/** The kind of the domain that a flag asserts; `undefined`: detected by the zone cut. */
export function kindOf({ apex, subdomain }: DnsOptions): 'apex' | 'subdomain' | undefined {
  return apex ? 'apex' : subdomain ? 'subdomain' : undefined;
}

/** @throws UsageError for a time in the future. */
export function checkVerifiedAt(verifiedAt: number | undefined, { clock }: Pick<Context, 'clock'>): void {
  if (verifiedAt === undefined || verifiedAt <= clock.now() + CLOCK_SKEW_MS) return;
  throw new UsageError(
    `--verified-at: ${new Date(verifiedAt).toISOString()} is in the future`,
    'Pass the time of verification. Check the clock and the time zone.',
  );
}

/** Other machines' clocks may be ahead. */
const CLOCK_SKEW_MS = 5 * 60_000;

/** Returns the probe settings of a check: the flags, and the certificates of `--ca`. */
export async function probeOptions(
  { connect, httpsPort, httpPort }: ProbeFlags,
  { global, context }: Pick<Session, 'global' | 'context'>,
): Promise<ProbeOptions> {
  return {
    httpsPort,
    httpPort,
    connect: connect === undefined ? undefined : await resolveLocalName(connect),
    ca: await readAuthorities(global.caFile, context),
  };
}

/**
 * Resolves a host outside public DNS, such as a container's name: only this machine knows its address.
 *
 * @throws UsageError if it has no address.
 */
async function resolveLocalName(host: string): Promise<string> {
  if (isIP(withoutBrackets(host)) !== 0 || parseDomainName(host).ok) return host;
  const found = await lookup(host).catch(() => undefined);
  if (found !== undefined) return found.address;
  // The check knows these names without a resolver (RFC 6761, section 6.3).
  if (/(?:^|\.)localhost$/i.test(host)) return host;
  throw new UsageError(
    `--connect: ${quoted(host)} has no address on this machine`,
    'Pass its IP address, such as 127.0.0.1.',
  );
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}
