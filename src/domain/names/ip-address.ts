import { BlockList, isIP } from 'node:net';

/** Whether an IP address is IPv6: only IPv6 addresses have a colon. */
export function isIpv6(address: string): boolean {
  return address.includes(':');
}

/** Returns `192.0.2.1:53` or `[2001:db8::1]:53`. */
export function withPort(address: string, port: number): string {
  return isIpv6(address) ? `[${address}]:${port}` : `${address}:${port}`;
}

/** Returns the IPv4 address in the last two groups of an IPv6 address in canonical form. Zeros may be omitted. */
export function embeddedIpv4(address: string): string {
  const tail = address.slice(address.indexOf('::') + 1);
  const [low = 0, high = 0] = tail
    .split(':')
    .reverse()
    .map((group) => parseInt(group || '0', 16));
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}

/** Makes a list of subnets such as `10.0.0.0/8` and `fc00::/7`. */
export function subnetList(subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [network = '', prefix] = subnet.split('/');
    list.addSubnet(network, Number(prefix), isIpv6(network) ? 'ipv6' : 'ipv4');
  }
  return list;
}

/**
 * Returns what an address is reserved for, if it is not reachable over the Internet (IANA special-purpose address
 * registries). Documentation addresses are not included: they are harmless, and every example uses them.
 */
export function reservedRange(address: string): string | undefined {
  if (isIP(address) === 0) return undefined;
  // In a BlockList, a subnet of mapped addresses would contain every IPv4 address.
  if (/^::ffff:/i.test(address)) return 'mapped IPv4 addresses';
  const family = isIpv6(address) ? 'ipv6' : 'ipv4';
  if (!RESERVED.check(address, family)) return undefined;
  return RANGES.find(({ list }) => list.check(address, family))?.purpose;
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

/** All ranges in one list. Nearly every address is in none, and checking a list is slow. */
const RESERVED = subnetList(RANGES.flatMap(({ subnets }) => subnets));

function range(purpose: string, subnets: readonly string[]) {
  return { purpose, subnets, list: subnetList(subnets) };
}

/**
 * Returns why a probe or a query must not connect to an address, or `undefined` if it may. Addresses come from untrusted
 * DNS, and must not lead to the internal network of the machine (server-side request forgery).
 */
export function refusalReason(address: string): string | undefined {
  const family = isIP(address);
  // DNS has no scoped addresses, such as `fe80::1%eth0`.
  if (family === 0 || address.includes('%')) return 'not an IP address';
  const purpose = family === 4 ? reservedPurpose4(address) : reservedPurpose6(address);
  return purpose === undefined ? undefined : `it is reserved for ${purpose}`;
}

function reservedPurpose4(address: string): string | undefined {
  if (address === AZURE_WIRE_SERVER) return "a cloud's own services";
  return reservedRange(address) ?? (isDocumentation(address) ? 'documentation' : undefined);
}

function reservedPurpose6(written: string): string | undefined {
  // Canonical form (RFC 5952), with the IPv4 part as groups.
  const address = new URL(`http://[${written}]/`).hostname.slice(1, -1);
  // IPv6-only networks reach IPv4 addresses by these (RFC 6052, section 2.1).
  if (NAT64.check(address, 'ipv6')) return reservedPurpose4(embeddedIpv4(address));
  const purpose = reservedRange(address);
  if (purpose !== undefined) return purpose;
  if (isDocumentation(address)) return 'documentation';
  if (TUNNELS.check(address, 'ipv6')) return 'tunnels to other addresses';
  return GLOBAL.check(address, 'ipv6') ? undefined : 'later use';
}

/** The metadata service of Azure virtual machines, whose range is not reserved. */
const AZURE_WIRE_SERVER = '168.63.129.16';

/** As {@link refusalReason}, for the address of a name server. Those of documentation lead nowhere, so they are harmless. */
export function internalReason(address: string): string | undefined {
  return isDocumentation(address) ? undefined : refusalReason(address);
}

function isDocumentation(address: string): boolean {
  return DOCUMENTATION.check(address, isIpv6(address) ? 'ipv6' : 'ipv4');
}

const DOCUMENTATION = subnetList([
  '192.0.2.0/24',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '2001:db8::/32',
  '3fff::/20',
]);
const NAT64 = subnetList(['64:ff9b::/96']);
/** Protocol assignments, which include Teredo, and 6to4. */
const TUNNELS = subnetList(['2001::/23', '2002::/16']);
/** All addresses assigned for the Internet (RFC 4291, section 2.4). */
const GLOBAL = subnetList(['2000::/3']);
