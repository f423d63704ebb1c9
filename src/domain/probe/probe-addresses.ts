import { isIP } from 'node:net';
import type { ProbeContext } from '../report/options.js';
import { refusalReason } from './probe-guard.js';
import type { ProbeFailure } from './probe-failure.js';

/** Where a host is looked at. */
export interface ProbeAddresses {
  /** May be connected to. */
  allowed: readonly string[];
  /** Left alone, and why. */
  refused: readonly { address: string; failure: ProbeFailure }[];
}

/** An answer with hundreds of addresses is no reason to knock at hundreds of doors. */
const ADDRESSES_MAX = 16;

/**
 * Finds where to connect for a host: where the caller said, or else at the host's addresses, but never at one that is not
 * of the Internet.
 *
 * @param find Gives the host's addresses. Called only where they are wanted.
 */
export async function probeAddresses(
  place: ProbeContext,
  find: () => readonly string[] | Promise<readonly string[]>,
): Promise<ProbeAddresses> {
  const { connect } = place.probe;
  if (connect !== undefined) return { allowed: await namedAddresses(connect, place), refused: [] };
  const judged = [...new Set(await find())].map((address, index) => ({
    address,
    reason: reasonOf(address, index),
  }));
  return {
    allowed: judged.filter(({ reason }) => reason === undefined).map(({ address }) => address),
    refused: judged.flatMap(({ address, reason }) =>
      reason === undefined
        ? []
        : [{ address, failure: { kind: 'not-probed', detail: `not probed: ${reason}` } as const }],
    ),
  };
}

function reasonOf(address: string, index: number): string | undefined {
  return (
    refusalReason(address) ?? (index < ADDRESSES_MAX ? undefined : `the first ${ADDRESSES_MAX} are enough`)
  );
}

/** Whoever names a host means it, wherever it is. */
async function namedAddresses(connect: string, place: ProbeContext): Promise<readonly string[]> {
  const host = connect.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  if (isIP(host) !== 0) return [host];
  // RFC 6761, section 6.3: never a question to DNS.
  if (host === 'localhost' || host.endsWith('.localhost')) return ['127.0.0.1'];
  return (await place.addressesOf(host)).addresses.slice(0, ADDRESSES_MAX);
}
