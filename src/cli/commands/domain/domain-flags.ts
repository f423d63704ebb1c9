import { lookup } from 'node:dns/promises';
import type { Command } from 'commander';
import type { ProbeTarget } from '../../../domain/index.js';
import { readAuthorities } from '../../network/authorities.js';
import type { Context } from '../../system/context.js';
import type { GlobalOptions } from '../../command-line/global-options.js';
import { quoted, wholeNumber } from '../../command-line/flag-values.js';
import { UsageError } from '../../errors/usage-error.js';

/** Whom to ask, and what is known already. */
export interface DnsFlags {
  target?: string;
  /** Decides what the domain is, instead of the zone cut. */
  kind?: 'apex' | 'subdomain';
  resolvers: readonly string[];
  doh?: string;
  authoritativePort?: number;
  /** False with --no-public. */
  usePublic: boolean;
}

/** Where certificates and redirects are looked at. */
export interface ProbeFlags {
  connect?: string;
  httpsPort?: number;
  httpPort?: number;
}

type Flags = Readonly<Record<string, unknown>>;

/** Tells the parser the flags that every domain command has. */
export function addDnsFlags(command: Command): Command {
  return command
    .option('--target <host>', 'value that the dashboard shows for the CNAME')
    .option('--apex', 'take the domain for the top of its zone, whatever DNS says')
    .option('--subdomain', 'take the domain for a name within its zone')
    .option(
      '--resolver <host[:port]>',
      'ask this recursive resolver instead of the usual ones; repeatable',
      (word: string, before: readonly string[] | undefined) => [...(before ?? []), word],
    )
    .option('--doh <url>', 'ask this resolver over HTTPS (RFC 8484)')
    .option('--authoritative-port <n>', 'port of the authoritative name servers (53)')
    .option('--no-public', 'do not ask 1.1.1.1, 8.8.8.8 and 9.9.9.9');
}

/** Tells the parser where to probe. */
export function addProbeFlags(command: Command): Command {
  return command
    .option('--connect <host>', 'probe this address instead of those found; the way to private ones')
    .option('--https-port <n>', 'port of https (443)')
    .option('--http-port <n>', 'port of http (80)');
}

export function readDnsFlags(flags: Flags): DnsFlags {
  const { target, apex, subdomain, resolver, doh, authoritativePort } = flags;
  if (apex === true && subdomain === true) {
    throw new UsageError('--apex and --subdomain contradict each other', 'give one of the two');
  }
  const kind = apex === true ? 'apex' : subdomain === true ? 'subdomain' : undefined;
  return {
    ...(typeof target === 'string' ? { target } : {}),
    ...(kind === undefined ? {} : { kind }),
    // What the collector above has made.
    resolvers: ((resolver as readonly string[] | undefined) ?? []).map((word) => bare('--resolver', word)),
    ...(typeof doh === 'string' ? { doh: bare('--doh', doh) } : {}),
    ...(typeof authoritativePort === 'string'
      ? { authoritativePort: port('--authoritative-port', authoritativePort) }
      : {}),
    usePublic: flags.public !== false,
  };
}

export function readProbeFlags(flags: Flags): ProbeFlags {
  const { connect, httpsPort, httpPort } = flags;
  return {
    ...(typeof connect === 'string' ? { connect: address(connect) } : {}),
    ...(typeof httpsPort === 'string' ? { httpsPort: port('--https-port', httpsPort) } : {}),
    ...(typeof httpPort === 'string' ? { httpPort: port('--http-port', httpPort) } : {}),
  };
}

/** Tells the parser when verification succeeded. */
export function addVerifiedAtFlag(command: Command): Command {
  return command.option(
    '--verified-at <time>',
    'when verification succeeded, such as 2026-11-21T14:00Z; else when it was first seen here',
  );
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/;

/** Milliseconds since the epoch; `undefined` where it was not told. */
export function readVerifiedAt({ verifiedAt }: Flags): number | undefined {
  if (typeof verifiedAt !== 'string') return undefined;
  const time = TIME.test(verifiedAt) ? Date.parse(verifiedAt) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw new UsageError(
    `--verified-at: ${quoted(verifiedAt)} is no time in ISO 8601 with its zone`,
    'such as 2026-11-21T14:00:00Z or 2026-11-21T15:00+01:00',
  );
}

/** @throws UsageError where it is yet to come. */
export function checkVerifiedAt(verifiedAt: number | undefined, { clock }: Pick<Context, 'clock'>): void {
  if (verifiedAt === undefined || verifiedAt <= clock.now() + CLOCK_SKEW_MS) return;
  throw new UsageError(
    `--verified-at: ${new Date(verifiedAt).toISOString()} is yet to come`,
    'give when verification succeeded; check the clock and the time zone',
  );
}

/** Clocks of other machines may be ahead. */
const CLOCK_SKEW_MS = 5 * 60_000;

/** The flags as the checks take them, with whom `--ca` trusts besides. */
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
    ...(connect === undefined ? {} : { connect: await localAddress(connect) }),
    ...(ca === undefined ? {} : { ca }),
  };
}

/** A host of a single label, such as one of a container, is known to this machine alone: DNS would not have it. */
async function localAddress(host: string): Promise<string> {
  if (!/^[a-z][\w-]*$/i.test(host)) return host;
  const found = await lookup(host).catch(() => undefined);
  return found?.address ?? host;
}

function port(flag: string, word: string): number {
  return wholeNumber(flag, 1, 65_535, word);
}

/** What holds a password is refused without being repeated. */
function bare(flag: string, word: string): string {
  if (!word.includes('@')) return word;
  throw new UsageError(
    `${flag} holds a user name or password`,
    'leave out what stands before the @, and the @',
  );
}

function address(given: string): string {
  const word = bare('--connect', given);
  if (/^[\w.:[\]-]+$/.test(word)) return word;
  throw new UsageError(
    `--connect: ${quoted(word)} is neither an address nor a host`,
    'such as --connect 127.0.0.1; ports have flags of their own',
  );
}
