import { lookup as systemLookup } from 'node:dns/promises';
import { InvalidInputError } from '../../errors.js';
import { addressesIn } from '../facts/classify.js';
import type { ResolverFacts } from '../facts/facts.js';
import type { CheckContext, Resolver } from './check-context.js';
import { withPort } from '../name/ip-address.js';
import type { CheckOptions } from '../report/options.js';
import type { DnsServer } from '../resolver/dns.js';
import { httpsResolverUrl } from '../resolver/transport/https.js';
import { parseServerAddress } from '../resolver/server-address.js';

const PUBLIC_RESOLVERS = ['1.1.1.1', '8.8.8.8', '9.9.9.9'];

/**
 * The resolvers to ask, in order: those given, DNS over HTTPS, then the system's and public ones where none was given.
 *
 * @param system Gives the system's resolvers. Called only where they are wanted.
 * @throws InvalidInputError where a resolver or the URL can't be read.
 */
export async function chooseResolvers(
  options: Pick<CheckOptions, 'resolvers' | 'doh' | 'usePublic'>,
  system: () => readonly DnsServer[],
): Promise<Resolver[]> {
  const given = await Promise.all((options.resolvers ?? []).map(readResolver));
  if (options.doh !== undefined) given.push(readDoh(options.doh));
  const isGiven = given.length > 0;
  const ownServers = isGiven ? [] : system();
  const own = ownServers.map((server) => ({ server, label: `system (${printed(server)})` }));
  const publicOnes = (options.usePublic ?? !isGiven) ? PUBLIC_RESOLVERS.map(publicResolver) : [];
  return distinct([...given, ...own, ...publicOnes]);
}

/** Asks every resolver what visitors would get. Addresses count; the CNAME explains. */
export function queryResolvers(context: CheckContext, name: string): Promise<ResolverFacts[]> {
  return Promise.all(
    context.resolvers.map(async ({ server, label }) => {
      const [a, aaaa, cname] = await Promise.all([
        context.queryResolver(server, name, 'A'),
        context.queryResolver(server, name, 'AAAA'),
        context.queryResolver(server, name, 'CNAME'),
      ]);
      return { server, label, a, aaaa, cname };
    }),
  );
}

/** The addresses that any resolver has for the target, which exists already: no resolver remembers an absence. */
export async function resolveTarget(context: CheckContext, target: string): Promise<string[]> {
  const lookups = await Promise.all(
    context.resolvers.flatMap(({ server }) => [
      context.queryResolver(server, target, 'A'),
      context.queryResolver(server, target, 'AAAA'),
    ]),
  );
  return [...new Set(lookups.flatMap(({ records }) => addressesIn(records)))];
}

/** Reads `HOST`, `HOST:PORT`, `IPV6` or `[IPV6]:PORT`. A host name is looked up by the system. */
async function readResolver(text: string): Promise<Resolver> {
  const server = parseServerAddress(text);
  if (server !== undefined) return { server, label: printed(server) };
  const [, host, portText = '53'] = /^([a-z\d.-]*[a-z][a-z\d.-]*)(?::(\d{1,5}))?$/i.exec(text) ?? [];
  const port = Number(portText);
  if (host === undefined || port < 1 || port > 0xffff) {
    throw new InvalidInputError(`not a resolver: ${JSON.stringify(text)}`, {
      field: 'resolvers',
      hint: 'such as 9.9.9.9, 127.0.0.1:5353 or [::1]:5353',
    });
  }
  try {
    const { address } = await systemLookup(host);
    return { server: { address, port, transport: 'dns', host }, label: text };
  } catch (error) {
    throw new InvalidInputError(`the resolver ${JSON.stringify(host)} has no address`, {
      field: 'resolvers',
      cause: error,
      hint: "give the resolver's IP address",
    });
  }
}

function readDoh(url: string): Resolver {
  const parsed = httpsResolverUrl(url);
  if (parsed === undefined) {
    // Not repeated where it may hold a password.
    const shown = url.includes('@') ? 'it holds a user name or password' : JSON.stringify(url);
    throw new InvalidInputError(`not a URL of a resolver: ${shown}`, {
      field: 'doh',
      hint: 'such as https://dns.example/dns-query',
    });
  }
  const port = Number(parsed.port || (parsed.protocol === 'https:' ? 443 : 80));
  return { server: { address: parsed.href, port, transport: 'https' }, label: parsed.host };
}

function publicResolver(address: string): Resolver {
  return { server: { address, port: 53, transport: 'dns' }, label: address };
}

function printed({ address, port }: DnsServer): string {
  return port === 53 ? address : withPort(address, port);
}

function distinct(resolvers: readonly Resolver[]): Resolver[] {
  const byServer = new Map<string, Resolver>();
  for (const resolver of resolvers) {
    const key = `${resolver.server.transport} ${resolver.server.address} ${String(resolver.server.port)}`;
    if (!byServer.has(key)) byServer.set(key, resolver);
  }
  return [...byServer.values()];
}
