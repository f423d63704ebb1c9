import { lookup } from 'node:dns/promises';
import type { CheckOptions, ProbeOptions, RedirectEntry } from '../../../domain/index.js';
import type { WebOptions } from '../../../mock/index.js';
import type { Session } from '../../session/session.js';
import type { Context } from '../../system/context.js';
import { UsageError } from '../../errors/usage-error.js';
import { proxyFor } from '../../settings/network/proxy.js';
import { checkVerifiedAt, type DnsOptions, type ProbeFlags } from './input/domain-flags.js';
import { asciiOf } from './input/names.js';
import { isMockHost } from './input/subject.js';

/** The servers that a command queries. */
export interface DnsAccess {
  options: Pick<
    CheckOptions,
    'resolvers' | 'doh' | 'authoritativePort' | 'usePublic' | 'signal' | 'clock' | 'route'
  >;
  /** The certificate authority of the mock's web servers. */
  authority?: string | undefined;
  close(): Promise<void>;
}

/** Certificate authority of the mock's platform. */
export const MOCK_ISSUER = 'letsencrypt.org';

const RUN_TIMEOUT_MS = 60_000;
const DOMAIN_TIMEOUT_MS = 1_000;

/** Help text for {@link runTimeoutMs}. */
export const TIMEOUT_HELP = '--timeout limits the whole check (60s, plus 1s for each domain).';

/** Time limit of a command without a wait, in milliseconds. */
export function runTimeoutMs(count: number, { global }: Pick<Session, 'global'>): number {
  return global.timeoutMs ?? RUN_TIMEOUT_MS + count * DOMAIN_TIMEOUT_MS;
}

/** Returns a `--timeout` flag with twice the time limit that was reached, at least `minimumMs`. */
export function longerTimeout(reachedMs: number, minimumMs: number): string {
  return `--timeout ${durationWord(Math.max(minimumMs, 2 * reachedMs))}`;
}

/** Formats a duration for a flag, in whole units: `45s`, `30m`, `2h`. */
function durationWord(durationMs: number): string {
  const seconds = Math.ceil(durationMs / 1_000);
  if (seconds % 3_600 === 0) return `${String(seconds / 3_600)}h`;
  return seconds % 60 === 0 ? `${String(seconds / 60)}m` : `${String(seconds)}s`;
}

/** Returns a `--timeout` flag with a longer limit than that of this command. */
export function longerRunTimeout(count: number, session: Pick<Session, 'global'>): string {
  return longerTimeout(runTimeoutMs(count, session), RUN_TIMEOUT_MS);
}

/** The names that a command checks, and the servers that know them. */
interface CheckedNames {
  flags: DnsOptions;
  names: readonly string[];
  /** The mock's web servers to open too. */
  web?: WebOptions | undefined;
}

/**
 * Checks names with the DNS servers given by the flags or, with --mock, an embedded server on loopback ports. A terminal
 * shows meanwhile what is checked.
 */
export async function withDns<T>(
  { flags, names, web }: CheckedNames,
  session: Session,
  check: (access: DnsAccess) => Promise<T>,
): Promise<T> {
  const end = session.status.startWait(
    names.length === 1 ? `Checking ${String(names[0])}` : `Checking ${String(names.length)} domains`,
  );
  const foreign = session.global.mock ? names.find((name) => !isMockHost(name)) : undefined;
  if (foreign !== undefined)
    session.warn(
      `The mock has only names in .test, so it knows nothing about ${foreign}. See: petstore help mock-dns`,
    );
  const access = await openServers(flags, session, web);
  try {
    return await check(access);
  } finally {
    end();
    // A failed close does not change the result.
    await access.close().catch(() => undefined);
  }
}

