import type { DnsServer } from '../resolver/dns.js';
import type { Resolver } from './check-context.js';

/** IPv4 and IPv6 address of each. Their certificates are valid for the IPv4 addresses too. */
const PUBLIC_RESOLVERS = [
  ['1.1.1.1', '2606:4700:4700::1111'],
  ['8.8.8.8', '2001:4860:4860::8888'],
  ['9.9.9.9', '2620:fe::fe'],
] as const;

/** The built-in public resolvers. */
export function publicResolvers(): Resolver[] {
  const at = (address: string): DnsServer => ({ address, port: 53, transport: 'dns' });
  return PUBLIC_RESOLVERS.map(([four, six]) => ({
    server: at(four),
    otherFamily: at(six),
    label: four,
    isDefault: true,
    isPublic: true,
  }));
}

/** The same over HTTPS, for a network that blocks or intercepts port 53. */
export function publicHttpsResolvers(): Resolver[] {
  return PUBLIC_RESOLVERS.map(([address]) => ({
    server: { address: `https://${address}/dns-query`, port: 443, transport: 'https' },
    label: `${address} (HTTPS)`,
    isDefault: true,
    isPublic: true,
  }));
}
