import type { Facts } from '../facts/facts.js';
import type { DnsRecord } from '../../dns/dns.js';

/**
 * Whether the DNS provider itself runs the CDN of the addresses. Then its servers make the A, AAAA and HTTPS records of a
 * proxied record, and its panel does not have them.
 */
export function isProxied({ provider }: Facts): boolean {
  return provider?.cdn !== undefined && provider.dns?.name === provider.cdn.name;
}

/** Seconds. Cloudflare flattens a CNAME to addresses with this TTL, which does not count down ("Auto"). */
const FLATTENED_TTL = 300;

/** Whether addresses look like a CNAME that Cloudflare flattens, as at an apex. Fixed records with TTL "Auto" look the same. */
export function isFlattenedByCloudflare({ provider }: Facts, addresses: readonly DnsRecord[]): boolean {
  return provider?.dns?.name === 'Cloudflare' && addresses.every(({ ttl }) => ttl === FLATTENED_TTL);
}
