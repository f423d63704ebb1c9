import { addressesIn } from '../facts/classify.js';
import type { HostAddresses, Inquiry } from './inquiry.js';
import { isTold } from '../facts/lookup.js';
import type { DnsRecord, DnsServer } from '../resolver/dns.js';

/** More than any real zone has: 13 hosts, each with an IPv4 and an IPv6 address. A hostile one may list hundreds. */
const SERVERS_MAX = 32;

/** The name servers of a zone, as far as they have addresses. */
export interface NameServers {
  /** One for each address, by host and address. */
  servers: readonly DnsServer[];
  /** Hosts that have no address. */
  unresolved: readonly string[];
  /** Hosts whose addresses could not be asked for. */
  untold: readonly string[];
}

/** The hosts that NS records name, sorted, each once. */
export function hostsIn(records: readonly DnsRecord[]): string[] {
  const hosts = records.flatMap(({ data }) => (data.type === 'NS' ? [data.target.toLowerCase()] : []));
  return [...new Set(hosts)].sort();
}

/** Finds the addresses of name server hosts: what came along with their names, else by a resolver. */
export async function locate(
  inquiry: Inquiry,
  hosts: readonly string[],
  glue: readonly DnsRecord[],
): Promise<NameServers> {
  const found = await Promise.all(
    hosts.slice(0, SERVERS_MAX).map(async (host) => ({ host, ...(await addressesOf(inquiry, host, glue)) })),
  );
  const servers = found.flatMap(({ host, addresses }) =>
    addresses.map((address): DnsServer => ({
      address,
      port: inquiry.authoritativePort,
      transport: 'dns',
      host,
    })),
  );
  const addressless = found.filter(({ addresses }) => addresses.length === 0);
  return {
    servers: servers.slice(0, SERVERS_MAX),
    unresolved: addressless.filter(({ told }) => told).map(({ host }) => host),
    untold: addressless.filter(({ told }) => !told).map(({ host }) => host),
  };
}

function addressesOf(inquiry: Inquiry, host: string, glue: readonly DnsRecord[]): Promise<HostAddresses> {
  const known = addressesIn(glue.filter((record) => record.name.toLowerCase() === host));
  if (known.length > 0) return Promise.resolve({ addresses: distinct(known), told: true });
  return inquiry.hosts.get(host, async () => {
    const lookups = await Promise.all([inquiry.recurse(host, 'A'), inquiry.recurse(host, 'AAAA')]);
    return {
      addresses: distinct(lookups.flatMap((lookup) => addressesIn(lookup?.records ?? []))),
      told: lookups.every(isTold),
    };
  });
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}
