import { lookup } from 'node:dns/promises';
import type { CheckOptions } from '../../../domain/index.js';
import type { WebOptions, WebServer } from '../../../mock/index.js';
import type { Session } from '../../session/action.js';
import type { Context } from '../../system/context.js';
import { UsageError } from '../../errors/usage-error.js';
import { proxyFor } from '../../network/proxy.js';
import type { DnsOptions } from './input/domain-flags.js';
import { longerTimeout } from './report/next-commands.js';

/** The DNS servers that a command queries. */
export interface DnsAccess {
  options: Pick<CheckOptions, 'resolvers' | 'doh' | 'authoritativePort' | 'usePublic' | 'signal' | 'clock'>;
  /** The web servers of the names, with --mock. */
  web?: Pick<WebServer, 'authority' | 'route'>;
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

/** Returns a `--timeout` flag with a longer limit than that of this command. */
export function longerRunTimeout(count: number, session: Pick<Session, 'global'>): string {
  return longerTimeout(runTimeoutMs(count, session), RUN_TIMEOUT_MS);
}

/**
 * Opens the DNS servers given by the flags or, with --mock, an embedded server on loopback ports.
 *
 * @param checked the names that the command checks, for the line that a terminal shows until `close`.
 * @param web opens the web servers of the mock's names too.
 */
export async function openDns(
  flags: DnsOptions,
  checked: readonly string[],
  session: Session,
  web?: WebOptions,
): Promise<DnsAccess> {
  const end = session.status.startWait(
    checked.length === 1 ? `Checking ${String(checked[0])}` : `Checking ${String(checked.length)} domains`,
  );
  const { close, ...servers } = await openServers(flags, session, web);
  return {
    ...servers,
    async close() {
      end();
      await close();
    },
  };
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

/** @throws UsageError if flags contradict --mock, --dry-run or --curl. */
export function checkDnsFlags(flags: DnsOptions, { global }: Session): void {
  const { doh, authoritativePort, resolvers } = flags;
  if (global.dryRun || global.curl) {
    throw new UsageError(
      `${global.curl ? '--curl' : '--dry-run'} shows API requests, but domain commands query DNS`,
      'Remove the flag. Use --mock to query an embedded DNS server.',
    );
  }
  if (!global.mock) return;
  const given = [
    resolvers.length > 0 && '--resolver',
    doh !== undefined && '--doh',
    authoritativePort !== undefined && '--authoritative-port',
  ].find((flag) => flag !== false);
  if (given === undefined) return;
  throw new UsageError(
    `${given} can't be combined with --mock, which has its own DNS server`,
    'Use one of the two. To serve the same names for longer, run "petstore mock --dns-port N".',
  );
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
    },
    ...(server.web === undefined ? {} : { web: server.web }),
    close: () => server.close(),
  };
}
