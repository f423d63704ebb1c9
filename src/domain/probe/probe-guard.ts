import { isIP } from 'node:net';
import { subnetList } from '../name/ip-address.js';
import { reservedRange } from '../name/ip-address.js';

/**
 * Why an address is not connected to: `undefined` where it may be. Addresses come from DNS, which is to say from anybody,
 * and a probe must not become a way into the network that the program runs in.
 */
export function refusalReason(address: string): string | undefined {
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

function purposeOf6(written: string): string | undefined {
  // In the one spelling of RFC 5952, with an IPv4 tail as groups.
  const address = new URL(`http://[${written}]/`).hostname.slice(1, -1);
  // RFC 6052, section 2.1: networks of IPv6 alone reach IPv4 addresses so.
  if (NAT64.check(address, 'ipv6')) return purposeOf4(lastAddress4(address));
  const purpose = reservedRange(address);
  if (purpose !== undefined) return purpose;
  if (DOCUMENTATION.check(address, 'ipv6')) return 'documentation';
  if (TUNNELS.check(address, 'ipv6')) return 'tunnels to other addresses';
  return GLOBAL.check(address, 'ipv6') ? undefined : 'later use';
}

/** Not private by its range, and the metadata service of virtual machines all the same. */
const AZURE_WIRE_SERVER = '168.63.129.16';

const DOCUMENTATION = subnetList([
  '192.0.2.0/24',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '2001:db8::/32',
  '3fff::/20',
]);
const NAT64 = subnetList(['64:ff9b::/96']);
/** Teredo with all of the protocol assignments, and 6to4. */
const TUNNELS = subnetList(['2001::/23', '2002::/16']);
/** All that is given out for use on the Internet. */
const GLOBAL = subnetList(['2000::/3']);

/** The IPv4 address in the last two groups. Zeros may have been left out there too. */
function lastAddress4(address: string): string {
  const [, tail = ''] = address.split('::');
  const [low = 0, high = 0] = tail
    .split(':')
    .reverse()
    .map((group) => parseInt(group || '0', 16));
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}
