import { addressesIn } from '../facts/classify.js';
import type { HostAddresses, CheckContext } from './check-context.js';
import { isKnown } from '../facts/lookup.js';
import type { DnsRecord, DnsServer } from '../resolver/dns.js';

/** Real zones have at most 13 hosts, each with an IPv4 and an IPv6 address. A hostile zone may list hundreds. */
const SERVERS_MAX = 32;

/** The name servers of a zone. */
export interface NameServers {
  /** One for each address. */
  servers: readonly DnsServer[];
  /** Hosts that have no address. */
  unresolved: readonly string[];
  /** Hosts whose address lookups failed. */
  failed: readonly string[];
}

/** The hosts of NS records, sorted, each once. */
export function hostsIn(records: readonly DnsRecord[]): string[] {
  const hosts = records.flatMap(({ data }) => (data.type === 'NS' ? [data.target.toLowerCase()] : []));
  return [...new Set(hosts)].sort();
}

/** Finds the addresses of name server hosts: from the glue records, otherwise by a resolver. */
export async function resolveNameServers(
  context: CheckContext,
  hosts: readonly string[],
  glue: readonly DnsRecord[],
): Promise<NameServers> {
  if (context.view !== undefined) return { servers: [context.view.server], unresolved: [], failed: [] };
  const found = await Promise.all(
    hosts.slice(0, SERVERS_MAX).map(async (host) => ({ host, ...(await addressesOf(context, host, glue)) })),
  );
  const servers = found.flatMap(({ host, addresses }) =>
    addresses.map((address): DnsServer => ({
      address,
      port: context.authoritativePort,
      transport: 'dns',
      host,
    })),
  );
  const addressless = found.filter(({ addresses }) => addresses.length === 0);
  return {
    servers: servers.slice(0, SERVERS_MAX),
    unresolved: addressless.filter(({ isComplete }) => isComplete).map(({ host }) => host),
    failed: addressless.filter(({ isComplete }) => !isComplete).map(({ host }) => host),
  };
}

function addressesOf(
  context: CheckContext,
  host: string,
  glue: readonly DnsRecord[],
): Promise<HostAddresses> {
  const known = addressesIn(glue.filter((record) => record.name.toLowerCase() === host));
  if (known.length > 0) return Promise.resolve({ addresses: distinct(known), isComplete: true });
  return context.hosts.get(host, async () => {
    const lookups = await Promise.all([context.resolve(host, 'A'), context.resolve(host, 'AAAA')]);
    return {
      addresses: distinct(lookups.flatMap((lookup) => addressesIn(lookup?.records ?? []))),
      isComplete: lookups.every(isKnown),
    };
  });
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}
