import { isIP, isIPv6 } from 'node:net';
import type { DnsServer } from './dns.js';

const DNS_PORT = 53;

/**
 * Reads `192.0.2.1`, `192.0.2.1:5353`, `2001:db8::1` or `[2001:db8::1]:5353`, the spelling of node:dns.
 *
 * @returns Undefined for anything else, host names too.
 */
export function parseServerAddress(text: string, defaultPort = DNS_PORT): DnsServer | undefined {
  const bracketed = /^\[([^\]]+)\](?::(\d{1,5}))?$/.exec(text);
  if (bracketed?.[1] !== undefined && !isIPv6(bracketed[1])) return undefined;
  const parts = bracketed ?? (isIPv6(text) ? [text, text] : /^([^:]+)(?::(\d{1,5}))?$/.exec(text));
  const address = parts?.[1] ?? '';
  const port = parts?.[2] === undefined ? defaultPort : Number(parts[2]);
  if (isIP(address) === 0 || port < 1 || port > 0xffff) return undefined;
  return { address, port, transport: 'dns' };
}
