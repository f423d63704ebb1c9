import { lookup } from 'node:dns/promises';
import type { CheckOptions } from '../../../domain/index.js';
import type { Session } from '../../session/action.js';
import { UsageError } from '../../errors/usage-error.js';
import { proxyFor } from '../../network/proxy.js';
import type { DnsFlags } from './domain-flags.js';
import { longerTimeout } from './next-commands.js';

/** Whom a command asks, until it is closed. */
export interface DnsAccess {
  options: Pick<CheckOptions, 'resolvers' | 'doh' | 'authoritativePort' | 'usePublic' | 'signal' | 'clock'>;
  close(): Promise<void>;
}

/** What the names of the embedded mock are to point to. */
export const MOCK_TARGET = 'cname.platform.test';
/** Whom the mock's platform has its certificates from. */
export const MOCK_ISSUER = 'letsencrypt.org';

const RUN_TIMEOUT_MS = 60_000;
const DOMAIN_TIMEOUT_MS = 1_000;

/** What `--help` says of {@link runTimeoutMs}. */
export const TIMEOUT_HELP =
  'Without --wait, --timeout limits the whole run (60s, and 1s more for each\ndomain): what was not asked by then could not be told.';

/** Milliseconds that a run without a wait may take: by `--timeout`, else more for more domains. */
export function runTimeoutMs(count: number, { global }: Pick<Session, 'global'>): number {
  return global.timeoutMs ?? RUN_TIMEOUT_MS + count * DOMAIN_TIMEOUT_MS;
}

/** The flag that gives another run more time than this one had. */
export function moreTime(count: number, session: Pick<Session, 'global'>): string {
  return longerTimeout(runTimeoutMs(count, session), RUN_TIMEOUT_MS);
}

/** Opens the way to DNS: the one that the flags say or, with --mock, an embedded one on loopback ports. */
export async function openDns(flags: DnsFlags, session: Session): Promise<DnsAccess> {
  const { signal, clientClock: clock } = session.context;
  if (session.global.mock) return openMockDns({ signal, clock });
  const { resolvers, doh, authoritativePort, usePublic } = flags;
  if (doh !== undefined && URL.canParse(doh) && proxyFor(doh, session.context) !== undefined)
    session.note('--doh is asked without the proxy: petstore help environment');
  return {
    options: {
      resolvers: await Promise.all(resolvers.map(withAddress)),
      doh,
      authoritativePort,
      // Left to its default: with a resolver of one's own, public ones are not asked.
      usePublic: usePublic ? undefined : false,
      signal,
      clock,
    },
    close: () => Promise.resolve(),
  };
}

const HOST = /^([a-z\d.-]*[a-z][a-z\d.-]*)(:\d+)?$/i;

/** A resolver that is named is looked up once, and not at each check of a wait. One without an address is left as it is. */
async function withAddress(resolver: string): Promise<string> {
  const [, host, port = ''] = HOST.exec(resolver) ?? [];
  if (host === undefined) return resolver;
  const found = await lookup(host).catch(() => undefined);
  if (found === undefined) return resolver;
  return found.family === 6 ? `[${found.address}]${port}` : `${found.address}${port}`;
}

/** @throws UsageError where flags can't go together with --mock, --dry-run or --curl. */
export function checkDnsFlags(flags: DnsFlags, { global }: Session): void {
  const { doh, authoritativePort, resolvers } = flags;
  if (global.dryRun || global.curl) {
    throw new UsageError(
      `${global.curl ? '--curl' : '--dry-run'} shows requests to the service, and the domain commands ask the DNS instead`,
      'leave the flag out; --mock asks an embedded DNS instead of the real one',
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
    `${given} and --mock contradict each other: --mock brings a DNS of its own`,
    'give one of the two; petstore mock --dns-port N serves the same names for longer',
  );
}

async function openMockDns(run: Pick<CheckOptions, 'signal' | 'clock'>): Promise<DnsAccess> {
  const { createMock } = await import('../../../mock/index.js');
  const server = await createMock().listen({ port: 0, dnsPort: 0 });
  const { dns } = server;
  if (dns === undefined) throw new Error('the embedded mock has no DNS');
  return {
    options: {
      resolvers: [`${dns.host}:${String(dns.port)}`],
      authoritativePort: dns.port,
      usePublic: false,
      ...run,
    },
    close: () => server.close(),
  };
}
