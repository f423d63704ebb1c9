import { isIP } from 'node:net';
import { parseDomainName } from './parse-domain-name.js';

/** Whether a text can be the value of `connect`: an IP address or a host name, without a port. */
export function isConnectHost(text: string): boolean {
  const host = plainHost(text);
  return isIP(host) !== 0 || isLocalhost(host) || parseDomainName(host).ok;
}

/** Without the brackets of an IPv6 address. */
export function plainHost(connect: string): string {
  return connect.replace(/^\[(.*)\]$/, '$1').toLowerCase();
}

/** Never queried in DNS (RFC 6761, section 6.3). */
export function isLocalhost(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}
