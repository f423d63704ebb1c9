import { isIP } from 'node:net';
import { refusalReason } from '../name/ip-address.js';
import { parseDomainName } from '../name/name.js';
import type { ProbeContext } from '../report/probe-context.js';
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
