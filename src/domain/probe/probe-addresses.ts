import { isIP } from 'node:net';
import { refusalReason } from '../names/ip-address.js';
import { isLocalhost, plainHost } from '../request/connect-host.js';
import type { ProbeRoute } from '../request/options.js';
import type { ProbeRequest } from './probe-request.js';
import type { ProbeFailure } from './probe-failure.js';

/** A hostile response may have hundreds of addresses. */
const ADDRESSES_MAX = 16;

/**
 * Chooses the addresses to probe for a host: those of `connect`, otherwise the host's own public addresses, and those
 * with a route.
 *
 * @param find Finds the host's addresses. Called only if they are needed.
 * @param ports Those to connect to.
 * @returns `allowed`: to probe. `refused`: skipped, with the reason.
 */
export async function probeAddresses(
  { probe: { connect }, addressesOf }: Pick<ProbeRequest, 'probe' | 'addressesOf'>,
  find: () => readonly string[] | Promise<readonly string[]>,
  ports: readonly number[],
  route: ProbeRoute,
): Promise<{
  allowed: readonly string[];
  refused: readonly { address: string; failure: ProbeFailure }[];
}> {
  if (connect !== undefined) return { allowed: await connectAddresses(connect, addressesOf), refused: [] };
  const candidates = [...new Set(await find())].map((address, index) => {
    const hasRoute = ports.some((port) => route({ address, port }) !== undefined);
    const reason = hasRoute ? undefined : refusalReason(address);
    return { address, failure: reason === undefined ? overLimit(index) : notProbed(reason) };
  });
  return {
    allowed: candidates.filter(({ failure }) => failure === undefined).map(({ address }) => address),
    refused: candidates.flatMap(({ address, failure }) =>
      failure === undefined ? [] : [{ address, failure }],
    ),
  };
}

function notProbed(reason: string): ProbeFailure {
  return { kind: 'not-probed', detail: `not probed: ${reason}` };
}

function overLimit(index: number): ProbeFailure | undefined {
  if (index < ADDRESSES_MAX) return undefined;
  return { kind: 'over-limit', detail: `not probed: only the first ${ADDRESSES_MAX} are probed` };
}

/** The addresses of `connect`, which may be loopback or private. */
async function connectAddresses(
  connect: string,
  addressesOf: ProbeRequest['addressesOf'],
): Promise<readonly string[]> {
  const host = plainHost(connect);
  if (isIP(host) !== 0) return [host];
  if (isLocalhost(host)) return ['127.0.0.1'];
  return (await addressesOf(host)).addresses.slice(0, ADDRESSES_MAX);
}
