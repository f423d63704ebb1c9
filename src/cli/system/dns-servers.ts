import { getServers } from 'node:dns';
import { Resolver } from 'node:dns/promises';

/** The DNS servers of this machine. */
export interface DnsServers {
  /** Their addresses, in order of use. */
  list(): readonly string[];
  /**
   * Queries one server for the addresses of a name.
   *
   * @throws Error with the code of the failure as its message, such as `ENOTFOUND`.
   */
  resolve(name: string, server: string, signal: AbortSignal): Promise<readonly string[]>;
}

export function createDnsServers(): DnsServers {
  return { list: getServers, resolve };
}

async function resolve(name: string, server: string, signal: AbortSignal): Promise<string[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  const stop = (): void => {
    resolver.cancel();
  };
  signal.addEventListener('abort', stop, { once: true });
  try {
    resolver.setServers([server]);
    const results = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    signal.throwIfAborted();
    // A name may have addresses of one family only.
    if (results.some(({ status }) => status === 'fulfilled'))
      return results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    const [first] = results;
    throw new Error(first.status === 'rejected' ? codeOf(first.reason) : 'no reason given');
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error ? String(error.code) : error.message;
}
