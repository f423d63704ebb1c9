import { isIP } from 'node:net';
import { embeddedIpv4, reservedRange, subnetList } from '../name/ip-address.js';
import { parseDomainName } from '../name/name.js';
import type { ProbeContext } from '../report/options.js';
import type { ProbeFailure } from './probe-failure.js';

/** The addresses of a host, for a probe. */
export interface ProbeAddresses {
  /** To probe. */
  allowed: readonly string[];
  /** Skipped, with the reason. */
  refused: readonly { address: string; failure: ProbeFailure }[];
}

/** A hostile response may have hundreds of addresses. */
const ADDRESSES_MAX = 16;

/**
 * Chooses the addresses to probe for a host: those of `connect`, otherwise the host's own public addresses, and those
 * with a route.
 *
 * @param find Finds the host's addresses. Called only if they are needed.
 * @param hasRoute Whether the probe connects to another endpoint instead of an address.
 */
export async function probeAddresses(
  context: ProbeContext,
  find: () => readonly string[] | Promise<readonly string[]>,
  hasRoute: (address: string) => boolean = () => false,
): Promise<ProbeAddresses> {
  const { connect } = context.probe;
  if (connect !== undefined) return { allowed: await connectAddresses(connect, context), refused: [] };
  const candidates = [...new Set(await find())].map((address, index) => ({
    address,
    reason: skipReason(address, index, hasRoute),
  }));
  return {
    allowed: candidates.filter(({ reason }) => reason === undefined).map(({ address }) => address),
    refused: candidates.flatMap(({ address, reason }) =>
      reason === undefined
        ? []
        : [{ address, failure: { kind: 'not-probed', detail: `not probed: ${reason}` } as const }],
    ),
  };
}

function skipReason(
  address: string,
  index: number,
  hasRoute: (address: string) => boolean,
): string | undefined {
  return (
    (hasRoute(address) ? undefined : refusalReason(address)) ??
    (index < ADDRESSES_MAX ? undefined : `only the first ${ADDRESSES_MAX} are probed`)
  );
}

/** Whether a text can be the value of `connect`: an IP address or a host name, without a port. */
export function isConnectHost(text: string): boolean {
  const host = plainHost(text);
  return isIP(host) !== 0 || isLocalhost(host) || parseDomainName(host).ok;
}

/** The addresses of `connect`, which may be loopback or private. */
async function connectAddresses(connect: string, context: ProbeContext): Promise<readonly string[]> {
  const host = plainHost(connect);
  if (isIP(host) !== 0) return [host];
  if (isLocalhost(host)) return ['127.0.0.1'];
  return (await context.addressesOf(host)).addresses.slice(0, ADDRESSES_MAX);
}

/** Without the brackets of an IPv6 address. */
function plainHost(connect: string): string {
  return connect.replace(/^\[(.*)\]$/, '$1').toLowerCase();
}

/** Never queried in DNS (RFC 6761, section 6.3). */
function isLocalhost(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}

/**
 * Returns why an address must not be probed, or `undefined` if it may be. Addresses come from untrusted DNS, and a
 * probe must not connect to the internal network of the machine (server-side request forgery).
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
  return reservedRange(address) ?? (DOCUMENTATION.check(address, 'ipv4') ? 'documentation' : undefined);
}

function reservedPurpose6(written: string): string | undefined {
  // Canonical form (RFC 5952), with the IPv4 part as groups.
  const address = new URL(`http://[${written}]/`).hostname.slice(1, -1);
  // IPv6-only networks reach IPv4 addresses by these (RFC 6052, section 2.1).
  if (NAT64.check(address, 'ipv6')) return reservedPurpose4(embeddedIpv4(address));
  const purpose = reservedRange(address);
  if (purpose !== undefined) return purpose;
  if (DOCUMENTATION.check(address, 'ipv6')) return 'documentation';
  if (TUNNELS.check(address, 'ipv6')) return 'tunnels to other addresses';
  return GLOBAL.check(address, 'ipv6') ? undefined : 'later use';
}

/** The metadata service of Azure virtual machines, whose range is not reserved. */
const AZURE_WIRE_SERVER = '168.63.129.16';

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
