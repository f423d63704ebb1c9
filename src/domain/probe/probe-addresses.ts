import { isIP } from 'node:net';
import { refusalReason } from '../names/ip-address.js';
import { isLocalhost, plainHost } from '../request/connect-host.js';
import type { ProbeContext } from '../request/probe-context.js';
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

/** The addresses of `connect`, which may be loopback or private. */
async function connectAddresses(connect: string, context: ProbeContext): Promise<readonly string[]> {
  const host = plainHost(connect);
  if (isIP(host) !== 0) return [host];
  if (isLocalhost(host)) return ['127.0.0.1'];
  return (await context.addressesOf(host)).addresses.slice(0, ADDRESSES_MAX);
}
