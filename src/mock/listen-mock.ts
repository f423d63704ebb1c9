import { checkMockOptions, LISTEN_CHECKS } from './options.js';
import type { DnsOptions, DnsService } from './dns/dns.js';
import { listen, type HostedMock } from './http/listen.js';
import type { ListenOptions, MockServer } from './world/mock.js';
import type { WebOptions, WebState } from './web/web.js';

/** The servers of a mock. */
export interface MockNetwork {
  /** `undefined` before `listen` with a `dnsPort`. */
  readonly dns: DnsService | undefined;
  /** The last web servers that are open. */
  readonly web: OpenWeb | undefined;
  /** @throws TypeError if an option, a zone or a DNS fault is invalid. */
  listen(options: ListenOptions): Promise<MockServer>;
  /** Resets the DNS and all open web servers. */
  reset(): void;
}

/** Web servers that are open. */
export interface OpenWeb {
  state: WebState;
  /** Certificate in PEM. */
  authority: string;
  /** Forgets the certificates of hosts, whose dates are those of the mock's clock. */
  reset(): void;
}

/** @param dnsOptions checked when the DNS starts. */
export function createNetwork(
  hosted: Omit<HostedMock, 'authority'> & { seed: number },
  dnsOptions: DnsOptions | undefined,
): MockNetwork {
  let dns: DnsService | undefined;
  const openWebs: OpenWeb[] = [];
  const openDns = async (port: number): Promise<Part> => {
    // Loaded on demand, like the web servers: most mocks serve neither.
    const { createDns } = await import('./dns/dns.js');
    dns ??= createDns(hosted.clock, hosted.seed, dnsOptions);
    const { close, ...addresses } = await dns.listen(port);
    return { server: { dns: addresses }, close };
  };
  const openWeb = async (options: WebOptions): Promise<Part> => {
    const { listenWeb } = await import('./web/web.js');
    const { close, reset, ...server } = await listenWeb(hosted.clock, options);
    const { host, httpPort, httpsPort, authority } = server;
    const web = { state: { host, httpPort, httpsPort }, authority, reset };
    openWebs.push(web);
    return {
      server: { web: server },
      close() {
        openWebs.splice(openWebs.indexOf(web), 1);
        return close();
      },
    };
  };
  return {
    get dns() {
      return dns;
    },
    get web() {
      return openWebs.at(-1);
    },
    async listen(options) {
      checkMockOptions(options, LISTEN_CHECKS);
      const { dnsPort, web: webOptions } = options;
      const authority = (): string | undefined => openWebs.at(-1)?.authority;
      const server = await listen({ ...hosted, authority }, options);
      const parts: Part[] = [];
      const close: MockServer['close'] = async (closeOptions) => {
        await Promise.all([server.close(closeOptions), ...parts.map((part) => part.close())]);
      };
      try {
        if (dnsPort !== undefined) parts.push(await openDns(dnsPort));
        if (webOptions !== undefined) parts.push(await openWeb(webOptions));
      } catch (error) {
        await close();
        throw error;
      }
      const shared = { ...server, close, [Symbol.asyncDispose]: () => close() };
      return Object.assign(shared, ...parts.map((part) => part.server)) as MockServer;
    },
    reset() {
      dns?.reset();
      for (const { reset } of openWebs) reset();
    },
  };
}

/** A server next to the HTTP server. If one fails to start, all are closed. */
interface Part {
  server: Pick<MockServer, 'dns' | 'web'>;
  close(): Promise<void>;
}
