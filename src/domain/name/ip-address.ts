import { BlockList } from 'node:net';

/** Of what is an address at all: no other has a colon. */
export function isIpv6(address: string): boolean {
  return address.includes(':');
}

/** `192.0.2.1:53`, `[2001:db8::1]:53`. */
export function withPort(address: string, port: number): string {
  return isIpv6(address) ? `[${address}]:${port}` : `${address}:${port}`;
}

/** The addresses of subnets such as `10.0.0.0/8` and `fc00::/7`. */
export function subnetList(subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [network = '', prefix] = subnet.split('/');
    list.addSubnet(network, Number(prefix), isIpv6(network) ? 'ipv6' : 'ipv4');
  }
  return list;
}