async function openServers(
  flags: DnsOptions,
  session: Session,
  web: WebOptions | undefined,
): Promise<DnsAccess> {
  const { signal, clientClock: clock } = session.context;
  if (session.global.mock) return openMock(session.context, web);
  const { resolvers, doh, authoritativePort, usePublic } = flags;
  if (doh !== undefined && URL.canParse(doh) && proxyFor(doh, session.context) !== undefined)
    session.note('--doh does not use the proxy. See: petstore help environment');
  return {
    options: {
      resolvers: await Promise.all(resolvers.map(withAddress)),
      doh,
      authoritativePort,
      // The default: public resolvers unless a resolver is given.
      usePublic: usePublic ? undefined : false,
      signal,
      clock,
    },
    close: () => Promise.resolve(),
  };
}

const HOST = /^(?=[\d.-]*[a-z])([a-z\d.-]+)(:\d+)?$/i;

/** Resolves a resolver's host name once, not for each check of a wait. Returns a name without an address unchanged. */
async function withAddress(resolver: string): Promise<string> {
  const [, host, port = ''] = HOST.exec(resolver) ?? [];
  if (host === undefined) return resolver;
  const found = await lookup(host).catch(() => undefined);
  if (found === undefined) return resolver;
  return found.family === 6 ? `[${found.address}]${port}` : `${found.address}${port}`;
}

/** @throws UsageError if flags contradict --mock, --dry-run or --curl, or for a time in the future. */
export function checkFlags(
  { verifiedAt }: DnsOptions & { verifiedAt?: number | undefined },
  { global, context, given }: Session,
): void {
  if (global.dryRun || global.curl) {
    throw new UsageError(
      `${global.curl ? '--curl' : '--dry-run'} shows API requests, but domain commands query DNS`,
      'Remove the flag. Use --mock to query an embedded DNS server.',
    );
  }
  checkVerifiedAt(verifiedAt, context);
  if (!global.mock) return;
  const firstOf = (...flags: string[]): string | undefined =>
    given.find(({ name }) => flags.includes(name))?.name;
  const server = firstOf('--resolver', '--doh', '--authoritative-port');
  if (server !== undefined)
    throw new UsageError(
      `${server} can't be combined with --mock, which has its own DNS server`,
      'Use one of the two. To serve the same names for longer, run "petstore mock --dns-port N".',
    );
  const port = firstOf('--https-port', '--http-port');
  if (port === undefined || firstOf('--connect') !== undefined) return;
  throw new UsageError(
    `${port} can't be combined with --mock, which has its own web servers`,
    'Remove it, or also pass your server with --connect.',
  );
}

/** Which web servers of the mock a command opens: none if it connects to another server. */
export function mockWeb(
  { connect }: ProbeFlags,
  redirects: readonly RedirectEntry[] = [],
): WebOptions | undefined {
  return connect === undefined ? { redirects: servableEntries(redirects) } : undefined;
}

/** The entries that a server can have: valid, and one a host. The check of the entries reports the others. */
function servableEntries(redirects: readonly RedirectEntry[]): readonly RedirectEntry[] {
  const hosts = new Set<string>();
  return redirects.filter(({ from, to, status }) => {
    const host = asciiOf(from);
    if (host === undefined || asciiOf(to) === undefined || hosts.has(host)) return false;
    hosts.add(host);
    return [301, 302, 303, 307, 308].includes(status);
  });
}

/** Adds the authority of the mock's web servers to those that a probe trusts. */
export function withMockAuthority(probe: ProbeOptions, { authority }: DnsAccess): ProbeOptions {
  if (authority === undefined) return probe;
  return { ...probe, ca: probe.ca === undefined ? authority : `${probe.ca}\n${authority}` };
}

async function openMock(context: Context, web: WebOptions | undefined): Promise<DnsAccess> {
  const { signal, clock, clientClock } = context;
  const { createMock } = await import('../../../mock/index.js');
  const mock = createMock({ clock });
  const server = await mock.listen({ port: 0, dnsPort: 0, ...(web === undefined ? {} : { web }) });
  const { dns } = server;
  if (dns === undefined) throw new Error('The embedded mock has no DNS server');
  return {
    options: {
      resolvers: [`${dns.host}:${String(dns.port)}`],
      authoritativePort: dns.port,
      usePublic: false,
      signal,
      clock: clientClock,
      route: server.web?.route,
    },
    authority: server.web?.authority,
    close: () => server.close(),
  };
}
