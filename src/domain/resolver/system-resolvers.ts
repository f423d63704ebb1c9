import { getServers } from 'node:dns';
import type { DnsServer } from './dns.js';
import { parseServerAddress } from './server-address.js';

/**
 * What nobody can be asked at: the unspecified address, multicast, link-local IPv6 without its interface, and the
 * site-local addresses that Windows lists where it has no resolver at all (RFC 3879 took them out of use).
 */
const UNASKABLE = [/^0\./, /^::$/, /^(22[4-9]|23\d)\./, /^ff/i, /^fe[89ab][0-9a-f]:[^%]*$/i, /^fec0:/i];

/**
 * The resolvers that this machine is configured to ask, each once, in its order.
 *
 * @param configured In the spelling of node:dns.
 */
export function systemResolvers(configured: readonly string[] = getServers()): DnsServer[] {
  const servers = new Map<string, DnsServer>();
  for (const text of configured) {
    const server = parseServerAddress(text);
    if (server === undefined || UNASKABLE.some((pattern) => pattern.test(server.address))) continue;
    servers.set(`${server.address.toLowerCase()} ${server.port}`, server);
  }
  return [...servers.values()];
}
