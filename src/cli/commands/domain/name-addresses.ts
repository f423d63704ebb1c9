import { Resolver } from 'node:dns/promises';
import { checkDomain, type DomainName, exitCodeOf, type VerdictExitCode } from '../../../domain/index.js';
import type { Session } from '../../action.js';
import { UsageError } from '../../usage-error.js';
import { openDns, runTimeoutMs } from './dns-access.js';
import type { AskFlags } from './domain-flags.js';
import { systemAddresses } from './probing.js';

/** Where a name leads, whatever its records are to be. */
export interface NameAddresses {
  addresses: readonly string[];
  /** What to exit with where there are none. */
  exitCode: VerdictExitCode;
}

/** By the servers of the name itself, as a check of the domain asks them. */
export async function checkedAddresses(
  { input, ascii }: DomainName,
  target: string,
  ask: AskFlags,
  session: Session,
): Promise<NameAddresses> {
  const dns = await openDns(ask, session);
  let addresses: readonly string[] = [];
  try {
    const { state, findings } = await checkDomain(
      // Any entry makes the check hand over its way to find addresses.
      { domain: input, target, kind: ask.kind, redirects: [{ from: ascii, to: target, status: 301 }] },
      {
        ...dns.options,
        timeoutMs: runTimeoutMs(1, session),
        probes: {
          certificate: () => Promise.resolve({ report: { status: 'unknown', addresses: [] }, findings: [] }),
          async redirects(_, { addressesOf }) {
            addresses = await addressesOf(ascii);
            return { report: [], findings: [] };
          },
        },
      },
    );
    return { addresses, exitCode: exitCodeOf(state, findings) || 9 };
  } finally {
    await dns.close().catch(() => undefined);
  }
}

/**
 * By the resolvers of `--resolver`, else by the system's: a check of the domain needs a target.
 *
 * @throws UsageError where a flag can be met by such a check alone.
 */
export async function resolvedAddresses(
  { ascii }: DomainName,
  { resolvers, doh, authoritativePort }: AskFlags,
  signal: AbortSignal,
): Promise<NameAddresses> {
  if (doh !== undefined || authoritativePort !== undefined) {
    throw new UsageError(
      `${doh === undefined ? '--authoritative-port' : '--doh'} needs a target here`,
      'pass --target with the value that the dashboard shows, or --connect with an address',
    );
  }
  const addresses =
    resolvers.length === 0 ? await systemAddresses(ascii) : await askedAddresses(ascii, resolvers, signal);
  return { addresses, exitCode: 9 };
}

async function askedAddresses(
  name: string,
  resolvers: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  try {
    resolver.setServers(resolvers);
  } catch (error) {
    throw new UsageError(
      '--resolver: without a target it has to be an address',
      'such as 192.0.2.53:53',
      error,
    );
  }
  const cancel = (): void => {
    resolver.cancel();
  };
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
