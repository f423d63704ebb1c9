import type { DnsServer } from './dns.js';
import { ipFamily } from './ip-family.js';

const DNS_PORT = 53;

/**
 * Reads `192.0.2.1`, `192.0.2.1:5353`, `2001:db8::1` or `[2001:db8::1]:5353`, the spelling of node:dns.
 *
 * @returns Undefined for anything else, host names too.
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
