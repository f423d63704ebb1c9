import { describe, test } from 'vitest';
import { createDnsClient } from '../../src/domain/dns/dns-client.js';
import { createDaemons, type Daemons } from './daemons.js';
import { createEndpoint, type Endpoint, freePort } from './endpoint.js';

/** The servers of a test file. Each has its own address, and all use one port. */
export interface Lab<Name extends string> {
  daemons: Daemons;
  port: number;
  /** The address of one of them, at this port unless another is given. */
  at(name: Name, port?: number): Endpoint;
  /** For `checkDomain`: these resolvers, and the port of the name servers. */
  options(...resolvers: Name[]): { resolvers: string[]; authoritativePort: number };
  close(): Promise<void>;
}

/** Finds a port for the servers, and starts none of them yet. */
export async function createLab<Name extends string>(
  addresses: Readonly<Record<Name, string>>,
): Promise<Lab<Name>> {
  const port = await freePort(Object.values(addresses));
  const daemons = createDaemons();
  const dns = createDnsClient();
  return {
    daemons,
    port,
    at: (name, other = port) => createEndpoint(dns, addresses[name], other),
    options: (...resolvers) => ({
      resolvers: resolvers.map((name) => `${addresses[name]}:${String(port)}`),
      authoritativePort: port,
    }),
    close() {
      dns.close();
      return daemons.close();
    },
  };
}

/** As `describe`. Without what the tests need, it is one skipped test whose title says why. */
export function describeServers(title: string, reason: string | undefined, body: () => void): void {
  if (reason === undefined) describe(title, body);
  else test.skip(`${title} (skipped: ${reason})`, () => undefined);
}
