import type { DnsOptions, DnsService } from './dns/dns.js';
import { listen, type HostedMock } from './http/listen.js';
import { checkOptions, LISTEN_CHECKS } from './check-options.js';
import type { ListenOptions, MockServer } from './mock-server.js';

/** The servers of a mock. */
export interface MockNetwork {
  /** `undefined` before `listen` with a `dnsPort`. */
  readonly dns: DnsService | undefined;
  /** @throws TypeError if an option, a zone or a DNS fault is invalid. */
  listen(options: ListenOptions): Promise<MockServer>;
}

/** @param dnsOptions checked when the DNS starts. */
export function createNetwork(
  hosted: HostedMock & { seed: number },
  dnsOptions: DnsOptions | undefined,
): MockNetwork {
  let dns: DnsService | undefined;
  const openDns = async (): Promise<DnsService> => {
    // Loaded on demand: most mocks serve no DNS.
    const { createDns } = await import('./dns/dns.js');
    return (dns ??= createDns(hosted.clock, hosted.seed, dnsOptions));
  };
  return {
    get dns() {
      return dns;
    },
    async listen(options) {
      checkOptions(options, LISTEN_CHECKS);
      const { dnsPort } = options;
      const server = await listen(hosted, options);
      return dnsPort === undefined ? server : withDns(server, openDns, dnsPort);
    },
  };
}

/** Adds the DNS to an HTTP server. If DNS fails to start, both are closed. */
async function withDns(
  server: MockServer,
  openDns: () => Promise<DnsService>,
  dnsPort: number,
): Promise<MockServer> {
  try {
    const dns = await openDns();
    const { close, ...addresses } = await dns.listen(dnsPort);
    return {
      ...server,
      dns: addresses,
      async close(options) {
        await Promise.all([server.close(options), close()]);
      },
    };
  } catch (error) {
    await server.close();
    throw error;
  }
}
