import { getServers } from 'node:dns';
import { isIPv4, isIPv6 } from 'node:net';
import type { DnsServer } from './dns.js';

const DNS_PORT = 53;

/**
 * Parses `192.0.2.1`, `192.0.2.1:5353`, `2001:db8::1` or `[2001:db8::1]:5353`, the format of node:dns.
 *
 * @returns `undefined` for any other text, including host names.
 */
export function parseServerAddress(text: string, defaultPort = DNS_PORT): DnsServer | undefined {
  const bracketed = /^\[([^\]]+)\](?::(\d{1,5}))?$/.exec(text);
  if (bracketed?.[1] !== undefined && ipFamily(bracketed[1]) !== 6) return undefined;
  const parts = bracketed ?? (ipFamily(text) === 6 ? [text, text] : /^([^:]+)(?::(\d{1,5}))?$/.exec(text));
  const address = parts?.[1] ?? '';
  const port = parts?.[2] === undefined ? defaultPort : Number(parts[2]);
  if (ipFamily(address) === 0 || port < 1 || port > 0xffff) return undefined;
  return { address, port, transport: 'dns' };
}

/**
 * Returns the family of an IP address, or 0 for other text, as `isIP` of node:net. Faster for host names: `isIP`
 * compiles its IPv6 pattern for them, which takes milliseconds on Node 20.
 */
export function ipFamily(text: string): 0 | 4 | 6 {
  // IPv6 has at least two colons; one colon is an address with a port.
  if (text.indexOf(':') !== text.lastIndexOf(':')) return isIPv6(text) ? 6 : 0;
  return isIPv4(text) ? 4 : 0;
}

/**
 * Returns the resolvers of this machine's configuration, each once, in its order.
 *
 * @param configured In the format of node:dns.
 */
export function systemResolvers(configured: readonly string[] = getServers()): DnsServer[] {
  const servers = new Map<string, DnsServer>();
  for (const text of configured) {
    const server = parseServerAddress(text);
    if (server === undefined || UNUSABLE.some((pattern) => pattern.test(server.address))) continue;
    servers.set(`${server.address.toLowerCase()} ${server.port}`, server);
  }
  return [...servers.values()];
}

/**
 * Addresses without a resolver: unspecified, multicast, link-local IPv6 without an interface, and site-local ones
 * (deprecated by RFC 3879). Windows lists the last if it has no resolver.
 */
const UNUSABLE = [/^0\./, /^::$/, /^(22[4-9]|23\d)\./, /^ff/i, /^fe[89ab][0-9a-f]:[^%]*$/i, /^fec0:/i];
