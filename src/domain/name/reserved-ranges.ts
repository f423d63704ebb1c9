import { isIP } from 'node:net';
import { isIpv6, subnetList } from './ip-address.js';

/**
 * What an address is reserved for, where it can't be reached over the Internet (the IANA special-purpose registries).
 * The ranges for documentation are left out: they harm nobody, and stand in every example.
 */
export function reservedRange(address: string): string | undefined {
  if (isIP(address) === 0) return undefined;
  // A subnet of mapped addresses in a BlockList would hold every IPv4 address.
  if (/^::ffff:/i.test(address)) return 'mapped IPv4 addresses';
  if (!ALL.check(address, isIpv6(address) ? 'ipv6' : 'ipv4')) return undefined;
  return RANGES.find(({ list }) => list.check(address, isIpv6(address) ? 'ipv6' : 'ipv4'))?.purpose;
}

const RANGES = [
  range('this network', ['0.0.0.0/8', '::/128']),
  range('private networks', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']),
  range('shared carrier networks', ['100.64.0.0/10']),
  range('the machine itself', ['127.0.0.0/8', '::1/128']),
  range('one link', ['169.254.0.0/16', 'fe80::/10']),
  range('protocol assignments', ['192.0.0.0/24', '192.88.99.0/24']),
  range('benchmarks', ['198.18.0.0/15', '2001:2::/48']),
  range('multicast', ['224.0.0.0/4', 'ff00::/8']),
  range('later use', ['240.0.0.0/4']),
  range('discarding', ['100::/64']),
] as const;

/** Nearly every address is in none, and a question to a list is dear. */
const ALL = subnetList(RANGES.flatMap(({ subnets }) => subnets));

function range(purpose: string, subnets: readonly string[]) {
  return { purpose, subnets, list: subnetList(subnets) };
}
