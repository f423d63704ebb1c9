import type { DnsServer } from './dns.js';

/** A recursive resolver and its name in reports. */
export interface Resolver {
  server: DnsServer;
  /** The same service at the other address family, for a machine without the first. */
  otherFamily?: DnsServer;
  /** True for the system's and the built-in resolvers. */
  isDefault?: boolean;
  /** True for the built-in resolvers. */
  isPublic?: boolean;
  /** Such as `1.1.1.1` or `system (192.168.1.1)`. */
  label: string;
}

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
