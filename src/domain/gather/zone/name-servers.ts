import { addressesIn, targetOf } from '../../facts/classify.js';
import type { HostAddresses, CheckContext, NameServers } from '../check-context.js';
import { isKnown } from '../../facts/lookup.js';
import type { DnsRecord, DnsServer } from '../../resolver/dns.js';

/** Real zones have at most 13 hosts, each with an IPv4 and an IPv6 address. A hostile zone may list hundreds. */
const SERVERS_MAX = 32;

type AddressType = 'A' | 'AAAA';

/** Finds the addresses of name server hosts: from the glue records, otherwise by a resolver. */
export async function resolveNameServers(
  context: CheckContext,
  hosts: readonly string[],
  glue: readonly DnsRecord[],
  families: readonly AddressType[] = ['A', 'AAAA'],
): Promise<NameServers> {
  if (context.view !== undefined)
    return { servers: [context.view.server], unresolvedHosts: [], failedHosts: [], aliasHosts: [] };
  const found = await Promise.all(
    hosts.slice(0, SERVERS_MAX).map(async (host) => ({
      host,
      ...(await addressesOf(context, host, glue, families)),
    })),
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
    unresolvedHosts: addressless.filter(({ isComplete }) => isComplete).map(({ host }) => host),
    failedHosts: addressless.filter(({ isComplete }) => !isComplete).map(({ host }) => host),
    aliasHosts: found.flatMap(({ host, alias }) => (alias === undefined ? [] : [{ host, target: alias }])),
  };
}

function addressesOf(
  context: CheckContext,
  host: string,
  glue: readonly DnsRecord[],
  families: readonly AddressType[],
): Promise<HostAddresses> {
  const isWanted = ({ name, data }: DnsRecord): boolean =>
    name.toLowerCase() === host && families.some((family) => family === data.type);
  const known = addressesIn(glue.filter(isWanted));
  if (known.length > 0) return Promise.resolve({ addresses: distinct(known), isComplete: true });
  return context.hosts.get(`${families.join()} ${host}`, async () => {
    const lookups = await Promise.all(families.map((family) => context.resolve(host, family)));
    return {
      addresses: distinct(lookups.flatMap((lookup) => addressesIn(lookup?.records ?? []))),
      isComplete: lookups.every(isKnown),
      alias: lookups.map((lookup) => targetOf(lookup?.chain[0])).find((target) => target !== undefined),
    };
  });
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}
