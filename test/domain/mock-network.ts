import type { CheckOptions } from '../../src/domain/request/options.js';
import type { DnsClient } from '../../src/domain/dns/dns.js';
import type { Mock, MockServer } from '../../src/mock/index.js';

/** Options for checks against the DNS of a mock: real sockets, and the mock's own time, so that two seconds pass at once. */
export function mockNetwork(mock: Mock, server: MockServer, dns: DnsClient): CheckOptions {
  const port = server.dns?.port ?? 0;
  return {
    dns,
    resolvers: [`127.0.0.1:${String(port)}`],
    authoritativePort: port,
    clock: {
      monotonic: () => performance.now(),
      now: () => Date.now(),
      setTimeout(callback, delayMs) {
        mock.advance(delayMs);
        const immediate = setImmediate(callback);
        return () => {
          clearImmediate(immediate);
        };
      },
    },
  };
}
