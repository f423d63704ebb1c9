import { BlockList, isIP } from 'node:net';
import { reservedRange } from './reserved-ranges.js';

/**
 * Why an address is not connected to: `undefined` where it may be. Addresses come from DNS, which is to say from anybody,
 * and a probe must not become a way into the network that the program runs in.
 */
export function refusalOf(address: string): string | undefined {
  const family = isIP(address);
  // A scoped address, such as `fe80::1%eth0`, is of one link, and none of DNS.
  if (family === 0 || address.includes('%')) return 'it is no address';
  const purpose = family === 4 ? purposeOf4(address) : purposeOf6(address);
  return purpose === undefined ? undefined : `it is reserved for ${purpose}`;
}

function purposeOf4(address: string): string | undefined {
  if (address === AZURE_WIRE_SERVER) return "a cloud's own services";
  return reservedRange(address) ?? (DOCUMENTATION.check(address, 'ipv4') ? 'documentation' : undefined);
}

function purposeOf6(address: string): string | undefined {
  const groups = groupsOf(address);
  // RFC 6052, section 2.1: networks of IPv6 alone reach IPv4 addresses so.
  if (NAT64.check(address, 'ipv6')) return purposeOf4(lastAddress4(groups));
  const purpose = reservedRange(address);
  if (purpose !== undefined) return purpose;
  if (DOCUMENTATION.check(address, 'ipv6')) return 'documentation';
  if (TUNNELS.check(address, 'ipv6')) return 'tunnels to other addresses';
  return GLOBAL.check(address, 'ipv6') ? undefined : 'later use';
}

/** Not private by its range, and the metadata service of virtual machines all the same. */
const AZURE_WIRE_SERVER = '168.63.129.16';

const DOCUMENTATION = blocks(
  '192.0.2.0/24',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '2001:db8::/32',
  '3fff::/20',
);
const NAT64 = blocks('64:ff9b::/96');
/** Teredo with all of the protocol assignments, and 6to4. */
const TUNNELS = blocks('2001::/23', '2002::/16');
/** All that is given out for use on the Internet. */
const GLOBAL = blocks('2000::/3');

function blocks(...subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [network = '', prefix] = subnet.split('/');
    list.addSubnet(network, Number(prefix), network.includes(':') ? 'ipv6' : 'ipv4');
  }
  return list;
}

/** The eight groups of an IPv6 address, as hexadecimal. The WHATWG host parser writes an IPv4 tail as groups. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after];
}

function lastAddress4(groups: readonly string[]): string {
  return groups
    .slice(6)
    .map((group) => parseInt(group, 16))
    .flatMap((number) => [number >> 8, number & 0xff])
    .join('.');
}
