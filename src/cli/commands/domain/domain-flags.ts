import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Command } from 'commander';
import { parseDomainName, type ProbeTarget } from '../../../domain/index.js';
import { readAuthorities } from '../../network/authorities.js';
import type { Context } from '../../system/context.js';
import type { GlobalOptions } from '../../command-line/global-options.js';
import { quoted, wholeNumber } from '../../command-line/flag-values.js';
import { UsageError } from '../../errors/usage-error.js';

/** Flags for DNS. */
export interface DnsFlags {
  target?: string;
  /** Overrides the detection by the zone cut. */
  kind?: 'apex' | 'subdomain';
  resolvers: readonly string[];
  doh?: string;
  authoritativePort?: number;
  /** False with --no-public. */
  usePublic: boolean;
}

/** Flags for probes of certificates and redirects. */
export interface ProbeFlags {
  connect?: string;
  httpsPort?: number;
  httpPort?: number;
}

type Flags = Readonly<Record<string, unknown>>;

/** Adds the flags of every domain command. */
export function addDnsFlags(command: Command): Command {
  return command
    .option('--target <host>', 'CNAME value that the dashboard shows')
    .option('--apex', 'Treat the domain as an apex domain (overrides detection)')
    .option('--subdomain', 'Treat the domain as a subdomain (overrides detection)')
    .option(
      '--resolver <host[:port]>',
      'Recursive resolver to query instead of the default ones; repeatable',
      (word: string, before: readonly string[] | undefined) => [...(before ?? []), word],
    )
    .option('--doh <url>', 'DNS over HTTPS resolver to query (RFC 8484)')
    .option('--authoritative-port <n>', 'Port of the authoritative name servers (53)')
    .option('--no-public', 'Skip the public resolvers 1.1.1.1, 8.8.8.8 and 9.9.9.9');
}

/** Adds the flags of commands that probe. */
export function addProbeFlags(command: Command): Command {
  return command
    .option(
      '--connect <host>',
      'Address to probe instead of the resolved ones; required for private addresses',
    )
    .option('--https-port <n>', 'Port of https (443)')
    .option('--http-port <n>', 'Port of http (80)');
}

/** @throws UsageError if a flag is invalid or flags contradict each other. */
export function readDnsFlags(flags: Flags): DnsFlags {
  const { target, apex, subdomain, resolver, doh, authoritativePort } = flags;
  if (apex === true && subdomain === true) {
    throw new UsageError("--apex and --subdomain can't be combined", 'Use one of the two.');
  }
  const kind = apex === true ? 'apex' : subdomain === true ? 'subdomain' : undefined;
  return {
    ...(typeof target === 'string' ? { target } : {}),
    ...(kind === undefined ? {} : { kind }),
    resolvers: ((resolver as readonly string[] | undefined) ?? []).map((word) =>
      withoutCredentials('--resolver', word),
    ),
    ...(typeof doh === 'string' ? { doh: withoutCredentials('--doh', doh) } : {}),
    ...(typeof authoritativePort === 'string'
      ? { authoritativePort: port('--authoritative-port', authoritativePort) }
      : {}),
    usePublic: flags.public !== false,
  };
}

/** @throws UsageError if a flag is invalid. */
export function readProbeFlags(flags: Flags): ProbeFlags {
  const { connect, httpsPort, httpPort } = flags;
  return {
    ...(typeof connect === 'string' ? { connect: address(connect) } : {}),
    ...(typeof httpsPort === 'string' ? { httpsPort: port('--https-port', httpsPort) } : {}),
    ...(typeof httpPort === 'string' ? { httpPort: port('--http-port', httpPort) } : {}),
  };
}

/** Adds the flag for the time of verification. */
export function addVerifiedAtFlag(command: Command): Command {
  return command.option(
    '--verified-at <time>',
    'Time of verification, such as 2026-11-21T14:00Z (default: the stored time)',
  );
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * Reads the time of verification, in milliseconds since the epoch. `undefined` if not given.
 *
 * @throws UsageError if it is not an ISO 8601 time with a time zone.
 */
export function readVerifiedAt({ verifiedAt }: Flags): number | undefined {
  if (typeof verifiedAt !== 'string') return undefined;
  const isValid = TIME.test(verifiedAt) && hasValidDay(verifiedAt);
  const time = isValid ? Date.parse(verifiedAt) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw new UsageError(
    `--verified-at: ${quoted(verifiedAt)} is not an ISO 8601 time with a time zone`,
    'Use a time such as 2026-11-21T14:00:00Z or 2026-11-21T15:00+01:00.',
  );
}

/** `Date` reads 31 February as 3 March. RFC 3339, section 5.7, forbids it. */
function hasValidDay(time: string): boolean {
  return new Date(`${time.slice(0, 10)}T00:00:00Z`).getUTCDate() === Number(time.slice(8, 10));
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
export async function probeTarget(
  { connect, ...ports }: ProbeFlags,
  {
    global,
    context,
  }: { global: Pick<GlobalOptions, 'caFile'>; context: Pick<Context, 'currentDirectory' | 'env'> },
): Promise<ProbeTarget> {
  const ca = await readAuthorities(global.caFile, context);
  return {
    ...ports,
    ...(connect === undefined ? {} : { connect: await resolveLocalName(connect) }),
    ...(ca === undefined ? {} : { ca }),
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

function port(flag: string, word: string): number {
  return wholeNumber(flag, 1, 65_535, word);
}

/** @throws UsageError for a value with a user name or password. The message does not repeat it. */
function withoutCredentials(flag: string, word: string): string {
  if (!word.includes('@')) return word;
  throw new UsageError(
    `${flag} contains a user name or password`,
    'Remove the part before the @, and the @.',
  );
}

function address(value: string): string {
  const word = withoutCredentials('--connect', value);
  // A scoped address such as fe80::1%eth0 has no place in a URL.
  if ((isIP(withoutBrackets(word)) !== 0 && !word.includes('%')) || HOST.test(word)) return word;
  throw new UsageError(
    `--connect: ${quoted(word)} is not an address or host`,
    'Use a value such as 127.0.0.1. Pass ports with --https-port and --http-port.',
  );
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}

/** Labels of letters, digits, hyphens and underscores. A numeric last label would make it an IPv4 address. */
const HOST = /^(?:(?!-)[\w-]{1,63}(?<!-)\.)*(?!-|\d+\.?$)[\w-]{1,63}(?<!-)\.?$/;
